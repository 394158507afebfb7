import assert from "node:assert/strict";
import { bodiesOf, failureOf, inContext } from "../../harness/providers";
import { acme, acmeSent, itInEveryService, showsStored } from "./everyService";

const env = { USER_GROUPS_CHANGES: "update" };
const baseUrl = "https://groups.example";

describe("UserGroup, update: of the state", () => {
  const state = {
    ...acme,
    dataSourceProvidedId: "warehouse",
    adopt: true,
    token: "t0ken",
    adopted: true,
    baseUrl,
  };
  const changes: [what: string, args: object, baseUrl: string | undefined][] = [
    ["data source and adopt", { ...acme, dataSourceProvidedId: "lake", adopt: false }, baseUrl],
    ["the order of keys", { ...acme, mapping: { finance: 7, sales: "warehouse" } }, baseUrl],
    ["the address", acme, "https://other.example"],
    ["nothing, without settings", acme, undefined],
  ];
  for (const [what, args, address] of changes)
    for (const way of ["replace", "update"])
      it(
        `changes ${what} without a request, with changes: ${way}`,
        inContext({}, async ({ emulator, environment, lines, userGroup }) => {
          environment["USER_GROUPS_BASE_URL"] = address;
          environment["USER_GROUPS_API_TOKEN"] = "";
          environment["USER_GROUPS_CHANGES"] = way;
          const updated = await userGroup.update(state, args);
          assert.deepEqual(updated, { ...args, token: "t0ken", adopted: true, baseUrl: address ?? baseUrl });
          assert.deepEqual([emulator.connections, lines], [0, []]);
        }),
      );

  it(
    "keeps what was shown and sent",
    inContext({}, async ({ userGroup }) => {
      const stored = { shown: { name: "acme" }, sent: { properties: {} } };
      assert.deepEqual(
        await userGroup.update({ ...state, ...stored, baseUrl: undefined }, { ...acme, adopt: false }),
        {
          ...(await userGroup.update({ ...state, baseUrl: undefined }, { ...acme, adopt: false })),
          ...stored,
        },
      );
    }),
  );
});

describe("UserGroup, update: in place", () => {
  itInEveryService(
    "sends the new values, and fails if the service still returns the former ones",
    { env },
    async ({ emulator, lines, userGroup }, behavior) => {
      const state = {
        ...acme,
        token: emulator.putGroup(acme).token,
        adopted: false,
        baseUrl: emulator.baseUrl,
      };
      const args = { ...acme, name: "Acme Ltd", properties: { region: "us" } };
      if (showsStored(behavior)) {
        const { code, message } = await failureOf(userGroup.update(state, args));
        assert.equal(code, "update-not-applied");
        assert.match(
          message,
          /^Cannot update user group "acme": the service still returns the former name and properties\. The state is unch/,
        );
      } else assert.deepEqual(await userGroup.update(state, args), { ...state, ...args });
      const { name, properties } = args;
      assert.deepEqual(bodiesOf(emulator), [{ method: "GET", body: { ...acmeSent, name, properties } }]);
      assert.deepEqual(lines, []);
    },
  );

  for (const [change, field] of [
    [{ name: "B" }, "name"],
    [{ properties: { region: "us" } }, "properties"],
    [{ properties: {} }, "properties"],
  ] as const)
    it(
      `fails if the service still returns the former ${field} for ${JSON.stringify(change)}, normalized or not`,
      inContext({ env }, async ({ emulator, userGroup }) => {
        const state = { ...acme, token: emulator.putGroup(acme).token, adopted: false };
        const { message } = await failureOf(userGroup.update(state, { ...acme, ...change }));
        assert(
          message.includes(`the service still returns the former ${field}. The state is unchanged.`),
          message,
        );
        emulator.configure({ normalize: (values) => ({ ...values, name: "acme", properties: { x: 1 } }) });
        emulator.removeGroup("acme");
        const normalized = await userGroup.create(acme);
        const again = await failureOf(userGroup.update(normalized, { ...acme, ...change }));
        assert.equal(again.code, "update-not-applied");
      }),
    );

  it(
    "succeeds if the service normalizes the new values",
    inContext(
      { env, existing: "update", normalize: (values) => ({ ...values, name: values.name.toLowerCase() }) },
      async ({ userGroup }) => {
        const state = await userGroup.create(acme);
        const updated = await userGroup.update(state, { ...acme, name: "Acme Ltd" });
        assert.deepEqual(updated, { ...state, name: "Acme Ltd", shown: { name: "acme ltd" } });
      },
    ),
  );

  itInEveryService("warns that a changed mapping can't be verified", { env }, async (context, behavior) => {
    const { emulator, lines, userGroup } = context;
    const state = { ...acme, token: emulator.putGroup(acme).token, adopted: true, baseUrl: emulator.baseUrl };
    const args = { ...acme, mapping: { sales: "lake" } };
    assert.deepEqual(await userGroup.update(state, args), { ...state, ...args });
    const stored = behavior.existing === "keep" ? acme.mapping : args.mapping;
    assert.deepEqual(emulator.groups.get("acme")?.mapping, stored);
    assert.match(
      lines.join(),
      /^warning: user group "acme" was updated with a new mapping\. The update of the mapping can't be verified/,
    );
  });

  it(
    "takes arguments away, and records another token",
    inContext({ env, existing: "update" }, async ({ emulator, userGroup }) => {
      const { token, teamId } = emulator.putGroup(acme);
      const args = { userGroupId: "acme", name: "B" };
      const state = await userGroup.update({ ...acme, token: "old", adopted: false }, args);
      assert.deepEqual(state, { ...args, token, adopted: false, baseUrl: emulator.baseUrl });
      assert.deepEqual(emulator.groups.get("acme"), { ...args, token, teamId });
    }),
  );

  itInEveryService("creates a group again that is gone, with a warning", { env }, async (context) => {
    const { emulator, lines, userGroup } = context;
    const args = { ...acme, name: "B", mapping: {} };
    const state = await userGroup.update({ ...acme, token: "gone", adopted: true }, args);
    const token = emulator.groups.get("acme")?.token;
    assert.deepEqual(state, { ...args, token, adopted: false, baseUrl: emulator.baseUrl });
    assert.deepEqual(lines, [
      `warning: user group "acme" didn't exist in the service. It was created again, with a new token.`,
    ]);
  });

  it(
    "fails without a request with changes: replace, at another address, and on invalid arguments or states",
    inContext({ env }, async ({ emulator, environment, userGroup }) => {
      const state = { ...acme, token: "t0ken", adopted: false };
      const renamed = { ...acme, name: "B" };
      const codeOf = async (olds: object, args: object) =>
        (await failureOf(userGroup.update(olds, args))).code;
      assert.equal(await codeOf({ ...state, baseUrl }, renamed), "service-changed");
      assert.equal(await codeOf(state, { ...acme, name: "" }), "argument-invalid");
      assert.equal(await codeOf({ ...state, token: "" }, acme), "state-invalid");
      environment["USER_GROUPS_CHANGES"] = "replace";
      assert.equal(await codeOf(state, renamed), "setting-conflict");
      assert.equal(emulator.connections, 0);
    }),
  );
});
