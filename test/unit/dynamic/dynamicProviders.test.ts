/** The dynamic providers in cases that no program and no service of the contract suite can bring about. */
import assert from "node:assert/strict";
import { accountOf } from "../../../provider/src/core/deployment/account";
import { dynamicProvider } from "../../../provider/src/dynamic/dynamicProvider";
import { secret } from "../../../provider/src/values";
import { deploymentTest, failureOf, many } from "../../harness/providers";

const acme = { userGroupId: "acme", name: "Acme" };

describe("a dynamic provider", () => {
  deploymentTest(
    "marks the secrets of a partial failure, which it records with its own text",
    { normalize: (values) => ({ ...values, name: "acme" }) },
    async ({ emulator, userGroups }) => {
      emulator.fault({ kind: "refuse", userGroupId: "t1" });
      const error = await failureOf(userGroups.provider.create({ groups: many(2), __provider: "text" }));
      assert("properties" in error && "id" in error);
      assert.deepEqual([error.code, error.id], ["partial-failure", "user-groups"]);
      assert.deepEqual(error.properties, {
        groups: many(1),
        tokens: secret({ t0: emulator.groups.get("t0")?.token }),
        shown: secret({ t0: { name: "acme" } }),
        adopted: [],
        baseUrl: emulator.baseUrl,
        account: secret(accountOf(emulator)),
        incomplete: true,
        providedIds: {},
        __provider: "text",
      });
    },
  );

  deploymentTest("takes another provider's text for a change", {}, async ({ userGroup: { provider } }) => {
    for (const [text, changes] of [
      ["theirs", true],
      ["ours", false],
    ] as const) {
      const state = { ...acme, token: "t0ken", __provider: text };
      const diff = await provider.diff("acme", state, { ...acme, __provider: "ours" });
      assert.equal(diff.changes, changes);
    }
  });

  it("turns an unexpected exception into an error without its message", async () => {
    const fail = () => {
      throw new TypeError("s3cret");
    };
    const operations = { check: fail, diff: fail, preview: fail, create: fail, read: fail, update: fail };
    const provider = dynamicProvider({ ...operations, delete: fail }, () => undefined);
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
    }
  });

  deploymentTest(
    "names the first twenty invalid properties, and counts the others",
    {},
    async ({ userGroups }) => {
      const { failures } = await userGroups.check({ groups: many(1000, { name: "" }) });
      assert.equal(failures.length, 21);
      assert.equal(failures[0], ": property groups.t0.name must not be empty");
      assert.equal(failures.at(-1), ": 980 more properties are invalid");
    },
  );

  const none = { USER_GROUPS_BASE_URL: "", USER_GROUPS_API_TOKEN: "" };
  deploymentTest("reads what either provider's configure got last", { env: none }, async (context) => {
    const { emulator, userGroup, userGroups } = context;
    const values: Record<string, string> = {
      "user-groups:baseUrl": emulator.baseUrl,
      "user-groups:apiToken": "before-the-rotation",
    };
    const config = { get: (key: string) => values[key], require: (key: string) => values[key] ?? "" };
    void userGroups.provider.configure({ config });
    assert.equal((await failureOf(userGroup.create(acme))).code, "unauthorized");
    values["user-groups:apiToken"] = emulator.apiToken;
    assert.equal((await userGroup.create(acme))["adopted"], false);
  });
});
