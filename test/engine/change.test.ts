import assert from "node:assert/strict";
import {
  newWorld,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
  valuesOf,
  warningsOf,
  type Result,
} from "./harness";

const replacement = ["delete-replaced", "replace", "create-replacement"];
const untouched = ["strict", "reordered", "sourced"];

describe("a change", () => {
  const world = newWorld(() => ({ program: original }));
  let formerTokens: Record<string, string>;
  let preview: Result;
  let up: Result;
  before(async () => {
    succeeds(await world.stack.up());
    formerTokens = tokensOf(world.emulator);
    world.emulator.clearRequests();
    await world.stack.program(changed);
    preview = succeeds(await world.stack.preview({ flags: ["--diff"] }));
    assert.deepEqual(requestsTo(world.emulator), []);
    world.emulator.rotateToken("stale");
    up = succeeds(await world.stack.up());
  });

  for (const { id, of, shown } of [
    { id: "renamed", of: "name", shown: /~ name *: "Before" => "After"/ },
    { id: "mapped", of: "mapping", shown: /~ sales: "one" => "two"/ },
    { id: "propertied", of: "properties", shown: /~ seats: 1 => 2/ },
    { id: "emptied", of: "mapping and properties", shown: /- region: "eu"/ },
  ]) {
    describe(`of ${of}`, () => {
      it("is shown in the preview, with one line that says what it means", () => {
        assert.match(preview.output, shown);
        const [warning, ...others] = warningsOf(preview).filter((each) => each.includes(`"${id}"`));
        assert.match(warning ?? "", new RegExp(`deleted and created again.*new token.*${of} change`));
        assert.deepEqual(others, []);
      });

      it("deletes the group, and then creates it with another token", () => {
        assert.deepEqual(stepsOf(up, id), replacement);
        assert.deepEqual(requestsTo(world.emulator, id), [
          `DELETE "${id}" deleted 200`,
          `GET "${id}" created 200`,
        ]);
        assert.notEqual(tokensOf(world.emulator)[id], formerTokens[id]);
      });
    });
  }

  it("reaches the service and the record", async () => {
    const changes = {
      renamed: { name: "After" },
      mapped: { mapping: { sales: "two", stock: 3 } },
      propertied: { properties: { plan: { seats: 2 } } },
      emptied: {},
    };
    for (const [id, change] of Object.entries(changes)) {
      const wanted = { name: "Tenant", mapping: undefined, properties: undefined, ...change };
      assert.deepEqual(valuesOf((await world.stack.resource(id)).outputs), wanted);
      assert.deepEqual(valuesOf({ ...world.emulator.groups.get(id) }), wanted);
    }
  });

  it("of a group whose token is another by now deletes it all the same, since it is created again", () => {
    assert.deepEqual(requestsTo(world.emulator, "stale"), [
      'DELETE "stale" refused 200 (current_token does not fit)',
      'GET "stale" returned 200',
      'DELETE "stale" deleted 200',
      'GET "stale" created 200',
    ]);
    assert.equal(world.emulator.groups.get("stale")?.name, "After");
  });

  describe("of userGroupId", () => {
    it("creates the new group before it deletes the old one", () => {
      assert.deepEqual(stepsOf(up, "moved"), ["create-replacement", "replace", "delete-replaced"]);
      const requests = requestsTo(world.emulator).filter((each) => each.includes("moved"));
      assert.deepEqual(requests, ['GET "moved-on" created 200', 'DELETE "moved" deleted 200']);
      assert(!warningsOf(preview).join("").includes("moved"));
    });

    it("becomes the ID of the resource", async () => {
      const { id, outputs } = await world.stack.resource("moved");
      assert.deepEqual([id, outputs["userGroupId"]], ["moved-on", "moved-on"]);
    });
  });

  describe("of the order of keys", () => {
    it("is none", () => {
      assert.deepEqual(stepsOf(preview, "reordered"), ["same"]);
      assert.deepEqual(stepsOf(up, "reordered"), ["same"]);
    });
  });

  describe("of dataSourceProvidedId and adopt", () => {
    it("is one of the record, without a request", async () => {
      assert.deepEqual(stepsOf(up, "sourced"), ["update"]);
      assert.deepEqual(stepsOf(up, "strict"), ["update"]);
      assert.equal((await world.stack.resource("sourced")).outputs["dataSourceProvidedId"], "tab-2");
      assert.equal((await world.stack.resource("strict")).outputs["adopt"], false);
    });
  });

  it("that needs no replacement asks nothing of the service and keeps the token", () => {
    for (const id of untouched) {
      assert.deepEqual(requestsTo(world.emulator, id), []);
      assert.equal(tokensOf(world.emulator)[id], formerTokens[id]);
    }
  });

  it("gives the program the tokens that the service now holds", async () => {
    assert.deepEqual(await world.stack.plainOutputs(), { tokens: tokensOf(world.emulator) });
  });

  describe("followed by a destroy", () => {
    it("deletes with the token and the data source of today", async () => {
      world.emulator.clearRequests();
      succeeds(await world.stack.destroy());
      assert.equal(world.emulator.groups.size, 0);
      assert(world.emulator.requests.every(({ effect }) => effect === "deleted"));
      const { body } = world.emulator.requests.find(({ userGroupId }) => userGroupId === "sourced") ?? {};
      assert.deepEqual(body, {
        user_group_id: "sourced",
        current_token: formerTokens["sourced"],
        data_source_provided_id: "tab-2",
      });
    });
  });
});

function programOf(groups: string): string {
  return `
    const { UserGroup } = require("pulumi-user-groups");
    const tokens = {};
    const groups = ${groups};
    for (const [name, args] of Object.entries(groups)) {
      const { token } = new UserGroup(name, { userGroupId: name, name: "Tenant", ...args });
      tokens[args.userGroupId ?? name] = token;
    }
    exports.tokens = tokens;
  `;
}

const original = programOf(`{
  renamed: { name: "Before" },
  stale: { name: "Before" },
  mapped: { mapping: { sales: "one", stock: 3 } },
  propertied: { properties: { plan: { seats: 1 } } },
  emptied: { mapping: { sales: "one" }, properties: { region: "eu" } },
  moved: {},
  reordered: { mapping: { a: 1, b: "2" }, properties: { x: { p: 1, q: [1, 2] }, y: null } },
  sourced: { dataSourceProvidedId: "tab-1" },
  strict: {},
}`);

const changed = programOf(`{
  renamed: { name: "After" },
  stale: { name: "After" },
  mapped: { mapping: { sales: "two", stock: 3 } },
  propertied: { properties: { plan: { seats: 2 } } },
  emptied: {},
  moved: { userGroupId: "moved-on" },
  reordered: { properties: { y: null, x: { q: [1, 2], p: 1 } }, mapping: { b: "2", a: 1 } },
  sourced: { dataSourceProvidedId: "tab-2" },
  strict: { adopt: false },
}`);
