import assert from "node:assert/strict";
import { join } from "node:path";
import { inProgram, type ProgramWorld } from "./program";

const sealed = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "v1:sealed",
};
const texts = {
  UserGroup: 'exports.handler = () => require("pulumi-user-groups/provider").userGroup;',
  UserGroups: 'exports.handler = () => require("pulumi-user-groups/provider").userGroups;',
};
const stack = { type: "pulumi:pulumi:Stack" };

describe("doctor --state", () => {
  it(
    "is content with groups as today's version writes them, and shows no token",
    inProgram(async (world) => {
      const { code, out, findings } = await examineState(world, [
        stack,
        group("acme", { token: sealed }),
        groups(["globex", "initech"], { tokens: sealed }),
        groups(["hooli"], { tokens: { hooli: sealed } }),
      ]);
      assert.equal(code, 0);
      assert.deepEqual(findings["state"], [
        "ok: The state has 4 user groups, all as this version writes them",
      ]);
      assert.ok(!out.includes("sealed"));
    }),
  );

  it(
    "names the groups whose provider text isn't today's",
    inProgram(async (world) => {
      const old = { __provider: "exports.handler = () => old;" };
      const { code, findings, out } = await examineState(world, [
        group("acme", { token: sealed }),
        { ...group("globex", { token: sealed }), inputs: old },
        { ...groups(["initech", "hooli"], { tokens: sealed }), inputs: old },
      ]);
      assert.equal(code, 0);
      assert.deepEqual(findings["state"], [
        'warning: The provider text isn\'t today\'s for 3 user groups: "globex", "hooli", "initech"',
      ]);
      assert.match(out, /"groups": \[\s*"globex",\s*"hooli",\s*"initech"\s*\]/);
    }),
  );

  it(
    "names the groups whose token is in plain text, and doesn't repeat it",
    inProgram(async (world) => {
      const { code, findings, out } = await examineState(world, [
        group("acme", { token: "open-1" }),
        group("umbrella", { token: sealed }),
        groups(["globex", "initech"], { tokens: { globex: "open-2", initech: sealed } }),
      ]);
      assert.equal(code, 1);
      assert.deepEqual(findings["state"], [
        'failed: The token is in plain text for 2 user groups: "acme", "globex"',
      ]);
      assert.ok(!out.includes("open-"));
    }),
  );

  it(
    "knows a secret that was exported with --show-secrets for one that can be read",
    inProgram(async (world) => {
      const { ciphertext: _, ...mark } = sealed;
      const shown = { ...mark, plaintext: '"open"' };
      const { findings, out } = await examineState(world, [
        group("acme", { token: shown }),
        groups(["globex"], { tokens: shown }),
      ]);
      assert.match(
        findings["state"]?.join() ?? "",
        /^failed: The token is in plain text for 2 user groups: "acme", "globex"$/,
      );
      assert.match(out, /--show-secrets/);
    }),
  );

  it(
    "knows many groups by their IDs although a secret among them made them one, as far as it can",
    inProgram(async (world) => {
      const known = groups(["globex"], { groups: sealed, tokens: { globex: "open" } });
      const { findings } = await examineState(world, [
        { ...known, inputs: { groups: { globex: sealed } } },
        { ...known, id: "tenants", inputs: { groups: sealed } },
      ]);
      assert.match(findings["state"]?.join() ?? "", /for 2 user groups: "globex", "tenants"/);
    }),
  );

  it(
    "reads a file of the backend, and an empty state",
    inProgram(async ({ folder, write, examine }) => {
      const resources = [group("acme", { token: sealed })];
      await write({
        "backend.json": { checkpoint: { latest: { resources } } },
        "empty.json": { deployment: {} },
      });
      for (const [file, count] of [
        ["backend.json", "1 user group"],
        ["empty.json", "0 user groups"],
      ] as const) {
        const { findings } = await examine("--state", join(folder, file));
        assert.deepEqual(findings["state"], [`ok: The state has ${count}, all as this version writes them`]);
      }
    }),
  );
});

async function examineState({ folder, write, examine }: ProgramWorld, resources: readonly object[]) {
  await write({ "state.json": { version: 3, deployment: { resources } } });
  return examine("--state", join(folder, "state.json"));
}

function group(id: string, outputs: object) {
  return resource("UserGroup", { id, outputs });
}

function groups(ids: readonly string[], outputs: object) {
  const held = Object.fromEntries(ids.map((id) => [id, { name: id }]));
  return resource("UserGroups", { id: "groups", outputs: { groups: held, ...outputs } });
}

function resource(kind: keyof typeof texts, { id, outputs }: { id: string; outputs: object }) {
  const __provider = texts[kind];
  const type = `pulumi-nodejs:dynamic/user-groups:${kind}`;
  return { type, id, inputs: { __provider }, outputs: { ...outputs, __provider } };
}
