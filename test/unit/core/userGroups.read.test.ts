import assert from "node:assert/strict";
import { effectsOf, failureOf, inContext, many, tokensIn } from "../../harness/providers";

/** So that the order of the groups is certain. */
const oneAtATime = { env: { USER_GROUPS_MAX_CONNECTIONS: "1" } };

describe("UserGroups, read", () => {
  it(
    "leaves a state as it is that is still true",
    inContext({ emptyProperties: "null" }, async ({ emulator, lines, userGroups }) => {
      const groups = {
        acme: { name: "Acme", mapping: { sales: 1 }, dataSourceProvidedId: "tab" },
        ...many(3),
      };
      const args = { groups, deletionLimit: 2 };
      const state = await userGroups.create(args);
      emulator.clearRequests();
      assert.deepEqual(await userGroups.read(state), { outputs: state, inputs: args });
      assert.equal(emulator.requests.filter(({ effect }) => effect === "returned").length, 4);
      assert.deepEqual(lines, []);
    }),
  );

  it(
    "records other tokens, and drifts as outputs and inputs, until they are undone",
    inContext(oneAtATime, async ({ emulator, userGroups }) => {
      const args = { groups: many(4, { name: "Tenant", properties: { region: "eu" } }) };
      const state = await userGroups.create(args);
      emulator.renameGroup("t0", "Theirs");
      emulator.putGroup({ userGroupId: "t1", name: "Tenant", properties: { region: "us" } });
      emulator.rotateToken("t2");
      const { outputs, inputs } = await userGroups.read(state);
      const groups = {
        ...args.groups,
        t0: { name: "Theirs", properties: { region: "eu" } },
        t1: { name: "Tenant", properties: { region: "us" } },
      };
      const sent = { t0: { name: "Tenant" }, t1: { properties: { region: "eu" } } };
      assert.deepEqual(outputs, { ...state, groups, tokens: tokensIn(emulator), sent });
      assert.deepEqual(inputs, { groups });
      for (const userGroupId of ["t0", "t1"])
        emulator.putGroup({ userGroupId, name: "Tenant", properties: { region: "eu" } });
      const undone = { outputs: { ...state, tokens: tokensIn(emulator) }, inputs: args };
      assert.deepEqual(await userGroups.read(outputs), undone);
    }),
  );

  it(
    "creates groups again that are gone, says so in one line, and no longer counts them as adopted",
    inContext(oneAtATime, async ({ emulator, lines, userGroups }) => {
      for (const userGroupId of ["t0", "t1"]) emulator.putGroup({ userGroupId, name: "Tenant" });
      const state = await userGroups.create({ groups: many(4) });
      assert.deepEqual(state["adopted"], ["t0", "t1"]);
      for (const id of ["t0", "t2"]) emulator.removeGroup(id);
      const { outputs } = await userGroups.read(state);
      assert.deepEqual(outputs, { ...state, tokens: tokensIn(emulator), adopted: ["t1"] });
      assert.equal(lines.length, 2);
      assert.match(
        lines[1] ?? "",
        /user groups "t0", "t2" didn't exist in the service\. They were created again, with new tokens/,
      );
    }),
  );

  it(
    "fails if a group can't be read, records nothing, and can be repeated",
    inContext(oneAtATime, async ({ emulator, userGroups }) => {
      const state = await userGroups.create({ groups: many(3) });
      emulator.fault({ kind: "refuse", userGroupId: "t1" });
      const failure = await failureOf(userGroups.read(state));
      assert.equal(failure.state, undefined);
      assert.match(
        failure.message,
        /^Cannot read all user groups: 1 failed\..*"t1".*Nothing was recorded\. Run the same/,
      );
      assert.deepEqual((await userGroups.read(state)).outputs, state);
    }),
  );
});

describe("UserGroups, delete", () => {
  it(
    "deletes every group with its own token",
    inContext(oneAtATime, async ({ emulator, userGroups }) => {
      const state = await userGroups.create({ groups: many(3) });
      emulator.clearRequests();
      await userGroups.delete(state);
      assert.deepEqual(effectsOf(emulator).sort(), [
        "DELETE t0 deleted",
        "DELETE t1 deleted",
        "DELETE t2 deleted",
      ]);
    }),
  );

  it(
    "goes on if one fails, says what helps, and deletes the rest when it is repeated",
    inContext({ env: { USER_GROUPS_MAX_CONNECTIONS: "1" } }, async ({ emulator, userGroups }) => {
      const state = await userGroups.create({ groups: many(4) });
      emulator.rotateToken("t1");
      emulator.fault({ kind: "refuse", status: 404, method: "DELETE", userGroupId: "t2" });
      const { code, message } = await failureOf(userGroups.delete(state));
      assert.equal(code, "partial-failure");
      assert.match(
        message,
        /^Cannot delete all user groups: 2 failed\. Cannot delete user group "t1": the service refused/,
      );
      assert.match(
        message,
        /The state still has every group, including the deleted ones\. .*pulumi up alone sees no diff/,
      );
      assert.deepEqual([...emulator.groups.keys()], ["t1", "t2"]);
      await userGroups.delete((await userGroups.read(state)).outputs);
      assert.equal(emulator.groups.size, 0);
    }),
  );

  it(
    "is refused, as read and update are, at another address than the state's",
    inContext(oneAtATime, async ({ environment, userGroups }) =>
      inContext(oneAtATime, async ({ emulator: other }) => {
        const state = await userGroups.create({ groups: many(2) });
        environment["USER_GROUPS_BASE_URL"] = other.baseUrl;
        environment["USER_GROUPS_API_TOKEN"] = other.apiToken;
        for (const operation of [
          userGroups.read(state),
          userGroups.update(state, { groups: {} }),
          userGroups.delete(state),
        ])
          assert.equal((await failureOf(operation)).code, "service-changed");
        assert.equal(other.connections, 0);
      })(),
    ),
  );
});
