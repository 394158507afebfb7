import assert from "node:assert/strict";
import { bodiesOf, effectsOf, failureOf, inContext, type Context } from "../../harness/providers";
import { acme, acmeSent, itInEveryService, showsStored } from "./everyService";

const theirs = { userGroupId: "acme", name: "Theirs", properties: { region: "us" } };
const bare = { userGroupId: "acme", name: "Acme" };
const possibly = /^warning: user group "acme" was possibly created by an attempt whose response was lost\./;

describe("UserGroup, create", () => {
  for (const args of [
    { ...acme, dataSourceProvidedId: "warehouse", keepers: { a: "1" }, adopt: false },
    bare,
  ])
    itInEveryService(
      `creates a group with ${Object.keys(args).length} arguments, and records them with the token and the address`,
      {},
      async ({ emulator, lines, userGroup }) => {
        const state = await userGroup.create(args);
        const token = emulator.groups.get("acme")?.token;
        assert.deepEqual(state, { ...args, token, adopted: false, baseUrl: emulator.baseUrl });
        const body = args === bare ? { user_group_id: "acme", name: "Acme" } : acmeSent;
        assert.deepEqual(bodiesOf(emulator), [{ method: "GET", body }]);
        assert.deepEqual(lines, []);
      },
    );

  it(
    "records what it sent and what the service shows instead, with a warning",
    inContext(
      { normalize: (values) => ({ ...values, name: values.name.trim() }) },
      async ({ emulator, lines, userGroup }) => {
        const args = { ...acme, name: " Acme " };
        const token = () => emulator.groups.get("acme")?.token;
        const state = await userGroup.create(args);
        const { baseUrl } = emulator;
        assert.deepEqual(state, {
          ...args,
          token: token(),
          adopted: false,
          baseUrl,
          shown: { name: "Acme" },
        });
        assert.match(
          lines.join(),
          /^warning: user group "acme" is stored by the service with a different name or /,
        );
        assert.deepEqual(await userGroup.read(state), { outputs: state, inputs: args });
      },
    ),
  );

  it(
    "records the normal form of the address, and the connection",
    inContext({}, async ({ emulator, environment, userGroup }) => {
      environment["USER_GROUPS_EU_BASE_URL"] = `${emulator.baseUrl.toUpperCase()}//`;
      environment["USER_GROUPS_EU_API_TOKEN"] = emulator.apiToken;
      const { connection, baseUrl } = await userGroup.create({ ...acme, connection: "eu" });
      assert.deepEqual([connection, baseUrl], ["eu", emulator.baseUrl]);
    }),
  );

  it(
    "creates after attempts that were not applied",
    inContext({}, async ({ emulator, lines, userGroup }) => {
      emulator.fault({ kind: "status", status: 503, times: 2 });
      emulator.fault({ kind: "status", status: 429 });
      assert.equal((await userGroup.create({ ...acme, adopt: false }))["adopted"], false);
      assert.deepEqual([emulator.requests.length, lines], [4, []]);
    }),
  );

  it(
    "fails without a request if an argument is invalid that wasn't known before, or a setting is missing",
    inContext({}, async ({ emulator, environment, userGroup }) => {
      const invalid = await failureOf(userGroup.create({ ...acme, mapping: { sales: { s3cret: 1 } } }));
      assert.equal(invalid.code, "argument-invalid");
      assert.match(invalid.message, /^The argument mapping\.sales must be a string or a number\. /);
      environment["USER_GROUPS_API_TOKEN"] = "";
      assert.equal((await failureOf(userGroup.create(acme))).code, "setting-missing");
      assert.equal(emulator.connections, 0);
    }),
  );

  it(
    "shows no secret in warnings and errors",
    inContext({}, async ({ emulator, lines, userGroup }) => {
      const { token } = emulator.putGroup(theirs);
      await userGroup.create({ ...acme, properties: { key: "s3cret" } });
      emulator.fault({ kind: "refuse" });
      const { message } = await failureOf(userGroup.create({ ...acme, properties: { key: "s3cret" } }));
      for (const secret of ["s3cret", token, emulator.apiToken])
        assert(!`${lines.join()}${message}`.includes(secret));
    }),
  );
});

