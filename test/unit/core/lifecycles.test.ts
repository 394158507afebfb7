/** The lifecycles in cases that no program and no service of the contract suite can bring about. */
import assert from "node:assert/strict";
import { userGroupLifecycle } from "../../../provider/src/core/userGroup/lifecycle";
import { userGroupsLifecycle } from "../../../provider/src/core/userGroups/lifecycle";
import { unknownValue } from "../../../provider/src/values";
import { testDeployment } from "../../harness/testDeployment";
import { effectsOf, failureOf, inContext, many, tokensIn } from "../../harness/providers";

const acme = { userGroupId: "acme", name: "Acme", mapping: { sales: 1 } };
const baseUrl = "https://groups.example";

describe("a UserGroup", () => {
  const state = { ...acme, token: "t0ken", adopted: false };

  it(
    "of an invalid state, with invalid arguments or at another address fails without a request",
    inContext({ env: { USER_GROUPS_CHANGES: "update" } }, async (context) => {
      const { emulator, environment, userGroup, userGroups } = context;
      const codeOf = async (operation: Promise<unknown>) => (await failureOf(operation)).code;
      const invalid = { ...acme, token: "" };
      const renamed = { ...acme, name: "B" };
      for (const operation of [
        userGroup.read(invalid),
        userGroup.update(invalid, acme),
        userGroup.delete(invalid),
      ])
        assert.equal(await codeOf(operation), "state-invalid");
      for (const operation of [
        userGroup.create({ ...acme, name: "" }),
        userGroup.update(state, { ...acme, name: "" }),
      ])
        assert.equal(await codeOf(operation), "argument-invalid");
      const groups = { groups: { a: { name: "A" } }, tokens: { a: "0" }, baseUrl };
      for (const update of [
        userGroup.update({ ...state, baseUrl }, renamed),
        userGroups.update(groups, { groups: {} }),
      ])
        assert.equal(await codeOf(update), "service-changed");
      environment["USER_GROUPS_CHANGES"] = "replace";
      assert.equal(await codeOf(userGroup.update(state, renamed)), "setting-conflict");
      assert.equal(emulator.connections, 0);
    }),
  );

  it(
    "keeps the address in an update of its state without settings",
    inContext({ env: { USER_GROUPS_BASE_URL: "", USER_GROUPS_API_TOKEN: "" } }, async ({ userGroup }) => {
      const stored = { ...state, baseUrl, shown: { name: "acme" } };
      const drifted = { ...stored, sent: { properties: {} } };
      assert.deepEqual(await userGroup.update(drifted, { ...acme, adopt: false }), {
        ...stored,
        adopt: false,
      });
    }),
  );

  it(
    "that is looked up goes by the ID of the resource",
    inContext({}, async ({ emulator, userGroup }) => {
      const { outputs } = await userGroup.read({ userGroupId: "other", name: "Acme" }, "acme");
      assert.deepEqual([outputs["userGroupId"], [...emulator.groups.keys()]], ["acme", ["acme"]]);
    }),
  );

  it(
    "waits for the deletion of its group by another resource, and creates it again",
    inContext({}, async (context) => {
      const { emulator } = context;
      const state = await context.userGroups.create({ groups: { acme: { name: "Acme" } } });
      const { userGroup, userGroups } = context.deploy();
      emulator.clearRequests();
      const create = async (userGroupId: string) => {
        await userGroup.check({ ...acme, userGroupId }, {}, userGroupId);
        return userGroup.create({ ...acme, userGroupId });
      };
      let created: ReturnType<typeof create> | undefined;
      // The response comes after a creation that began later than that of acme. Then the deletion is tried again.
      const body = async function* () {
        created = create("acme");
        await create("other");
        yield "busy";
      };
      emulator.fault({
        kind: "respond",
        method: "DELETE",
        when: "before",
        respond: () => ({ status: 503, headers: {}, body: body() }),
      });
      await userGroups.update(state, { groups: {} });
      assert.equal((await created)?.["token"], emulator.groups.get("acme")?.token);
      const effects = effectsOf(emulator).filter((line) => line.includes("acme"));
      assert.deepEqual(effects.slice(-2), ["DELETE acme deleted", "GET acme created"]);
    }),
  );

  it(
    "whose import finds no group fails, and deletes the group that the request created",
    inContext({}, async ({ emulator, environment }) => {
      const { warnings, ...deployment } = testDeployment({}, environment);
      const lifecycle = userGroupLifecycle(deployment);
      const read = () => lifecycle.read("acme", { name: "Acme" }, { mustExist: true });
      await assert.rejects(read(), {
        code: "no-such-group",
        message: /^Cannot read user group "acme": .* \[no-such-group\]$/,
      });
      assert.deepEqual([effectsOf(emulator), warnings], [["GET acme created", "DELETE acme deleted"], []]);
      const { token } = emulator.putGroup({ ...acme, name: "Theirs" });
      const { state: found } = await read();
      assert.deepEqual([found["name"], found["token"]], ["Theirs", token]);
    }),
  );
});

describe("a UserGroups", () => {
  it("names each changed group and field in its diff, as the engine writes paths", () => {
    const olds = {
      groups: { a: { name: "A" }, "b.c": { name: "B", keepers: { k: "1" } }, gone: { name: "G" } },
    };
    const news = { groups: { a: unknownValue, "b.c": { name: "C" }, added: { name: "D" } }, adopt: false };
    const { details } = userGroupsLifecycle(testDeployment()).diff({ id: "user-groups", olds, news });
    assert.deepEqual(Object.fromEntries(details), {
      adopt: "ADD",
      "groups.a.name": "DELETE",
      "groups.added": "ADD",
      "groups.gone": "DELETE",
      'groups["b.c"].keepers': "DELETE",
      'groups["b.c"].name': "UPDATE",
    });
  });

  it(
    "that is cancelled records what is done",
    inContext({ env: { USER_GROUPS_MAX_CONNECTIONS: "1" } }, async ({ emulator, userGroups, cancel }) => {
      emulator.configure({
        latency: 20,
        normalize: (values) => {
          if (values.userGroupId === "t2") cancel();
          return values;
        },
      });
      const { state, reasons } = await failureOf(userGroups.create({ groups: many(6) }));
      assert.deepEqual(state?.["tokens"], tokensIn(emulator));
      const untried =
        /^Cannot create all user groups: 0 user groups failed, and 3 were not tried\. .*\nNot tried: "t3", "t4", "t5"\.$/s;
      assert.match(reasons.join("\n"), untried);
    }),
  );
});
