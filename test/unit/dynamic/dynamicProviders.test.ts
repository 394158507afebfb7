/** The dynamic providers in cases that no program and no service of the contract suite can bring about. */
import assert from "node:assert/strict";
import { dynamicProvider } from "../../../provider/src/dynamic/dynamicProvider";
import { deploymentTest, failureOf, numbered } from "../../harness/providers";

const acme = { userGroupId: "acme", name: "Acme" };

describe("a dynamic provider", () => {
  deploymentTest("records a partial failure with its own text", {}, async ({ emulator, userGroups }) => {
    emulator.fault({ kind: "refuse", userGroupId: "t1" });
    const failure = await failureOf(userGroups.create({ groups: numbered(2), __provider: "text" }));
    assert.match(JSON.stringify(failure), /"__provider":"text"/);
  });

  deploymentTest("takes another provider's text for a change", {}, async ({ userGroup: provider }) => {
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

  deploymentTest("names the first twenty invalid properties, and counts the others", {}, async (context) => {
    const { failures = [] } = await context.userGroups.check({}, { groups: numbered(1000, { name: "" }) });
    const reasons = failures.map(({ reason }) => reason);
    assert.deepEqual([reasons.length, reasons[0]], [21, "property groups.t0.name must not be empty"]);
    assert.equal(reasons.at(-1), "980 more properties are invalid");
  });

  deploymentTest("reads what either provider's configure got last", {}, async (context) => {
    const { emulator, userGroup, userGroups } = context;
    const values: Record<string, string> = {
      "user-groups:baseUrl": emulator.baseUrl,
      "user-groups:apiToken": "before-the-rotation",
    };
    const config = { get: (key: string) => values[key], require: (key: string) => values[key] ?? "" };
    void userGroups.configure({ config });
    assert.equal((await failureOf(userGroup.create(acme))).code, "unauthorized");
    values["user-groups:apiToken"] = emulator.apiToken;
    assert.equal((await userGroup.create(acme)).id, "acme");
  });
});
