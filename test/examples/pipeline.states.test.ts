import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

const folder = resolve(__dirname, "../../examples/pipeline");
const dynamic = "pulumi-nodejs:dynamic/user-groups";
const plugin = "user-groups:index";

describe("examples/pipeline: the hash of the tokens", () => {
  const hashOf = (...resources: object[]) => filtered("ci/tokens.mjs", { deployment: { resources } });
  const group = (type: string, outputs: object, urn = "a") => ({ type, urn, outputs });

  for (const type of [dynamic, plugin])
    it(`differs if a token differs, in resources of ${type}`, () => {
      const one = hashOf(
        group(`${type}:UserGroup`, { token: "1" }),
        group(`${type}:UserGroups`, { tokens: { a: "1" } }),
      );
      assert.match(one, /^[0-9a-f]{64}\n$/);
      for (const other of [
        hashOf(
          group(`${type}:UserGroup`, { token: "2" }),
          group(`${type}:UserGroups`, { tokens: { a: "1" } }),
        ),
        hashOf(
          group(`${type}:UserGroup`, { token: "1" }),
          group(`${type}:UserGroups`, { tokens: { a: "2" } }),
        ),
        hashOf(group(`${type}:UserGroup`, { token: "1" })),
      ])
        assert.notEqual(other, one);
    });

  it("is the same if something else differs", () => {
    const one = hashOf(group(`${dynamic}:UserGroup`, { token: "1", name: "A" }));
    assert.equal(hashOf(group(`${dynamic}:UserGroup`, { token: "1", name: "B" })), one);
    assert.equal(
      hashOf(group(`${dynamic}:UserGroup`, { token: "1" }), group("other:Thing", { token: "2" })),
      one,
    );
  });

  it("is that of no token for an empty state", () => {
    assert.equal(filtered("ci/tokens.mjs", { deployment: {} }), hashOf());
  });
});

describe("examples/pipeline: the state without secrets", () => {
  const secret = {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    ciphertext: "v1:hidden",
  };
  const baseOf = (resource: object) =>
    filtered("advanced/ci/base-state.mjs", {
      version: 3,
      deployment: { manifest: {}, secrets_providers: { state: "hidden" }, resources: [resource] },
    });

  for (const type of [dynamic, plugin]) {
    it(`has no secret at any depth, in resources of ${type}`, () => {
      const base = baseOf({
        type: `${type}:UserGroup`,
        id: "acme",
        inputs: { properties: { list: [secret, { deep: secret }] } },
        outputs: { token: secret },
      });
      assert.doesNotMatch(base, /hidden/);
      assert.match(base, /"id":"acme"/);
    });

    it(`has no secret ID of a group, in resources of ${type}`, () => {
      const initErrors = ['user group "hidden" failed'];
      const one = { id: "hidden", inputs: { userGroupId: secret }, outputs: { userGroupId: secret } };
      const many = {
        id: "a",
        inputs: { groups: secret },
        outputs: { groups: secret, adopted: ["hidden"], tokens: secret },
      };
      assert.doesNotMatch(baseOf({ type: `${type}:UserGroup`, ...one, initErrors }), /hidden/);
      assert.doesNotMatch(baseOf({ type: `${type}:UserGroups`, ...many, initErrors }), /hidden/);
    });

    it(`names a token for each group, for programs that read one, in resources of ${type}`, () => {
      const groups = { acme: { name: "Acme" }, globex: { name: "Globex" } };
      const base = baseOf({ type: `${type}:UserGroups`, id: "a", outputs: { groups, tokens: secret } });
      assert.match(base, /"tokens":\{"acme":"redacted","globex":"redacted"\}/);
    });
  }
});

function filtered(script: string, state: object): string {
  const input = JSON.stringify(state);
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, script)], {
    input,
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  return stdout;
}
