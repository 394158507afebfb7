/** The dynamic providers in cases that no program and no service of the contract suite can bring about. */
import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { lifecycleOf } from "../../../../provider/core/lifecycle";
import { userGroupShape } from "../../../../provider/core/state/shapes";
import { dynamicProvider } from "../../../../provider/adapters/dynamic/dynamicProvider";
import { emulatorTest } from "../../../support/harness/emulatorTest";
import { newTestDeployment } from "../../../support/harness/product";
import { contextOf, failureOf, numbered } from "../../../support/harness/providers";

const acme = { userGroupId: "acme", name: "Acme" };

describe("a dynamic provider", () => {
  emulatorTest("records a partial failure with its own text", {}, async (emulator) => {
    const { userGroups } = contextOf(emulator);
    emulator.fault({ kind: "refuse", userGroupId: "t1" });
    const failure = await failureOf(userGroups.create({ groups: numbered(2), __provider: "text" }));
    assert.match(JSON.stringify(failure), /"__provider":"text"/);
  });

  emulatorTest("takes another provider's text for a change", {}, async (emulator) => {
    const { userGroup: provider } = contextOf(emulator);
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
    const lifecycle = { ...operations, delete: fail };
    const logger = { delivered: () => Promise.resolve() };
    const provider = dynamicProvider(
      () => ({ lifecycle, logger }),
      () => undefined,
    );
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

  it("ends an operation when its lines are delivered, also one that fails", async () => {
    const lines: string[] = [];
    const deliver = () => setImmediate().then(() => void lines.push("delivered"));
    const lifecycle = lifecycleOf(userGroupShape, newTestDeployment());
    const provider = dynamicProvider(
      (identity) => {
        lines.push(identity);
        return { lifecycle, logger: { delivered: deliver } };
      },
      () => undefined,
    );
    const properties = { ...acme, __resource: "type::acme" };
    await provider.check({}, properties);
    assert.deepEqual(lines, ["type::acme", "delivered"]);
    await failureOf(provider.create(properties));
    assert.deepEqual(lines, ["type::acme", "delivered", "type::acme", "delivered"]);
  });

  emulatorTest("names the first twenty invalid properties, and counts the others", {}, async (emulator) => {
    const { failures = [] } = await contextOf(emulator).userGroups.check(
      {},
      { groups: numbered(1000, { name: "" }) },
    );
    const reasons = failures.map(({ reason }) => reason);
    assert.deepEqual([reasons.length, reasons[0]], [21, "property groups.t0.name must not be empty"]);
    assert.equal(reasons.at(-1), "980 more properties are invalid");
  });

  emulatorTest("reads once what either provider's configure got last", {}, async (emulator) => {
    const { userGroup, userGroups } = contextOf(emulator, { settings: { apiToken: "an-earlier-one" } });
    const values: Record<string, string> = {
      "user-groups:baseUrl": emulator.baseUrl,
      "user-groups:apiToken": emulator.apiToken,
    };
    const config = { get: (key: string) => values[key], require: (key: string) => values[key] ?? "" };
    void userGroups.configure({ config });
    assert.equal((await userGroup.create(acme)).id, "acme");
    values["user-groups:apiToken"] = "changed-meanwhile";
    assert.equal((await userGroup.create({ ...acme, userGroupId: "globex" })).id, "globex");
  });
});
