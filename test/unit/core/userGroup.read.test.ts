import assert from "node:assert/strict";
import { bodiesOf, failureOf, inContext } from "../../harness/providers";
import { acme, acmeSent, itInEveryService, showsStored } from "./everyService";

const bare = { userGroupId: "acme", name: "Acme" };

describe("UserGroup, read", () => {
  for (const args of [{ ...acme, dataSourceProvidedId: "warehouse", keepers: { a: "1" }, adopt: true }, bare])
    itInEveryService(
      `leaves a state with ${Object.keys(args).length} arguments as it is, with the same request as create`,
      {},
      async ({ emulator, lines, userGroup }) => {
        const state = await userGroup.create(args);
        assert.deepEqual(await userGroup.read(state), { outputs: state, inputs: args });
        const [created, read] = bodiesOf(emulator);
        assert.deepEqual(created, read);
        assert.deepEqual(lines, []);
      },
    );

  itInEveryService("records another token", {}, async ({ emulator, lines, userGroup }) => {
    const state = await userGroup.create(acme);
    const { token } = emulator.rotateToken("acme");
    assert.deepEqual(await userGroup.read(state), { outputs: { ...state, token }, inputs: acme });
    assert.notEqual(token, state["token"]);
    assert.deepEqual(lines, []);
  });

  for (const args of [acme, bare])
    itInEveryService(
      `records a drift of ${Object.keys(args).length} arguments as outputs and inputs, until it is undone`,
      {},
      async ({ emulator, userGroup }, behavior) => {
        const state = await userGroup.create(args);
        const drift = { name: "Theirs", properties: { region: "us" } };
        emulator.putGroup({ userGroupId: "acme", ...drift });
        const sent = { name: "Acme", properties: "properties" in args ? args.properties : {} };
        const { outputs, inputs } = await userGroup.read(state);
        assert.deepEqual(outputs, showsStored(behavior) ? { ...state, ...drift, sent } : state);
        assert.deepEqual(inputs, showsStored(behavior) ? { ...args, ...drift } : args);
        emulator.putGroup(args === acme ? acme : bare);
        // Empty properties are the same as none.
        const empty = showsStored(behavior) && !("properties" in args) ? { properties: {} } : {};
        const undone = { outputs: { ...state, ...empty }, inputs: { ...args, ...empty } };
        assert.deepEqual(await userGroup.read(outputs), undone);
      },
    );

  itInEveryService("sees no drift in properties that aren't shown", {}, async ({ emulator, userGroup }) => {
    const state = await userGroup.create(acme);
    emulator.putGroup(bare);
    assert.deepEqual(await userGroup.read(state), { outputs: state, inputs: acme });
  });

  for (const existed of [true, false])
    itInEveryService(
      `creates a group again that is gone and was ${existed ? "adopted" : "created"}, with a warning`,
      {},
      async ({ emulator, lines, userGroup }) => {
        if (existed) emulator.putGroup(acme);
        const state = await userGroup.create(acme);
        emulator.removeGroup("acme");
        lines.length = 0;
        const { outputs, inputs } = await userGroup.read(state);
        const token = emulator.groups.get("acme")?.token;
        assert.deepEqual(outputs, { ...state, token, adopted: false });
        assert.notEqual(token, state["token"]);
        assert.deepEqual(inputs, acme);
        assert.deepEqual(bodiesOf(emulator).at(-1), { method: "GET", body: acmeSent });
        assert.deepEqual(lines, [
          `warning: user group "acme" didn't exist in the service. It was created again, with a new token.`,
        ]);
      },
    );

  it(
    "creates a group again as it was last sent, without its drift",
    inContext({}, async ({ emulator, userGroup }) => {
      const state = await userGroup.create(acme);
      emulator.renameGroup("acme", "Theirs");
      const { outputs } = await userGroup.read(state);
      emulator.removeGroup("acme");
      await userGroup.read(outputs);
      assert.deepEqual(bodiesOf(emulator).at(-1), { method: "GET", body: acmeSent });
    }),
  );

  it(
    "never reads at another address than the state's, unless the service has moved",
    inContext({}, async ({ emulator, environment, userGroup }) =>
      inContext({}, async ({ emulator: other }) => {
        const state = await userGroup.create(acme);
        environment["USER_GROUPS_BASE_URL"] = other.baseUrl;
        environment["USER_GROUPS_API_TOKEN"] = other.apiToken;
        for (const operation of [userGroup.read(state), userGroup.delete(state)])
          assert.equal((await failureOf(operation)).code, "service-changed");
        assert.equal(other.connections, 0);
        environment["USER_GROUPS_FORMER_BASE_URL"] = emulator.baseUrl;
        assert.equal((await userGroup.read(state)).outputs["baseUrl"], other.baseUrl);
      })(),
    ),
  );

  it(
    "fails if the service does, and doesn't take the group for gone",
    inContext({}, async ({ emulator, userGroup }) => {
      const state = await userGroup.create(acme);
      for (const [status, code] of [
        [404, "not-found"],
        [403, "unauthorized"],
        [418, "unexpected-status"],
      ] as const) {
        emulator.fault({ kind: "status", status });
        assert.equal((await failureOf(userGroup.read(state))).code, code);
      }
      emulator.fault({ kind: "refuse", status: 404 });
      assert.equal((await failureOf(userGroup.read(state))).code, "service-refused");
    }),
  );

  it(
    "fails without a request on an invalid state",
    inContext({}, async ({ emulator, userGroup }) => {
      const { code, message } = await failureOf(userGroup.read({ ...bare, token: "" }));
      assert.equal(code, "state-invalid");
      assert.match(
        message,
        /^The state of user group "acme" is invalid: its token must not be empty\. Import /,
      );
      assert.equal(emulator.connections, 0);
    }),
  );
});

