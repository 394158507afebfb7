import assert from "node:assert/strict";
import type { Emulator, Fault } from "../../../provider/src/testing";
import { errorOf, newWorld, requestsTo, succeeds, tokensOf, type Result } from "../harness";
import { cutOff, noResponse } from "../../harness/responseFaults";

/** Faults of a first attempt that leave open whether the service created the group. */
const faults: Readonly<Record<string, Fault>> = {
  "status-before": { kind: "status", status: 503, when: "before" },
  "status-after": { kind: "status", status: 503, when: "after" },
  "dropped-before": { kind: "drop", when: "before" },
  "dropped-after": { kind: "drop", when: "after" },
  "timed-out-before": noResponse("before"),
  "timed-out-after": noResponse("after"),
  "cut-off": cutOff(),
};
const ambiguous = Object.keys(faults);

/** The faults after which the group is there only if somebody else has created it. */
const isForeign = (id: string) => id.includes("before");

describe("adopt: false, after an attempt whose effect is unknown", () => {
  const world = newWorld((emulator) => {
    prepare(emulator, "one-");
    prepare(emulator, "many-");
    return { program, env: { USER_GROUPS_TIMEOUT: "12" } };
  });
  let up: Result;
  let held: Record<string, string>;
  before(async () => {
    up = await world.stack.up({ flags: ["--continue-on-error", "--parallel", "32"] });
    held = tokensOf(world.emulator);
  });

  for (const id of ambiguous) {
    it(`refuses a group that is there then: ${id}`, () => {
      const error = errorOf(up, `one-${id}`);
      assert.match(error, /Cannot create user group.*\[adoption-ambiguous\]/);
      assert.match(error, /an earlier attempt may have created it/);
    });

    it(`refuses it in UserGroups: ${id}`, () => {
      const line = errorOf(up, "many")
        .split("\n")
        .find((each) => each.includes(`"many-${id}"`));
      assert.match(line ?? "", /\[adoption-ambiguous\]/);
      assert.match(line ?? "", /an earlier attempt may have created it/);
    });
  }

  it("records none of them", async () => {
    const names = (await world.stack.resources()).map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => name.startsWith("one-")),
      ["one-new"],
    );
    const { outputs } = await world.stack.resource("many");
    assert.deepEqual(outputs["groups"], { "many-new": { name: "Tenant" } });
  });

  it("records a group that the service says is new", async () => {
    for (const id of ["one-new", "many-new"]) {
      assert.deepEqual(requestsTo(world.emulator, id), [
        `GET "${id}" none 503 [fault: status]`,
        `GET "${id}" created 200`,
      ]);
    }
    assert.equal((await world.stack.resource("one-new")).outputs["adopted"], false);
    assert.deepEqual((await world.stack.resource("many")).outputs["adopted"], []);
  });

  it("leaves them alone when the stack is destroyed", async () => {
    succeeds(await world.stack.destroy());
    const { "one-new": _one, "many-new": _many, ...others } = held;
    assert.deepEqual(tokensOf(world.emulator), others);
  });
});

function prepare(emulator: Emulator, prefix: string): void {
  for (const [id, fault] of Object.entries(faults)) {
    const userGroupId = prefix + id;
    if (isForeign(id)) emulator.putGroup({ userGroupId, name: "Tenant" });
    emulator.fault({ ...fault, userGroupId });
  }
  emulator.fault({ kind: "status", status: 503, userGroupId: `${prefix}new` });
}

const program = `
  const { UserGroup, UserGroups } = require("pulumi-user-groups");
  const ids = ${JSON.stringify([...ambiguous, "new"])};
  for (const id of ids) new UserGroup("one-" + id, { userGroupId: "one-" + id, name: "Tenant", adopt: false });
  const groups = Object.fromEntries(ids.map((id) => ["many-" + id, { name: "Tenant" }]));
  new UserGroups("many", { groups, adopt: false });
`;
