import assert from "node:assert/strict";
import { bodiesOf, effectsOf, failureOf, inContext, many, tokensIn } from "../../harness/providers";
import { changedField, otherGroup } from "../../harness/responseFaults";

/** So that the order of the groups is certain. */
const oneAtATime = { env: { USER_GROUPS_MAX_CONNECTIONS: "1" } };

describe("UserGroups, create", () => {
  it(
    "sends the values of each group, and records them with the tokens and the address",
    inContext(oneAtATime, async ({ emulator, lines, userGroups }) => {
      const acme = { name: "Acme", mapping: { sales: "one", 7: 42 }, properties: { region: "eu" } };
      const groups = {
        acme: { ...acme, dataSourceProvidedId: "tab", keepers: { a: "1" } },
        globex: { name: "Globex" },
      };
      const args = { groups, removed: "retain", deletionLimit: 1, adopt: false };
      const { baseUrl } = emulator;
      assert.deepEqual(await userGroups.create(args), {
        ...args,
        tokens: tokensIn(emulator),
        adopted: [],
        baseUrl,
      });
      assert.deepEqual(bodiesOf(emulator), [
        { method: "GET", body: { user_group_id: "acme", ...acme } },
        { method: "GET", body: { user_group_id: "globex", name: "Globex" } },
      ]);
      assert.deepEqual(lines, []);
    }),
  );

  it(
    "adopts groups that exist, with their values as drift, and says so in one line for all",
    inContext(oneAtATime, async ({ emulator, lines, userGroups }) => {
      for (const userGroupId of ["t0", "t1"]) emulator.putGroup({ userGroupId, name: "Tenant" });
      emulator.putGroup({ userGroupId: "t2", name: "Theirs", properties: { region: "us" } });
      const former = tokensIn(emulator);
      const { groups, adopted, tokens, sent } = await userGroups.create({ groups: many(5) });
      assert.deepEqual(adopted, ["t0", "t1", "t2"]);
      assert.deepEqual(tokens, { ...tokensIn(emulator), ...former });
      assert.deepEqual(groups, { ...many(5), t2: { name: "Theirs", properties: { region: "us" } } });
      assert.deepEqual(sent, { t2: { name: "Tenant", properties: {} } });
      assert.equal(lines.length, 2);
      assert.match(
        lines[0] ?? "",
        /user groups "t0", "t1", "t2" existed before and are adopted.*can't be verified/,
      );
      assert.match(lines[1] ?? "", /"t2" has a different name or different properties/);
    }),
  );

  it(
    "records what it sent and what the service shows instead, and settles",
    inContext(
      { normalize: (values) => ({ ...values, name: values.name.toUpperCase() }) },
      async ({ emulator, userGroups }) => {
        const args = { groups: many(2) };
        const state = await userGroups.create(args);
        const shown = { name: "TENANT" };
        const { baseUrl } = emulator;
        const tokens = tokensIn(emulator);
        assert.deepEqual(state, { ...args, tokens, adopted: [], baseUrl, shown: { t0: shown, t1: shown } });
        assert.deepEqual(await userGroups.read(state), { outputs: state, inputs: args });
      },
    ),
  );

  it(
    "with adopt: false refuses the groups that exist, or may have, and creates the others",
    inContext(oneAtATime, async ({ emulator, userGroups }) => {
      emulator.putGroup({ userGroupId: "t1", name: "Tenant" });
      emulator.fault({ kind: "drop", when: "after", userGroupId: "t2" });
      const { state, reasons } = await failureOf(userGroups.create({ groups: many(4), adopt: false }));
      assert.deepEqual(state?.["groups"], { t0: { name: "Tenant" }, t3: { name: "Tenant" } });
      assert.match(reasons.join("\n"), /"t1": it exists, and adopt is false.*\[adoption-refused\]/);
      assert.match(reasons.join("\n"), /"t2": .*\[adoption-ambiguous\]/);
      assert.equal(emulator.groups.size, 4);
    }),
  );

  it(
    "records the groups that were created if others fail, and the next update does the rest",
    inContext(oneAtATime, async ({ emulator, userGroups }) => {
      emulator.fault({ kind: "refuse", userGroupId: "t1" });
      emulator.fault({ ...otherGroup(emulator), userGroupId: "t4" });
      const { code, state = {}, reasons } = await failureOf(userGroups.create({ groups: many(6) }));
      assert.equal(code, "partial-failure");
      const { t1, t4, ...tokens } = tokensIn(emulator);
      assert.deepEqual([state["tokens"], t1], [tokens, undefined]);
      assert.match(
        reasons[0] ?? "",
        /^Cannot create all user groups: 2 failed\. The state has every completed change\./,
      );
      assert.match(reasons.join("\n"), /"t1".*\[service-refused\]\n.*"t4".*\[wrong-group\]/);
      emulator.clearRequests();
      const next = await userGroups.update(state, { groups: many(6) });
      assert.deepEqual(effectsOf(emulator).sort(), ["GET t1 created", "GET t4 returned"]);
      assert.deepEqual(next["tokens"], { ...tokensIn(emulator), t4 });
    }),
  );

  it(
    "creates all other groups if one has a malformed response, with one connection as well",
    inContext({ env: { USER_GROUPS_MAX_CONNECTIONS: "1" } }, async ({ emulator, userGroups }) => {
      emulator.fault({ ...changedField("user_group.token", 7), userGroupId: "t3" });
      const { state, reasons } = await failureOf(userGroups.create({ groups: many(30) }));
      const { t3, ...others } = many(30);
      assert.deepEqual([state?.["groups"], t3], [others, { name: "Tenant" }]);
      assert.match(reasons[0] ?? "", /: 1 failed\. /);
    }),
  );

  it(
    "records nothing if nothing was created, and stops after 20 failures of the service",
    inContext(
      { env: { USER_GROUPS_API_TOKEN: "stale", USER_GROUPS_MAX_CONNECTIONS: "4" } },
      async (context) => {
        const { code, message, state } = await failureOf(context.userGroups.create({ groups: many(200) }));
        assert.deepEqual([code, state], ["partial-failure", undefined]);
        assert.match(message, /: 2[0-3] failed, and 1(80|7\d) were not tried\..*\[unauthorized\]/);
        assert(context.emulator.requests.length < 24);
        assert.equal(context.emulator.groups.size, 0);
      },
    ),
  );

  it(
    "records what is done when it is cancelled, and the next update does the rest",
    inContext({ latency: 20, env: { USER_GROUPS_MAX_CONNECTIONS: "1" } }, async (context) => {
      const { emulator, userGroups, cancel } = context;
      emulator.configure({
        normalize: (values) => {
          if (values.userGroupId === "t2") cancel();
          return values;
        },
      });
      const { state, reasons } = await failureOf(userGroups.create({ groups: many(6) }));
      assert.deepEqual(state?.["tokens"], tokensIn(emulator));
      assert.match(
        reasons.join("\n"),
        /: 0 failed, and 3 were not tried\. .*\nNot tried: "t3", "t4", "t5"\.$/s,
      );
    }),
  );

  it(
    "does nothing for no groups",
    inContext(oneAtATime, async ({ emulator, userGroups }) => {
      const { baseUrl } = emulator;
      assert.deepEqual(await userGroups.create({ groups: {} }), {
        groups: {},
        tokens: {},
        adopted: [],
        baseUrl,
      });
      assert.deepEqual(emulator.requests, []);
    }),
  );

  it(
    "refuses a groups that is too large for a partial failure, in the preview",
    inContext(oneAtATime, async ({ userGroups }) => {
      const groups = { a: { name: "A", properties: { text: "x".repeat(9 * 1024 * 1024) } } };
      const { failures } = await userGroups.check({ groups });
      assert.match(
        failures.join(),
        /^: property groups is too large: its state would have 9\.0 MiB\. .*\[groups-too-large\]$/,
      );
    }),
  );
});
