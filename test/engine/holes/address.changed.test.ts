import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../../provider/src/testing";
import { fails, newWorld, requestsTo, succeeds, tokensOf } from "../harness";
import {
  baseUrlsOf,
  bothResources,
  normalized,
  oddSpelling,
  plainResources,
  saveState,
  settingsOf,
} from "./addresses";

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

  let recorded: unknown;
  let tokens: Readonly<Record<string, string>>;
  let restore: () => Promise<void>;
  before("groups", async () => {
    succeeds(await world.stack.up());
    recorded = await plainResources(world.stack);
    tokens = tokensOf(world.emulator);
    restore = await saveState(world.stack);
  });
  beforeEach("no requests, and no groups in the other service", () => {
    for (const id of other.groups.keys()) other.removeGroup(id);
    for (const service of [world.emulator, other]) service.clearRequests();
  });
  afterEach("a failed test doesn't change the state of the next one", async function () {
    if (this.currentTest?.state === "failed") await restore();
  });

  it("is recorded in lower case and without a slash at its end, and given to the program", async () => {
    const baseUrl = normalized(world.emulator);
    assert.deepEqual(baseUrlsOf(await world.stack.resources()), { single: baseUrl, many: baseUrl });
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
        assert.deepEqual(await plainResources(world.stack), recorded);
        assert.deepEqual(tokensOf(world.emulator), tokens);
      });
});
