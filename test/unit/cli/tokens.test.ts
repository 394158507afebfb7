import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "./runCommand";

const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const secret = (value: unknown) => ({ ...mark, plaintext: JSON.stringify(value) });
const userGroup = (name: string, token: unknown, others: object = {}) => ({
  urn: `urn:pulumi:dev::tests::user-groups:index:UserGroup::${name}`,
  type: "user-groups:index:UserGroup",
  id: name,
  outputs: { userGroupId: name, name: "Acme", token, adopted: false },
  ...others,
});
const userGroups = {
  urn: "urn:pulumi:dev::tests::pulumi-nodejs:dynamic/user-groups:UserGroups::many",
  type: "pulumi-nodejs:dynamic/user-groups:UserGroups",
  id: "user-groups",
  outputs: { groups: secret({ hooli: { name: "Hooli" } }), tokens: secret({ hooli: 't0ken-"hooli' }) },
};
const stack = (outputs: object) => ({
  ...{ urn: "urn:pulumi:dev::tests::pulumi:pulumi:Stack::tests-dev", type: "pulumi:pulumi:Stack" },
  outputs,
});
const acme = userGroup("acme", secret("t0ken-acme"));

describe("tokens", () => {
  let folder: string;
  before(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), "user-groups-tokens-"));
  });
  after(() => fs.rm(folder, { recursive: true }));

  /** Asserts that no token is printed. */
  async function tokens(args: readonly string[], ...resources: readonly object[]) {
    const input = JSON.stringify({ version: 3, deployment: { resources } });
    const result = await runCommand(["tokens", ...args], { input });
    assert.doesNotMatch(result.out + result.err, /t0ken/);
    return result;
  }

  it("replaces a file by the current tokens of all groups, for its owner only", async () => {
    const file = join(folder, "tokens.json");
    await fs.writeFile(file, "former", { mode: 0o644 });
    const dead = { delete: true, outputs: { ...acme.outputs, token: secret("t0ken-dead") } };
    const resources = [acme, userGroup("acme", "", dead), userGroups, userGroup("b", secret("t0ken-b"))];
    const replaced = userGroup("globex", secret("t0ken-globex"), { pendingReplacement: true });
    const lookup = userGroup("acme", secret("t0ken-former"), { external: true });
    const { code, err } = await tokens(["--out", file], ...resources, replaced, lookup);
    assert.deepEqual([code, err], [0, ""]);
    const written = JSON.parse(await fs.readFile(file, "utf8")) as unknown;
    assert.deepEqual(written, { acme: "t0ken-acme", hooli: 't0ken-"hooli', b: "t0ken-b" });
    assert.equal((await fs.stat(file)).mode & 0o777, 0o600);
  });

  it("are delivered if the outputs or another resource has them, also as JSON in a text", async () => {
    const inText = stack({
      one: secret("t0ken-acme"),
      all: secret(JSON.stringify({ hooli: 't0ken-"hooli' })),
    });
    assert.deepEqual(await tokens(["--delivered"], inText, acme, userGroups), { code: 0, out: "", err: "" });
    const { code, err } = await tokens(
      ["--delivered"],
      stack({ one: secret("t0ken-acme") }),
      acme,
      userGroups,
    );
    assert.equal(code, 1);
    assert.match(err, /^urn:.*::many: a token wasn't delivered\. Run pulumi up, and deliver the tokens\.$/);
  });

  const other = userGroup("acme", secret("t0ken-other"));
  const encrypted = userGroup("acme", { ...mark, ciphertext: "v1:" });
  for (const [name, resources, message] of [
    ["two groups with one ID", [acme, other], /has a group whose userGroupId is that of another group/],
    ["an encrypted state", [encrypted], /::acme is encrypted: export the stack with --show-secrets/],
  ] as const)
    it(`writes nothing of ${name}`, async () => {
      const file = join(folder, "nothing.json");
      const { code, err } = await tokens(["--out", file], ...resources);
      assert.equal(code, 1);
      assert.match(err, message);
      await assert.rejects(fs.stat(file), /ENOENT/);
    });

  it("refuses other input without repeating it, and wrong options", async () => {
    const wrong = await runCommand(["tokens", "--delivered"], { input: "t0ken" });
    assert.deepEqual([wrong.code, wrong.err.includes("t0ken")], [1, false]);
    for (const args of [[], ["--out", ""], ["--out", "a", "--delivered"]])
      assert.equal((await tokens(args)).code, 2);
  });
});