describe("UserGroup, create: a group that exists", () => {
  itInEveryService(
    "is adopted, with a warning about its mapping, and with other values as a drift",
    {},
    async ({ emulator, lines, userGroup }, behavior) => {
      const { token } = emulator.putGroup(theirs);
      const state = await userGroup.create(acme);
      const { name, properties } = theirs;
      const sent = { name: acme.name, properties: acme.properties };
      const drift = showsStored(behavior) ? { name, properties, sent } : {};
      assert.deepEqual(state, { ...acme, ...drift, token, adopted: true, baseUrl: emulator.baseUrl });
      assert.equal(emulator.groups.get("acme")?.name, behavior.existing === "keep" ? "Theirs" : "Acme");
      assert.match(
        lines[0] ?? "",
        /^warning: user group "acme" existed before and is adopted .* mapping can't be verified/,
      );
      assert.equal(lines.length, showsStored(behavior) ? 2 : 1);
      if (lines[1]) assert.match(lines[1], /user group "acme" has a different name or different properties/);
    },
  );

  itInEveryService("keeps the program's properties if it is shown without any", {}, async (context) => {
    const { token } = context.emulator.putGroup(bare);
    const { baseUrl } = context.emulator;
    assert.deepEqual(await context.userGroup.create(acme), { ...acme, token, adopted: true, baseUrl });
  });

  itInEveryService("is refused with adopt: false", {}, async ({ emulator, lines, userGroup }) => {
    const { token } = emulator.putGroup(acme);
    const { code, message, state } = await failureOf(userGroup.create({ ...acme, adopt: false }));
    assert.deepEqual([code, state], ["adoption-refused", undefined]);
    assert.match(
      message,
      /^Cannot create user group "acme": it exists, and adopt is false\. Nothing was recorded\. /,
    );
    assert.equal(emulator.groups.get("acme")?.token, token);
    assert.deepEqual([emulator.requests.length, lines], [1, []]);
  });

  itInEveryService(
    "was possibly created by an attempt whose response was lost",
    {},
    async ({ emulator, lines, userGroup }) => {
      emulator.fault({ kind: "drop", when: "after" });
      const state = await userGroup.create(acme);
      const token = emulator.groups.get("acme")?.token;
      assert.deepEqual(state, { ...acme, token, adopted: false, baseUrl: emulator.baseUrl });
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? "", possibly);
    },
  );

  for (const fault of [
    { kind: "drop", when: "after" },
    { kind: "drop", when: "before" },
    { kind: "status", status: 503 },
  ] as const)
    it(
      `is ambiguous with adopt: false after ${JSON.stringify(fault)}: nothing is recorded, nothing deleted`,
      inContext({}, async ({ emulator, userGroup }) => {
        emulator.putGroup(acme);
        emulator.fault(fault);
        const { code, message, state } = await failureOf(userGroup.create({ ...acme, adopt: false }));
        assert.deepEqual([code, state], ["adoption-ambiguous", undefined]);
        assert.match(
          message,
          /an earlier attempt may have created it, because its response was lost\. Nothing was/,
        );
        assert.equal(emulator.groups.size, 1);
      }),
    );

  it(
    "is refused with adopt: false after attempts that can't have been applied",
    inContext({}, async ({ emulator, userGroup }) => {
      emulator.putGroup(acme);
      emulator.fault({ kind: "status", status: 429, times: 3 });
      assert.equal((await failureOf(userGroup.create({ ...acme, adopt: false }))).code, "adoption-refused");
    }),
  );

  it(
    "can't have been created by a lost attempt if it has other values",
    inContext({}, async ({ emulator, userGroup }) => {
      const { token } = emulator.putGroup(theirs);
      emulator.fault({ kind: "drop", when: "after", times: 2 });
      const state = await userGroup.create(acme);
      assert.deepEqual([state["adopted"], state["token"], state["name"]], [true, token, "Theirs"]);
    }),
  );

  it(
    "is updated with changes: update, which is refused with adopt: false before any request",
    inContext(
      { existing: "update", env: { USER_GROUPS_CHANGES: "update" } },
      async ({ emulator, userGroup }) => {
        const { token } = emulator.putGroup(theirs);
        const { code } = await failureOf(userGroup.create({ ...acme, adopt: false }));
        assert.deepEqual([code, emulator.connections], ["setting-conflict", 0]);
        const state = await userGroup.create(acme);
        assert.deepEqual(state, { ...acme, token, adopted: true, baseUrl: emulator.baseUrl });
        assert.equal(emulator.groups.get("acme")?.name, "Acme");
      },
    ),
  );
});

