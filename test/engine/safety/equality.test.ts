import assert from "node:assert/strict";
import { newWorld, requestsTo, stepsOf, succeeds, tokensOf, type Result } from "../harness";
import { changedField } from "../../harness/responseFaults";

const resources = ["empty", "null", "unset", "many"];

/** The values of `mapping` and `properties` take turns: each of the three becomes each other one. */
describe("{}, null and unset", () => {
  const world = newWorld(() => ({ program: turns }));
  let bodies: ReadonlyMap<unknown, unknown>;
  let formerTokens: Readonly<Record<string, string>>;
  let results: readonly Result[];
  before("an up, and a preview and an up of each turn", async () => {
    const { stack, emulator } = world;
    succeeds(await stack.up({ env: { TURN: "0" } }));
    bodies = new Map(emulator.requests.map(({ userGroupId, body }) => [userGroupId, body]));
    formerTokens = tokensOf(emulator);
    emulator.clearRequests();
    results = [
      await stack.preview({ env: { TURN: "1" } }),
      await stack.up({ env: { TURN: "1" } }),
      await stack.up({ env: { TURN: "2" } }),
    ];
  });

  it("are sent alike", () => {
    for (const id of ["empty", "null", "many-empty", "many-unset"])
      assert.deepEqual(bodies.get(id), { user_group_id: id, name: "Tenant" });
  });

  it("are no change of each other", () => {
    for (const result of results)
      for (const name of resources) assert.deepEqual(stepsOf(succeeds(result), name), ["same"], name);
    assert.deepEqual(requestsTo(world.emulator), []);
    assert.deepEqual(tokensOf(world.emulator), formerTokens);
  });
});

const shapes = { empty: {}, null: null, absent: undefined };

describe("properties that a response shows as {}, null or not at all", () => {
  const world = newWorld(() => ({ program: drifting }));
  const groupsOf = (shape: string) => [`single-${shape}`, `many-${shape}`];
  const refreshWith = async (properties?: Readonly<Record<string, unknown>>) => {
    for (const userGroupId of Object.keys(shapes).flatMap(groupsOf))
      world.emulator.putGroup({ userGroupId, name: "Tenant", ...(properties && { properties }) });
    succeeds(await world.stack.refresh());
  };
  const hide = (userGroupId: string, value: unknown) => {
    world.emulator.fault({
      ...changedField("user_group.properties", value),
      userGroupId,
      times: Infinity,
    });
  };
  let drifted: Result;
  let preview: Result;
  before("properties added outside and removed again, each refreshed", async () => {
    for (const shape of ["null", "absent"] as const) hide(`kept-${shape}`, shapes[shape]);
    succeeds(await world.stack.up());
    await refreshWith({ region: "eu" });
    drifted = succeeds(await world.stack.preview());
    for (const [shape, value] of Object.entries(shapes)) for (const id of groupsOf(shape)) hide(id, value);
    await refreshWith();
    preview = succeeds(await world.stack.preview());
  });

  for (const shape of Object.keys(shapes))
    it(`are no change after they were added and removed outside: ${shape}`, () => {
      const [single = "", many = ""] = groupsOf(shape);
      assert.deepEqual([stepsOf(drifted, single).length, stepsOf(drifted, many)], [3, ["update"]]);
      assert.deepEqual([stepsOf(preview, single), stepsOf(preview, many)], [["same"], ["same"]]);
    });

  it("are no drift of those that the program sets", () => {
    for (const name of ["kept-null", "kept-absent"])
      assert.deepEqual([stepsOf(drifted, name), stepsOf(preview, name)], [["same"], ["same"]]);
  });
});

const turns = `
  const { UserGroup, UserGroups } = require("pulumi-user-groups");

  const name = "Tenant";
  const values = [{ mapping: {}, properties: {} }, { mapping: null, properties: null }, {}];
  const valueOf = (n) => values[(n + Number(process.env.TURN)) % values.length];
  ["empty", "null", "unset"].forEach((id, n) => new UserGroup(id, { userGroupId: id, name, ...valueOf(n) }));
  const groups = ["many-empty", "many-null", "many-unset"].map((id, n) => [id, { name, ...valueOf(n) }]);
  new UserGroups("many", { groups: Object.fromEntries(groups) });
`;

const drifting = `
  const { UserGroup, UserGroups } = require("pulumi-user-groups");

  const name = "Tenant";
  for (const shape of ["empty", "null", "absent"]) {
    new UserGroup("single-" + shape, { userGroupId: "single-" + shape, name });
    new UserGroups("many-" + shape, { groups: { ["many-" + shape]: { name } } });
  }
  for (const id of ["kept-null", "kept-absent"])
    new UserGroup(id, { userGroupId: id, name, properties: { seats: 1 } });
`;
