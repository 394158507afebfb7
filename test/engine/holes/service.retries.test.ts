import assert from "node:assert/strict";
import type { Emulator } from "../../../provider/src/testing";
import { fails, newWorld, requestsTo, succeeds } from "../harness";

const env = { USER_GROUPS_TIMEOUT: "5" };

describe("the statuses 501 and 505", () => {
  const world = newWorld(() => ({ program, env }));
  const order = (emulator: Emulator, method: "GET" | "DELETE") => {
    emulator.clearRequests();
    for (const status of [501, 505])
      for (const kind of ["one", "many"])
        emulator.fault({ kind: "status", status, method, userGroupId: `${kind}-${status}`, times: Infinity });
  };
  const onceEach = (method: "GET" | "DELETE") =>
    ["many-501", "many-505", "one-501", "one-505"].map(
      (id) => `${method} "${id}" none ${id.slice(-3)} [fault: status]`,
    );
  const continueOnError = { flags: ["--continue-on-error"] };

  it("end a creation at once", async () => {
    order(world.emulator, "GET");
    fails(await world.stack.up(continueOnError));
    assert.deepEqual(requestsTo(world.emulator).sort(), onceEach("GET"));
  });

  it("end a deletion at once", async () => {
    world.emulator.clearFaults();
    succeeds(await world.stack.up());
    order(world.emulator, "DELETE");
    fails(await world.stack.destroy(continueOnError));
    assert.deepEqual(requestsTo(world.emulator).sort(), onceEach("DELETE"));
  });
});

const program = `
  const { UserGroup, UserGroups } = require("pulumi-user-groups");
  const name = "Tenant";
  for (const userGroupId of ["one-501", "one-505"]) new UserGroup(userGroupId, { userGroupId, name });
  new UserGroups("many", { groups: { "many-501": { name }, "many-505": { name } } });
`;
