import assert from "node:assert/strict";
import { bodiesOf, effectsOf, failureOf, inContext, many, tokensIn } from "../../harness/providers";

/** So that the order of the groups is certain. */
const oneAtATime = { env: { USER_GROUPS_MAX_CONNECTIONS: "1" } };

describe("UserGroups, update", () => {
  it(
    "creates added groups, deletes removed ones with their token and data source, and leaves the others alone",
    inContext(oneAtATime, async ({ emulator, lines, userGroups }) => {
      const groups = { ...many(3), t0: { name: "Tenant", dataSourceProvidedId: "tab" } };
      const state = await userGroups.create({ groups });
      const { t0, ...kept } = groups;
      const current_token = tokensIn(emulator)["t0"];
      emulator.clearRequests();
      const next = await userGroups.update(state, { groups: { ...kept, added: { name: "Added" } } });
      assert.deepEqual(effectsOf(emulator).sort(), ["DELETE t0 deleted", "GET added created"]);
      const body = { user_group_id: "t0", current_token, data_source_provided_id: t0.dataSourceProvidedId };
      assert.deepEqual(bodiesOf(emulator)[0], { method: "DELETE", body });
      assert.deepEqual(next["groups"], { added: { name: "Added" }, ...kept });
      assert.deepEqual(next["tokens"], { ...tokensIn(emulator) });
      assert.deepEqual(lines, []);
    }),
  );

  it(
    "drops removed groups from the state only with removed: retain, and adopts them when they come back",
    inContext(oneAtATime, async ({ emulator, userGroups }) => {
      const state = await userGroups.create({ groups: many(3) });
      emulator.clearRequests();
      const less = await userGroups.update(state, { groups: many(1), removed: "retain" });
      assert.deepEqual([emulator.requests, less["groups"], emulator.groups.size], [[], many(1), 3]);
      const again = await userGroups.update(less, { groups: many(3), removed: "retain" });
      assert.deepEqual([again["tokens"], again["adopted"]], [state["tokens"], ["t1", "t2"]]);
    }),
  );

  for (const change of [{ name: "Renamed" }, { name: "Tenant", keepers: { rotation: "2" } }])
    it(
      `deletes a group and creates it again with ${JSON.stringify(change)}`,
      inContext(oneAtATime, async ({ emulator, userGroups }) => {
        const state = await userGroups.create({ groups: many(3) });
        emulator.clearRequests();
        const groups = { ...many(3), t1: change };
        const next = await userGroups.update(state, { groups });
        assert.deepEqual(effectsOf(emulator).sort(), ["DELETE t1 deleted", "GET t1 created"]);
        const { t0, t1, t2 } = tokensIn(emulator);
        assert.deepEqual([next["groups"], next["tokens"]], [groups, { t0, t1, t2 }]);
        assert.notDeepEqual(next["tokens"], state["tokens"]);
      }),
    );

  it(
    "changes the state only without a request",
    inContext(oneAtATime, async ({ emulator, userGroups }) => {
      const state = await userGroups.create({ groups: many(2) });
      emulator.clearRequests();
      const groups = { ...many(2), t1: { name: "Tenant", dataSourceProvidedId: "tab" } };
      const args = { groups, adopt: false };
      assert.deepEqual(await userGroups.update(state, args), { ...state, ...args });
      assert.deepEqual(emulator.requests, []);
    }),
  );

  it(
    "repairs a drift once",
    inContext(oneAtATime, async ({ emulator, userGroups }) => {
      const args = { groups: many(2) };
      const state = await userGroups.create(args);
      emulator.renameGroup("t0", "Theirs");
      const { outputs } = await userGroups.read(state);
      const next = await userGroups.update(outputs, args);
      const { t0, t1 } = tokensIn(emulator);
      assert.deepEqual(next, { ...state, tokens: { t0, t1 } });
      assert.deepEqual(await userGroups.diff(next, args), {
        changes: false,
        replaces: [],
        deleteBeforeReplace: false,
      });
    }),
  );
});

describe("UserGroups, update with changes: update", () => {
  const env = { USER_GROUPS_CHANGES: "update" };

  it(
    "changes groups in place and keeps their tokens, but recreates for keepers",
    inContext({ env, existing: "update" }, async ({ emulator, lines, userGroups }) => {
      const state = await userGroups.create({ groups: many(4) });
      emulator.clearRequests();
      const groups = {
        ...many(4),
        t1: { name: "New", mapping: { sales: 1 } },
        t2: { name: "Tenant", mapping: { sales: 2 } },
        t3: { name: "Tenant", keepers: { rotation: "1" } },
      };
      const next = await userGroups.update(state, { groups });
      assert.deepEqual(effectsOf(emulator).sort(), [
        "DELETE t3 deleted",
        "GET t1 updated",
        "GET t2 updated",
        "GET t3 created",
      ]);
      const { t0, t1, t2, t3 } = tokensIn(emulator);
      assert.deepEqual(next, { ...state, groups, tokens: { t0, t1, t2, t3 } });
      assert.match(
        lines.join(),
        /^warning: user groups "t\d", "t\d" were updated with new mappings\. The updates of the mappings can't be verified/,
      );
    }),
  );

  it(
    "fails if the service doesn't update, with the former state of that group",
    inContext({ env, existing: "keep" }, async ({ emulator, userGroups }) => {
      const state = await userGroups.create({ groups: many(2) });
      const groups = { t0: { name: "New" }, t1: { name: "Tenant" }, t2: { name: "Added" } };
      const failure = await failureOf(userGroups.update(state, { groups }));
      assert.match(
        failure.reasons.join("\n"),
        /"t0": the service still returns the former name\. .*\[update-not-applied\]/,
      );
      assert.deepEqual(failure.state, {
        ...state,
        groups: { ...many(2), t2: { name: "Added" } },
        tokens: tokensIn(emulator),
      });
    }),
  );

  it(
    "is refused with adopt: false before any request",
    inContext({ env, existing: "update" }, async ({ emulator, userGroups }) => {
      emulator.putGroup({ userGroupId: "t0", name: "Theirs" });
      const { message } = await failureOf(userGroups.create({ groups: many(1), adopt: false }));
      assert.match(message, /\[setting-conflict\]/);
      assert.equal(emulator.connections, 0);
    }),
  );
});

