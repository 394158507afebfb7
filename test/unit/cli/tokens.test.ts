import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { privateMode, withFolder } from "../../harness/run";
import { encrypted, exportOf, secretOf, userGroup } from "./exports";
import { runCommand } from "./runCommand";

const one = (userGroupId: string, token: string, outputs: object = {}, others: object = {}) =>
  userGroup(userGroupId, { token: secretOf(token), ...outputs }, others);
const many = (outputs: object = {}) => ({
  urn: "urn:pulumi:dev::tests::pulumi-nodejs:dynamic/user-groups:UserGroups::many",
  type: "pulumi-nodejs:dynamic/user-groups:UserGroups",
  outputs: { tokens: secretOf({ hooli: 't0ken-"hooli' }), ...outputs },
});
const stack = (outputs: object) => ({ urn: "urn:stack", type: "pulumi:pulumi:Stack", outputs });
const acme = one("acme", "t0ken-acme");

describe("tokens", () => {
  it("replaces the file by the current tokens, those of the stack's own groups before those of lookups", async () => {
    const deleted = one("globex", "t0ken-dead", {}, { delete: true });
    const replaced = one("globex", "t0ken-dead", {}, { pendingReplacement: true });
    const lookup = one("acme", "t0ken-former", {}, { external: true });
    const { code, err, written, mode } = await toFile(acme, many(), deleted, replaced, lookup);
    assert.deepEqual([code, err], [0, ""]);
    assert.deepEqual(JSON.parse(written), { acme: "t0ken-acme", hooli: 't0ken-"hooli' });
    assert.equal(mode, privateMode);
  });

  for (const [message, other] of [
    [/::acme has the same userGroupId as another/, one("acme", "t0ken-other")],
    [/::acme can't be read: export the stack with --show-secrets/, userGroup("acme", { token: encrypted })],
    [/::many can't be read: export the stack with --show-secrets/, many({ tokens: encrypted })],
    [
      /::many can't be read: some are missing.*pulumi up --refresh/,
      many({ groups: { hooli: {}, acme: {} } }),
    ],
    [/::globex can't be read: some are missing/, userGroup("globex", { token: secretOf("") })],
    [
      /^\S+: A secret of the export isn't JSON, so/,
      userGroup("globex", { token: { ...secretOf(""), plaintext: "t0ken" } }),
    ],
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
      const to = (out: string) =>
        runCommand(["tokens", "--out", out], { input: JSON.stringify(exportOf(acme)) });
      assert.equal((await to(link)).code, 0);
      assert.deepEqual(JSON.parse(await fs.readFile(file, "utf8")), { acme: "t0ken-acme" });
      assert.match((await to(folder)).err, /isn't a file that can be replaced/);
      assert.deepEqual((await fs.readdir(folder)).sort(), ["link.json", "tokens.json"]);
    }));

  it("are piped as CSV, current ones first, with the time of those that overlap keeps", async () => {
    const since = "2026-11-26T10:00:00.000Z";
    const former = (token: string) => [{ providedId: "id", token, since }];
    const { code, piped } = await tokens(
      ["--csv"],
      one("acme", "t0ken-acme", { overlap: true, overlapHours: 1.5, former: secretOf(former("t0ken-1")) }),
      one("globex", "t0ken-globex", { overlapHours: 24, former: secretOf(former("t0ken-2")) }),
      many({ overlap: true, former: secretOf({ hooli: former("t0ken-3") }) }),
      one("old", "t0ken-old", { overlap: true, former: secretOf({ token: "of an earlier version" }) }),
    );
    assert.equal(code, 0);
    assert.deepEqual(piped.split("\n"), [
      '"acme","t0ken-acme",',
      '"globex","t0ken-globex",',
      '"hooli","t0ken-""hooli",',
      '"old","t0ken-old",',
      '"acme","t0ken-1",2026-11-26T11:30:00.000Z',
      '"globex","t0ken-2",2026-11-26T10:00:00.000Z',
      '"hooli","t0ken-3",2026-11-26T10:00:00.000Z',
      "",
    ]);
  });

  it("are delivered if another resource contains them, also as JSON in a text", async () => {
    const part = { one: secretOf("t0ken-acme") };
    const all = { ...part, all: secretOf(JSON.stringify({ hooli: 't0ken-"hooli' })) };
    assert.equal((await tokens(["--undelivered"], stack(all), acme, many())).code, 0);
    const { code, err } = await tokens(["--undelivered"], stack(part), acme, many());
    assert.equal(code, 1);
    assert.match(err, /^urn:.*::many has a token that wasn't delivered\. Run pulumi up, .*$/);
  });

  for (const [input, reason] of [
    ["", /: Standard input is empty, because the command before the pipe has failed\. .*$/],
    ["[", /: The source isn't an export of a Pulumi stack: its text is not JSON\.$/],
    [JSON.stringify(exportOf(stack({}))), /The state has no user groups/],
  ] as const)
    it(`are of no source that is "${input}": ${reason.source}`, async () => {
      const { code, piped, err } = await runCommand(["tokens", "--csv"], { input });
      assert.deepEqual([code, piped], [1, ""]);
      assert.match(err, reason);
    });
});

function tokens(args: readonly string[], ...resources: readonly object[]) {
  return runCommand(["tokens", ...args], { input: JSON.stringify(exportOf(...resources)) });
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
