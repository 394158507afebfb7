import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../../provider/src/testing";
import { newWorld, requestsTo, stepsOf, succeeds, tokensOf } from "../harness";
import { bothResources, normalized, oddSpelling } from "./addresses";

const replacement = ["create-replacement", "replace", "delete-replaced"];
const ids = ["first", "second", "single"];

/** First to a service with another address, then to that address in another spelling. */
describe("a changed connection", () => {
  let other: Emulator;
  before("another service", async () => {
    other = await startEmulator({ basePath: "/tenant" });
  });
  const world = newWorld(() => ({
    program: bothResources,
    services: [other],
    env: {
      USER_GROUPS_OTHER_BASE_URL: normalized(other),
      USER_GROUPS_OTHER_API_TOKEN: other.apiToken,
      USER_GROUPS_RENAMED_BASE_URL: oddSpelling(other),
      USER_GROUPS_RENAMED_API_TOKEN: other.apiToken,
    },
  }));
  after("its end", () => other.stop());
  const connect = async (connection: string) => {
    for (const service of [world.emulator, other]) service.clearRequests();
    const up = succeeds(await world.stack.up({ env: { CONNECTION: connection } }));
    return [stepsOf(up, "single"), stepsOf(up, "many")];
  };
  let steps: unknown;
  before("groups, and a connection to the other service", async () => {
    succeeds(await world.stack.up());
    steps = await connect("other");
  });

  it("creates in the new service before it deletes in the old one where the addresses differ", () => {
    assert.deepEqual(steps, [replacement, replacement]);
    assert.deepEqual(
      requestsTo(other).sort(),
      ids.map((id) => `GET "${id}" created 200`),
    );
    assert.deepEqual(
      requestsTo(world.emulator).sort(),
      ids.map((id) => `DELETE "${id}" deleted 200`),
    );
  });

  it("is an update without a request where the addresses differ by case and a slash at the end", async () => {
    const tokens = tokensOf(other);
    const renamed = await connect("renamed");
    assert.deepEqual(tokensOf(other), tokens);
    assert.deepEqual(renamed, [["update"], ["update"]]);
    assert.deepEqual([requestsTo(world.emulator), requestsTo(other)], [[], []]);
    for (const name of ["single", "many"])
      assert.equal((await world.stack.resource(name)).outputs["connection"], "renamed");
  });
});