describe("UserGroups, an update that fails for some groups", () => {
  it(
    "records what was done, and the next update does the rest",
    inContext(oneAtATime, async ({ emulator, userGroups }) => {
      const state = await userGroups.create({ groups: many(5) });
      const wanted = {
        groups: { t1: { name: "One" }, t2: { name: "Two" }, t3: { name: "Tenant" }, t5: { name: "Five" } },
      };
      emulator.fault({ kind: "refuse", userGroupId: "t0", times: 2 }); // removed: its deletion fails
      emulator.fault({ kind: "refuse", userGroupId: "t2", method: "GET" }); // changed: deleted, but not created
      emulator.fault({ kind: "refuse", userGroupId: "t5" }); // added: not created
      const { reasons, state: partial = {} } = await failureOf(userGroups.update(state, wanted));
      assert.match(reasons[0] ?? "", /^Cannot update all user groups: 3 failed\./);
      for (const reason of ['delete user group "t0"', 'create user group "t2"', 'create user group "t5"'])
        assert.match(reasons.join("\n"), new RegExp(`^Cannot ${reason}`, "m"));
      const groups = { t0: { name: "Tenant" }, t1: { name: "One" }, t3: { name: "Tenant" } };
      assert.deepEqual([partial["groups"], partial["tokens"]], [groups, tokensIn(emulator)]);
      emulator.clearRequests();
      const done = await userGroups.update(partial, wanted);
      assert.deepEqual(effectsOf(emulator).sort(), ["DELETE t0 deleted", "GET t2 created", "GET t5 created"]);
      assert.deepEqual([done["groups"], done["tokens"]], [wanted.groups, tokensIn(emulator)]);
    }),
  );

  it(
    "stops after 20 failures in a row of a service that is down, and changes no state",
    inContext({ env: { USER_GROUPS_MAX_CONNECTIONS: "2", USER_GROUPS_TIMEOUT: "0.3" } }, async (context) => {
      const { emulator, userGroups } = context;
      const state = await userGroups.create({ groups: many(100) });
      const changed = Object.fromEntries(
        Array.from({ length: 50 }, (_, n) => [`t${2 * n}`, { name: "New" }]),
      );
      emulator.fault({ kind: "status", status: 503, times: Infinity });
      const failure = await failureOf(userGroups.update(state, { groups: { ...many(100), ...changed } }));
      assert.deepEqual(failure.state, state);
      assert.match(failure.reasons[0] ?? "", /: 2[01] failed, and (30|29) were not tried\./);
    }),
  );

  it(
    "repeats what a killed update has done already, deletions and creations",
    inContext(oneAtATime, async ({ emulator, userGroups }) => {
      const state = await userGroups.create({ groups: many(4) });
      const former = tokensIn(emulator);
      emulator.removeGroup("t0"); // was removed
      emulator.removeGroup("t1"); // was changed: is deleted
      emulator.removeGroup("t2"); // was changed: is created with its new values
      emulator.putGroup({ userGroupId: "t2", name: "New" });
      emulator.rotateToken("t3"); // is removed, and has another token: somebody else's
      const wanted = { groups: { t1: { name: "New" }, t2: { name: "New" } } };
      const failure = await failureOf(userGroups.update(state, wanted));
      assert.match(
        failure.reasons.join("\n"),
        /: 1 failed\. .*\nCannot delete user group "t3": the service refused/s,
      );
      assert.deepEqual([...emulator.groups.keys()].sort(), ["t1", "t2", "t3"]);
      const { t1, t2 } = tokensIn(emulator);
      const { t3 } = former;
      assert.deepEqual(failure.state?.["groups"], { ...wanted.groups, t3: { name: "Tenant" } });
      assert.deepEqual(failure.state["tokens"], { t1, t2, t3 });
    }),
  );
});

describe("UserGroups of any size", () => {
  it(
    "need as many requests and as many bytes of state for each group",
    inContext({ env: { USER_GROUPS_MAX_CONNECTIONS: "5" } }, async ({ emulator, userGroups }) => {
      const sizes: number[] = [];
      for (const count of [25, 100]) {
        const requestsOf = async <Result>(operation: () => Promise<Result>, expected: number) => {
          emulator.clearRequests();
          const result = await operation();
          assert.equal(emulator.requests.length, expected);
          return result;
        };
        const args = { groups: many(count) };
        const state = await requestsOf(() => userGroups.create(args), count);
        sizes.push(JSON.stringify(state).length / count);
        await requestsOf(() => userGroups.read(state), count);
        await requestsOf(() => userGroups.update(state, args), 0);
        const renamed = { groups: many(count, { name: "Renamed" }) };
        const next = await requestsOf(() => userGroups.update(state, renamed), 2 * count);
        await requestsOf(() => userGroups.delete(next), count);
        assert.equal(emulator.groups.size, 0);
      }
      const [few = 0, more = Infinity] = sizes;
      assert(Math.abs(more - few) < 4, `${few} and ${more} bytes a group`);
      assert.deepEqual([emulator.connections, emulator.peakConnections], [5, 5]);
    }),
  );
});
