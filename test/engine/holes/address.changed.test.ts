import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { startEmulator, type Emulator } from "../../../provider/src/testing";
import { fails, newWorld, requestsTo, succeeds, tokensOf, type Resource } from "../harness";
import { baseUrlsOf, bothResources, normalized, oddSpelling, saveState, settingsOf } from "./addresses";

describe("the address of a service", () => {
  let other: Emulator;
  before("another service", async () => {
    other = await startEmulator();
  });
  const world = newWorld(
    (emulator) => ({
      program: bothResources,
      services: [other],
      env: { USER_GROUPS_BASE_URL: oddSpelling(emulator) },
    }),
    { basePath: "/tenant" },
  );
  after("its end", () => other.stop());

  let recorded: readonly Resource[];
  const comparable = async () => comparableOf(await world.stack.resources());
  let tokens: Readonly<Record<string, string>>;
  let restore: () => Promise<void>;
  before("groups", async () => {
    succeeds(await world.stack.up());
    recorded = await world.stack.resources();
    tokens = tokensOf(world.emulator);
    restore = await saveState(world.stack);
  });
  beforeEach("no requests, and no groups in the other service", () => {
    for (const id of other.groups.keys()) other.removeGroup(id);
    for (const service of [world.emulator, other]) service.clearRequests();
  });
  afterEach("the state is as it was", async () => {
    if (!isDeepStrictEqual(await comparable(), comparableOf(recorded))) await restore();
  });

  it("is recorded in lower case and without a slash at its end, and given to the program", async () => {
    const baseUrl = normalized(world.emulator);
    assert.deepEqual(baseUrlsOf(recorded), { single: baseUrl, many: baseUrl });
    assert.deepEqual((await world.stack.plainOutputs())["baseUrls"], [baseUrl, baseUrl]);
  });

  for (const command of ["refresh", "destroy", "up", "preview"] as const)
    for (const name of ["single", "many"])
      it(`changed by mistake makes ${command} of "${name}" fail before any request, and leaves the state`, async () => {
        const { urn } = await world.stack.resource(name);
        const env = { ...settingsOf(other), TENANT: command === "up" ? "Customer" : "Tenant" };
        const failed = fails(
          await world.stack[command]({ env, flags: ["--target", urn] }),
          /\[service-changed\]/,
        );
        assert(failed.output.includes(normalized(world.emulator)), failed.output);
        assert(failed.output.includes(other.baseUrl), failed.output);
        assert.deepEqual([requestsTo(world.emulator), requestsTo(other)], [[], []]);
        assert.deepEqual(await comparable(), comparableOf(recorded));
        assert.deepEqual(tokensOf(world.emulator), tokens);
      });
});

/** Sorted, and without ciphertexts, which differ each time that the engine writes the state. */
function comparableOf(resources: readonly Resource[]): unknown {
  const sorted = [...resources].sort((one, other) => one.urn.localeCompare(other.urn));
  return JSON.parse(JSON.stringify(sorted, (key, value: unknown) => (key === "ciphertext" ? "" : value)));
}
