import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { privateMode, withFolder } from "../../harness/run";
import { runCommand } from "./runCommand";

const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const secret = (value: unknown) => ({ ...mark, plaintext: JSON.stringify(value) });
const encrypted = { ...mark, ciphertext: "v1:" };
const userGroup = (userGroupId: string, token: object, outputs: object = {}, others: object = {}) => ({
  urn: `urn:pulumi:dev::tests::user-groups:index:UserGroup::${userGroupId}`,
  type: "user-groups:index:UserGroup",
  outputs: { userGroupId, token, ...outputs },
  ...others,
});
const many = (outputs: object = {}) => ({
  urn: "urn:pulumi:dev::tests::pulumi-nodejs:dynamic/user-groups:UserGroups::many",
  type: "pulumi-nodejs:dynamic/user-groups:UserGroups",
  outputs: { tokens: secret({ hooli: 't0ken-"hooli' }), ...outputs },
});
const stack = (outputs: object) => ({ urn: "urn:stack", type: "pulumi:pulumi:Stack", outputs });
const acme = userGroup("acme", secret("t0ken-acme"));

describe("tokens", () => {
  it("replaces the file by the current tokens, those of the stack's own groups before those of lookups", async () => {
    const dead = [{ delete: true }, { pendingReplacement: true }].map((others) =>
      userGroup("globex", secret("t0ken-dead"), {}, others),
    );
    const lookup = userGroup("acme", secret("t0ken-former"), {}, { external: true });
    const { code, err, written, mode } = await toFile(acme, many(), ...dead, lookup);
    assert.deepEqual([code, err], [0, ""]);
    assert.deepEqual(JSON.parse(written), { acme: "t0ken-acme", hooli: 't0ken-"hooli' });
    assert.equal(mode, privateMode);
  });

  for (const [message, other] of [
    [/::acme has the same userGroupId as another/, userGroup("acme", secret("t0ken-other"))],
    [/::acme can't be read: export the stack with --show-secrets/, userGroup("acme", encrypted)],
    [/::many can't be read: export the stack with --show-secrets/, many({ tokens: encrypted })],
    [
      /::many can't be read: some are missing.*pulumi up --refresh/,
      many({ groups: { hooli: {}, acme: {} } }),
    ],
    [/::globex can't be read: some are missing/, userGroup("globex", secret(""))],
    [/^\S+: A secret of the export isn't JSON, so/, userGroup("globex", { ...mark, plaintext: "t0ken" })],
  ] as const)
    it(`writes nothing if it fails: ${message.source}`, async () => {
      const { code, err, written } = await toFile(acme, other);
      assert.deepEqual([code, written], [1, "{}"]);
      assert.match(err, message);
    });

  it("replace what a link leads to, and no folder", async () =>
    withFolder(async (folder) => {
      const [link, file] = [join(folder, "link.json"), join(folder, "tokens.json")];
      await fs.writeFile(file, "{}");
      await fs.symlink(file, link);
      const to = (out: string) => runCommand(["tokens", "--out", out], { input: exportOf([acme]) });
      assert.equal((await to(link)).code, 0);
      assert.deepEqual(JSON.parse(await fs.readFile(file, "utf8")), { acme: "t0ken-acme" });
      assert.match((await to(folder)).err, /isn't a file that can be replaced/);
      assert.deepEqual((await fs.readdir(folder)).sort(), ["link.json", "tokens.json"]);
    }));

  it("are piped as CSV, current ones first, with the time of those that overlap keeps", async () => {
    const since = "2026-11-26T10:00:00.000Z";
    const former = (...all: string[]) => secret(all.map((token) => ({ providedId: "id", token, since })));
    const ofEarlierVersions = [{ token: "t0ken-old" }, [{ token: "t0ken-old" }]].map((old, n) =>
      userGroup(`old-${n}`, secret(`t0ken-${n}`), { overlap: true, former: secret(old) }),
    );
    const { code, piped } = await tokens(
      ["--csv"],
      userGroup("acme", secret("t0ken-acme"), {
        overlap: true,
        overlapHours: 1.5,
        former: former("t0ken-1"),
      }),
      userGroup("globex", secret("t0ken-globex"), { overlapHours: 24, former: former("t0ken-2") }),
      many({ overlap: true, former: secret({ hooli: [{ token: "t0ken-3", since }] }) }),
      ...ofEarlierVersions,
    );
    assert.equal(code, 0);
    assert.deepEqual(piped.split("\n"), [
      '"acme","t0ken-acme",',
      '"globex","t0ken-globex",',
      '"hooli","t0ken-""hooli",',
      '"old-0","t0ken-0",',
      '"old-1","t0ken-1",',
      '"acme","t0ken-1",2026-11-26T11:30:00.000Z',
      '"globex","t0ken-2",2026-11-26T10:00:00.000Z',
      '"hooli","t0ken-3",2026-11-26T10:00:00.000Z',
      "",
    ]);
  });

  it("are delivered if another resource contains them, also as JSON in a text", async () => {
    const one = { one: secret("t0ken-acme") };
    const both = { ...one, all: secret(JSON.stringify({ hooli: 't0ken-"hooli' })) };
    assert.equal((await tokens(["--undelivered"], stack(both), acme, many())).code, 0);
    const { code, err } = await tokens(["--undelivered"], stack(one), acme, many());
    assert.equal(code, 1);
    assert.match(err, /^urn:.*::many has a token that wasn't delivered\. Run pulumi up, .*$/);
  });

  for (const [input, reason] of [
    ["", /: Standard input is empty, because the command before the pipe has failed\. .*$/],
    ["[", /: The source isn't an export of a Pulumi stack: its text is not JSON\.$/],
    [exportOf([stack({})]), /The state has no user groups/],
  ] as const)
    it(`are of no source that is "${input}": ${reason.source}`, async () => {
      const { code, piped, err } = await runCommand(["tokens", "--csv"], { input });
      assert.deepEqual([code, piped], [1, ""]);
      assert.match(err, reason);
    });

  it("refuses no option and both", async () => {
    for (const args of [[], ["--out", ""], ["--csv", "--undelivered"]])
      assert.equal((await tokens(args)).code, 2);
  });
});

/** Asserts that no token is printed. */
async function tokens(args: readonly string[], ...resources: readonly object[]) {
  const result = await runCommand(["tokens", ...args], { input: exportOf(resources) });
  assert.doesNotMatch(result.out + result.err, /t0ken/);
  return result;
}

/** With `--out`, and a file that exists. */
function toFile(...resources: readonly object[]) {
  return withFolder(async (folder) => {
    const file = join(folder, "tokens.json");
    await fs.writeFile(file, "{}", { mode: 0o644 });
    const result = await tokens(["--out", file], ...resources);
    const { mode } = await fs.stat(file);
    return { ...result, written: await fs.readFile(file, "utf8"), mode: mode & 0o777 };
  });
}

function exportOf(resources: readonly object[]): string {
  return JSON.stringify({ version: 3, deployment: { resources } });
}