describe("UserGroup, lookup", () => {
  itInEveryService("returns what the service shows", {}, async ({ emulator, lines, userGroup }, behavior) => {
    const { token } = emulator.putGroup(acme);
    const { outputs, inputs } = await userGroup.read({ name: "Ours", userGroupId: "acme" });
    const { sent, ...visible } = outputs;
    const found = showsStored(behavior)
      ? { userGroupId: "acme", name: "Acme", properties: acme.properties }
      : { userGroupId: "acme", name: "Ours" };
    assert.deepEqual(visible, { ...found, token, adopted: true, baseUrl: emulator.baseUrl });
    assert.deepEqual(sent, showsStored(behavior) ? { name: "Ours", properties: {} } : undefined);
    assert.deepEqual([inputs, lines], [found, []]);
  });

  it(
    "creates a group that doesn't exist, with a warning, and goes by the ID of the resource",
    inContext({}, async ({ emulator, lines, userGroup }) => {
      const { outputs } = await userGroup.read({ userGroupId: "globex", name: "Acme" }, "acme");
      const token = emulator.groups.get("acme")?.token;
      assert.deepEqual(outputs, {
        userGroupId: "acme",
        name: "Acme",
        token,
        adopted: false,
        baseUrl: emulator.baseUrl,
      });
      assert.deepEqual([...emulator.groups.keys()], ["acme"]);
      assert.match(lines.join(), /user group "acme" didn't exist in the service\. It was created again/);
    }),
  );

  it(
    "keeps the group that another resource of the stack has left in the same deployment",
    inContext({}, async ({ emulator, userGroup, deploy }) => {
      const state = await userGroup.create(acme);
      const { userGroup: next } = deploy();
      await next.read({ userGroupId: "acme", name: "Acme" });
      await next.delete(state);
      assert.equal(emulator.groups.get("acme")?.token, state["token"]);
    }),
  );

  it(
    "is refused with changes: update and without mapping or properties, which it would clear",
    inContext(
      { existing: "update", env: { USER_GROUPS_CHANGES: "update" } },
      async ({ emulator, userGroup }) => {
        emulator.putGroup(acme);
        const { mapping, properties } = acme;
        for (const known of [{}, { mapping }, { properties }])
          assert.equal(
            (await failureOf(userGroup.read({ userGroupId: "acme", name: "Acme", ...known }))).code,
            "setting-conflict",
          );
        assert.equal(emulator.connections, 0);
        await userGroup.read(acme);
        assert.deepEqual(emulator.groups.get("acme")?.mapping, mapping);
      },
    ),
  );
});
