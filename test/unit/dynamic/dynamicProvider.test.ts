import assert from "node:assert/strict";
import type { Lifecycle } from "../../../provider/src/core/lifecycle";
import { dynamicProvider } from "../../../provider/src/dynamic/dynamicProvider";
import { UserGroupError } from "../../../provider/src/errors";
import { failureOf, inContext, many } from "../../harness/providers";

const acme = { userGroupId: "acme", name: "Acme", mapping: { sales: 1 }, properties: { region: "eu" } };
const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

function throwing(error: unknown): Lifecycle {
  const fail = () => {
    throw error;
  };
  return { check: fail, diff: fail, create: fail, read: fail, update: fail, delete: fail };
}

describe("a dynamic provider", () => {
  it(
    "marks tokens, and what may have secret properties, as secrets in every operation",
    inContext(
      { normalize: (values) => ({ ...values, name: "acme" }) },
      async ({ emulator, userGroup, userGroups }) => {
        const { baseUrl } = emulator;
        const { outs } = await userGroup.provider.create(acme);
        const token = emulator.groups.get("acme")?.token;
        const expected = {
          ...acme,
          baseUrl,
          adopted: false,
          token: secret(token),
          shown: secret({ name: "acme" }),
        };
        assert.deepEqual(outs, expected);
        const state = { ...acme, baseUrl, adopted: false, token, shown: { name: "acme" } };
        assert.deepEqual((await userGroup.provider.read("acme", state)).props, expected);
        assert.deepEqual((await userGroup.provider.update("acme", state, acme)).outs, expected);

        const created = await userGroups.provider.create({ groups: many(1) });
        const tokens = secret({ t0: emulator.groups.get("t0")?.token });
        const shown = secret({ t0: { name: "acme" } });
        assert.deepEqual(created.outs, { groups: many(1), tokens, adopted: [], baseUrl, shown });
      },
    ),
  );

  it(
    "marks the secrets of a partial failure, which it records with its own text",
    inContext({}, async ({ emulator, userGroups }) => {
      emulator.fault({ kind: "refuse", userGroupId: "t1" });
      await assert.rejects(userGroups.provider.create({ groups: many(2), __provider: "text" }), (error) => {
        assert(error instanceof UserGroupError && "properties" in error && "id" in error);
        assert.deepEqual([error.code, error.id], ["partial-failure", "user-groups"]);
        assert.deepEqual(error.properties, {
          groups: many(1),
          tokens: secret({ t0: emulator.groups.get("t0")?.token }),
          adopted: [],
          baseUrl: emulator.baseUrl,
          __provider: "text",
        });
        assert.match(error.message, /^[^[]*\[partial-failure\]$/);
        return true;
      });
    }),
  );

  it(
    "rewrites the state of another provider without a request",
    inContext({}, async ({ emulator, userGroup: { provider } }) => {
      const state = { ...acme, token: "t0ken", __provider: "exports.handler = () => somebody's;" };
      const news = { ...acme, __provider: "ours" };
      assert.equal((await provider.diff("acme", state, news)).changes, true);
      const { outs } = await provider.update("acme", state, news);
      assert.deepEqual(outs, { ...acme, adopted: true, token: secret("t0ken"), baseUrl: emulator.baseUrl });
      assert.equal((await provider.diff("acme", { ...state, __provider: "ours" }, news)).changes, false);
      assert.equal(emulator.connections, 0);
    }),
  );

  it("turns an unexpected exception into an error without its message", async () => {
    for (const error of [new TypeError("s3cret"), "s3cret", undefined]) {
      const provider = dynamicProvider(throwing(error), () => undefined);
      for (const operation of [
        () => provider.check({}, {}),
        () => provider.diff("acme", {}, {}),
        () => provider.create({}),
        () => provider.read("acme", {}),
        () => provider.update("acme", {}, {}),
        () => provider.delete("acme", {}),
      ]) {
        const { code, message } = await failureOf(operation());
        assert.equal(code, "unexpected");
        assert.doesNotMatch(message, /s3cret/);
        assert.match(message, /\[unexpected\]$/);
      }
    }
  });

  it("passes on neither the SDK's properties nor the identification of the resource", async () => {
    const requests: unknown[] = [];
    const lifecycle: Lifecycle = {
      ...throwing(new Error()),
      check(request) {
        requests.push(request);
        return [];
      },
    };
    const provider = dynamicProvider(lifecycle, () => undefined);
    const news = { name: "Acme", mapping: null, __provider: "text", __resource: "one" };
    const { inputs } = await provider.check({ name: "Former", __provider: "text" }, news);
    assert.deepEqual(inputs, { name: "Acme" });
    assert.deepEqual(requests, [{ resource: "one", olds: { name: "Former" }, news: { name: "Acme" } }]);
  });
});

describe("the failures of a check", () => {
  it(
    "name each property in the reason, because the engine would print its value",
    inContext({}, async ({ userGroup }) => {
      const { failures } = await userGroup.check({
        adopt: "yes",
        teamId: 1,
        mapping: { sales: {} },
        properties: { "a.b": () => 1 },
      });
      assert.deepEqual(failures, [
        ": property userGroupId is required",
        ": property name is required",
        ": property mapping.sales must be a string or a number",
        ": property properties.a.b must be JSON",
        ": property adopt must be true or false",
        ": property teamId is not an argument",
      ]);
    }),
  );

  it(
    "are the first twenty, and how many more there are",
    inContext({}, async ({ userGroups }) => {
      for (const count of [20, 1000]) {
        const { failures } = await userGroups.check({ groups: many(count, { name: "" }) });
        assert.equal(failures.length, Math.min(count, 21));
        assert.equal(failures[0], ": property groups.t0.name must not be empty");
        if (count > 20) assert.equal(failures.at(-1), ": 980 more properties are invalid");
      }
    }),
  );
});