describe("UserGroup, create: a group of another resource of the stack", () => {
  for (const change of [
    { name: "B" },
    { mapping: { sales: "lake" } },
    { properties: {} },
    { keepers: { a: "2" } },
  ])
    it(
      `is deleted and created again with ${JSON.stringify(change)}, with a warning`,
      inContext({}, async ({ emulator, lines, userGroup, deploy }) => {
        const former = await userGroup.create(acme);
        const { userGroup: next } = deploy();
        emulator.clearRequests();
        const args = { ...acme, ...change };
        await next.check({ userGroupId: "other", name: "Other" }, acme, "one");
        await next.check(args, {}, "two");
        const state = await next.create(args);
        assert.deepEqual(effectsOf(emulator), [
          "GET acme returned",
          "DELETE acme deleted",
          "GET acme created",
        ]);
        assert.equal(state["adopted"], false);
        assert.match(
          lines.join("\n"),
          /"acme" existed, and this stack's state has other values for it\. It was deleted and created/,
        );
        await next.delete(former);
        assert.deepEqual(emulator.groups.get("acme")?.token, state["token"]);
      }),
    );

  it(
    "is adopted with its token if the values are the same",
    inContext({}, async ({ emulator, userGroup, deploy }) => {
      const former = await userGroup.create(acme);
      const { userGroup: next } = deploy();
      await next.check({ userGroupId: "other", name: "Other" }, acme, "one");
      await next.check({ ...acme, dataSourceProvidedId: "tab" }, {}, "two");
      const state = await next.create({ ...acme, dataSourceProvidedId: "tab" });
      assert.deepEqual([state["token"], state["adopted"]], [former["token"], true]);
      await next.delete(former);
      assert.equal(emulator.groups.size, 1);
    }),
  );

  /** The replacement of a group for another mapping, up to its creation; the deletion was skipped. */
  async function replaced({ userGroup, deploy }: Context, meanwhile: () => void) {
    const former = await userGroup.create(acme);
    meanwhile();
    const { userGroup: next } = deploy();
    const args = { ...acme, mapping: { sales: "lake" } };
    await next.check(args, acme, "one");
    await next.diff(former, args);
    await next.check(args, {}, "one");
    return { former, create: () => next.create(args) };
  }

  it(
    "whose deletion before its replacement was skipped (retainOnDelete) keeps its state, with an error",
    inContext({}, async (context) => {
      const { former, create } = await replaced(context, () => undefined);
      const { code, message, state, reasons } = await failureOf(create());
      assert.equal(code, "replacement-retained");
      assert.match(
        message,
        /the replacement skipped its deletion \(retainOnDelete or deleteBeforeReplace: false\), so the service still has the former values/,
      );
      assert.deepEqual(state, former);
      assert.deepEqual(reasons, [message]);
    }),
  );

  it(
    "whose replacement was created by a run that was killed is created again, with its mapping",
    inContext({}, async (context) => {
      const { emulator } = context;
      const { create } = await replaced(context, () => emulator.rotateToken("acme"));
      emulator.clearRequests();
      assert.equal((await create())["adopted"], false);
      assert.deepEqual(effectsOf(emulator), ["GET acme returned", "DELETE acme deleted", "GET acme created"]);
    }),
  );
});
