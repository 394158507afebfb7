import assert from "node:assert/strict";
import { GroupsState } from "../../../provider/src/core/groupsState";
import { parseUserGroupsState } from "../../../provider/src/core/state";
import { withoutUndefined as json } from "../json";

const state = {
  groups: { a: { name: "A", properties: { region: "eu" } }, b: { name: "B" } },
  tokens: { a: "token-a", b: "token-b" },
  adopted: ["b"],
  shown: { a: { name: "a", properties: "digest" } },
  sent: { b: { name: "b", properties: {} } },
};

function from(outputs: object): GroupsState {
  return GroupsState.from(parseUserGroupsState({ ...outputs }));
}

describe("the state of many groups", () => {
  it("returns what it was made from, with the other arguments and the address", () => {
    const shared = { adopt: false, removed: "retain", deletionLimit: 0, connection: "eu" };
    const baseUrl = "https://groups.example";
    assert.deepEqual(json(from(state).outputs(shared, baseUrl)), { ...shared, ...state, baseUrl });
    assert.deepEqual(json(from(state).inputs(shared)), { ...shared, groups: state.groups });
    assert.deepEqual(json(from({ groups: {}, tokens: {} }).outputs({}, undefined)), {
      groups: {},
      tokens: {},
      adopted: [],
    });
  });

  it("shows the groups by ID, in whatever order they were added", () => {
    const groups = new GroupsState();
    for (const userGroupId of ["b", "a", "B", "10", "9"])
      groups.put({
        userGroupId,
        name: "Tenant",
        token: `token-${userGroupId}`,
        adopted: userGroupId !== "a",
      });
    const outputs = parseUserGroupsState(groups.outputs({}, undefined));
    assert.deepEqual(Object.keys(outputs.tokens), Object.keys(outputs.groups));
    assert.deepEqual(outputs.adopted, ["10", "9", "B", "b"]);
  });

  it("doesn't take what every object has for groups or tokens", () => {
    const ids = ["constructor", "toString", "hasOwnProperty", "a.b"];
    const groups = Object.fromEntries(ids.map((id) => [id, { name: id }]));
    const tokens = Object.fromEntries(ids.map((id) => [id, `token-${id}`]));
    assert.deepEqual(json(from({ groups, tokens }).outputs({}, undefined)), { groups, tokens, adopted: [] });
    assert.equal(new GroupsState().group("constructor"), undefined);
  });

  it("refuses a group without a token, by name", () => {
    assert.throws(() => from({ ...state, groups: { ...state.groups, constructor: { name: "C" } } }), {
      code: "state-invalid",
      message: /user group "constructor".*no token/,
    });
  });
});
