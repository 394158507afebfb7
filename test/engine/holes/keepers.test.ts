import assert from "node:assert/strict";
import {
  errorOf,
  fails,
  newWorld,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
  warningsOf,
  type Result,
} from "../harness";

const ids = ["single", "of-many"];

describe("keepers", () => {
  const world = newWorld(() => ({ program }));
  const up = (rotation: string, changes = "replace") => {
    world.emulator.clearRequests();
    return world.stack.up({ env: { ROTATION: rotation, USER_GROUPS_CHANGES: changes } });
  };
  let bodies: unknown[];
  let formerTokens: Readonly<Record<string, string>>;
  before("groups with keepers", async () => {
    succeeds(await up("1"));
    bodies = world.emulator.requests.map(({ body }) => body);
    formerTokens = tokensOf(world.emulator);
  });

  it("are recorded, and not sent to the service", async () => {
    assert.equal(bodies.length, 4);
    assert(!JSON.stringify(bodies).includes("keepers"));
    assert.deepEqual((await world.stack.resource("single")).outputs["keepers"], { rotation: "1" });
  });

  it("must be an object of strings, else the preview fails", async () => {
    const preview = fails(await world.stack.preview({ env: { ROTATION: "1", WRONG: "yes" } }));
    assert.match(errorOf(preview, "wrong"), /keepers\.rotation .*must be a string/);
  });

  for (const [rotation, changes] of [
    ["2", "replace"],
    ["3", "update"],
  ] as const)
    describe(`changed, where changes is ${changes}`, () => {
      let preview: Result;
      before("a preview and an up", async () => {
        formerTokens = tokensOf(world.emulator);
        preview = succeeds(
          await world.stack.preview({ env: { ROTATION: rotation, USER_GROUPS_CHANGES: changes } }),
        );
        succeeds(await up(rotation, changes));
      });

      it("announce the new token in the preview", () => {
        assert.deepEqual(stepsOf(preview, "single"), ["delete-replaced", "replace", "create-replacement"]);
        const warnings = warningsOf(preview);
        assert(
          warnings.some((line) => /"single".*new token.*keepers/.test(line)),
          warnings.join("\n"),
        );
        assert(
          warnings.some((line) => /1 to .*(new|another) token.*"of-many"/.test(line)),
          warnings.join("\n"),
        );
      });

      it("delete the group and create it again, with a new token", async () => {
        const tokens = tokensOf(world.emulator);
        for (const id of ids) {
          assert.deepEqual(requestsTo(world.emulator, id), [
            `DELETE "${id}" deleted 200`,
            `GET "${id}" created 200`,
          ]);
          assert.notEqual(tokens[id], formerTokens[id]);
        }
        assert.deepEqual(await world.stack.plainOutputs(), { tokens });
      });

      it("that are empty equal those that aren't set", () => {
        for (const id of ["empty", "empty-of-many"]) assert.deepEqual(requestsTo(world.emulator, id), []);
        assert.deepEqual(stepsOf(preview, "empty"), ["same"]);
      });
    });
});

/** Of the groups named "empty" some have empty keepers, then none, then empty ones again. */
const program = `
  const { UserGroup, UserGroups } = require("pulumi-user-groups");

  const { ROTATION: rotation, WRONG } = process.env;
  const name = "Tenant";
  const keepers = { rotation };
  const none = rotation === "2" ? {} : { keepers: {} };
  const single = new UserGroup("single", { userGroupId: "single", name, keepers });
  const empty = new UserGroup("empty", { userGroupId: "empty", name, ...none });
  const many = new UserGroups("many", {
    groups: { "of-many": { name, keepers }, "empty-of-many": { name, ...none } },
  });
  if (WRONG) new UserGroup("wrong", { userGroupId: "wrong", name, keepers: { rotation: 1 } });
  exports.tokens = {
    single: single.token,
    empty: empty.token,
    "of-many": many.tokens["of-many"],
    "empty-of-many": many.tokens["empty-of-many"],
  };
`;
