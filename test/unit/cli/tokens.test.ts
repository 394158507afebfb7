import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { privateMode, withFolder, writeProgram } from "../../support/harness/run";
import { encrypted, exportOf, secretOf, urnOf, userGroup } from "./exports";
import { replaceFile } from "../../../provider/cli/writeFiles";
import { runCommand } from "./runCommand";

const baseUrl = "https://analytics.example.com";
const one = (userGroupId: string, token: string, outputs: object = {}, others: object = {}) =>
  userGroup(userGroupId, { name: "N", token: secretOf(token), adopted: false, baseUrl, ...outputs }, others);
const many = (outputs: object = {}) => ({
  urn: "urn:pulumi:dev::tests::pulumi-nodejs:dynamic/user-groups:UserGroups::many",
  type: "pulumi-nodejs:dynamic/user-groups:UserGroups",
  outputs: {
    groups: { hooli: { name: "N" }, 7: { name: "N" } },
    tokens: secretOf({ hooli: 't0ken-"hooli', 7: "t0ken-7" }),
    adopted: ["hooli"],
    baseUrl,
    ...outputs,
  },
});
const stack = (outputs: object) => ({ urn: "urn:stack", type: "pulumi:pulumi:Stack", outputs });
const acme = one("acme", "t0ken-acme");
const acmeInUs = one("acme", "t0ken-us", { baseUrl: "https://us.example.com/a" });
const former = (token: string, until: string) => [
  { providedId: token.replace("t0ken-", "id~"), token, until: `${until}:00.000Z`, name: "N" },
];
const withFormer = [
  one("acme", "t0ken-acme", {
    former: secretOf(former("t0ken-1", "2026-11-26T11:30")),
    providedId: "acme~1",
  }),
  one("globex", "t0ken-globex", { former: secretOf(former("t0ken-2", "2026-11-27T10:00")) }),
  many({ former: secretOf({ hooli: former("t0ken-3", "2026-11-26T12:00") }) }),
];

describe("tokens", () => {
  it("replaces what a link leads to by the current tokens in the order of IDs, those of own groups before those of lookups", async () => {
    const deleted = one("globex", "t0ken-dead", {}, { delete: true });
    const replaced = one("globex", "t0ken-dead", {}, { pendingReplacement: true });
    const lookup = one("acme", "t0ken-former", {}, { external: true });
    const { code, err, written, mode } = await toFile(acme, many(), deleted, replaced, lookup);
    assert.deepEqual([code, err, mode], [0, "", privateMode]);
    assert.equal(written, '{"7":"t0ken-7","acme":"t0ken-acme","hooli":"t0ken-\\"hooli"}');
  });

  for (const [message, ...others] of [
    [/The state has no user groups, .* Is another stack selected\?$/, stack({})],
    [
      /::acme has the same userGroupId as another .* has moved .* of two accounts/,
      acme,
      one("acme", "t0ken-other"),
    ],
    [/::acme has the same userGroupId as another .* with --base-url\.$/, acme, acmeInUs],
    [/::many is encrypted: export the stack with --show-secrets/, many({ tokens: encrypted })],
    [
      /::many can't be read\. .* "acme" is invalid: its token is missing/,
      many({ groups: { acme: { name: "N" } } }),
    ],
    [
      /^\S+: A secret of the export isn't JSON\. Export the stack again\.$/,
      userGroup("globex", { token: { ...secretOf(""), plaintext: "t0ken" } }),
    ],
  ] as const)
    it(`writes nothing if it fails: ${message.source}`, async () => {
      const { code, err, written } = await toFile(...others);
      assert.deepEqual([code, written], [1, "{}"]);
      assert.match(err, message);
    });

  it("are piped as CSV by ID, the current one first, with the time of those that overlap keeps, or of one service", async () => {
    const { code, piped } = await tokens(["--csv"], ...withFormer);
    assert.equal(code, 0);
    assert.deepEqual(piped.split("\n"), [
      '"7","t0ken-7",',
      '"acme","t0ken-acme",',
      '"acme","t0ken-1",2026-11-26T11:30:00.000Z',
      '"globex","t0ken-globex",',
      '"globex","t0ken-2",2026-11-27T10:00:00.000Z',
      '"hooli","t0ken-""hooli",',
      '"hooli","t0ken-3",2026-11-26T12:00:00.000Z',
      "",
    ]);
    const ofUs = await tokens(["--csv", "--base-url", "https://US.example.com/a/"], acme, acmeInUs);
    assert.equal(ofUs.piped, '"acme","t0ken-us",\n');
    assert.equal((await tokens(["--csv", "--base-url", "us.example.com"], acme)).code, 2);
  });

  it("are delivered if another resource contains them, also as JSON in a text", async () => {
    const part = { one: secretOf("t0ken-acme") };
    const all = { ...part, all: secretOf(JSON.stringify({ hooli: 't0ken-"hooli', 7: "t0ken-7" })) };
    assert.equal((await tokens(["--undelivered"], stack(all), acme, many())).code, 0);
    const { code, err } = await tokens(["--undelivered"], stack(part), acme, many());
    assert.equal(code, 1);
    assert.match(err, /^urn:.*::many has a token that wasn't delivered\. Run pulumi up, .*$/);
  });

  for (const [input, reason] of [
    ["", /: Standard input is empty\. If the command before the pipe has failed, .*$/],
    ["[", /: The source isn't an export of a Pulumi stack: its text is not JSON\.$/],
  ] as const)
    it(`are of no source that is "${input}": ${reason.source}`, async () => {
      const { code, piped, err } = await runCommand(["tokens", "--csv"], { input });
      assert.deepEqual([code, piped], [1, ""]);
      assert.match(err, reason);
    });
});

describe("a file that is replaced as a whole", () => {
  for (const [code, message] of [
    ["EBUSY", /tokens\.json is a mount of a single file: mount its folder\.$/],
    ["EROFS", /tokens\.json can't be replaced: the folder .* \(EROFS\)\.$/],
  ] as const)
    it(`stays as it was, and a reason is given for ${code}`, () =>
      withFolder(async (folder) => {
        const file = join(folder, "tokens.json");
        await fs.writeFile(file, "{}");
        const rename = () => Promise.reject(Object.assign(new Error("raw"), { code }));
        await assert.rejects(replaceFile(file, "{}\n", rename), message);
        assert.deepEqual(await fs.readdir(folder), ["tokens.json"]);
        assert.equal(await fs.readFile(file, "utf8"), "{}");
      }));

  it("has a folder, and is none", () =>
    withFolder(async (folder) => {
      await assert.rejects(replaceFile(join(folder, "no/tokens.json"), "{}"), /folder .*no doesn't exist\.$/);
      await assert.rejects(replaceFile(folder, "{}"), / isn't a file that can be replaced\.$/);
      assert.deepEqual(await fs.readdir(folder), []);
    }));
});

describe("an export", () => {
  /** A pulumi that checks its arguments, and prints the export or fails. */
  const exportedBy = (name: string, args: readonly string[]) =>
    withFolder(async (folder) => {
      const text = JSON.stringify(exportOf(acme, stack({ large: "x".repeat(2 ** 21) })));
      await writeProgram(
        folder,
        "pulumi",
        `const args = process.argv.slice(2).join(" ");
        if (args === "stack export --show-secrets --non-interactive --stack dev") process.stdout.write(${JSON.stringify(text)});
        else { process.stderr.write("error: no stack named 'nope' found"); process.exitCode = 255; }`,
      );
      const PATH = [folder, dirname(process.execPath), process.env["PATH"]].join(delimiter);
      return runCommand([...args, "--stack", name], { environment: { PATH } });
    });

  it("is that of --stack, of any size", async () => {
    assert.match((await exportedBy("dev", ["list"])).out, /^acme /m);
    assert.equal((await exportedBy("dev", ["tokens", "--csv"])).piped, '"acme","t0ken-acme",\n');
  });

  it("fails with Pulumi's own reason, and of no name that a shell could run", async () => {
    const { code, err } = await exportedBy("nope", ["tokens", "--csv"]);
    assert.deepEqual(
      [code, err],
      [1, "pulumi-user-groups: The stack nope can't be exported: no stack named 'nope' found"],
    );
    assert.equal((await exportedBy("dev & calc", ["list"])).code, 2);
  });

  for (const args of [["list"], ["tokens", "--csv"]])
    it(`that a person types is asked for by ${args[0]}`, async () => {
      const { err } = await runCommand(args, {
        input: JSON.stringify(exportOf(acme)),
        isInputTerminal: true,
      });
      assert.equal(
        err,
        "Reading the output of pulumi stack export --show-secrets (or set --stack) from this terminal, until Ctrl-D.",
      );
    });
});

describe("a line break in an ID or a name", () => {
  const forging = "a\n7  7  created  a";
  const row = JSON.stringify(forging).slice(1, -1);
  const hostile = one(forging, "t0ken-a", { providedId: forging }, { urn: urnOf(forging) });

  it("makes no line of its own in list and in messages", async () => {
    const { out } = await listed([], hostile);
    assert.deepEqual(out.split("\n").slice(1), [`${row}  ${row}  created  ${row}`]);
    const { err } = await tokens(["--undelivered"], stack({}), hostile);
    assert.deepEqual(err.split("\n").length, 1, err);
    const unreadable = userGroup("a", { token: encrypted }, { urn: urnOf(forging) });
    assert.deepEqual((await listed([], unreadable)).err.split("\n").length, 1);
  });
});

describe("list", () => {
  it("prints each group of the stack in the service, without a token", async () => {
    const lookup = one("zeta", "t0ken-former", {}, { external: true });
    const { code, out } = await listed([], ...withFormer, lookup);
    assert.equal(code, 0);
    assert.deepEqual(
      out.split("\n").map((line) => line.trimEnd().split(/ {2,}/)),
      [
        ["CUSTOMER", "ID IN THE SERVICE", "GROUP", "RESOURCE"],
        ["7", "7", "created", "many"],
        ["acme", "acme~1", "created", "acme"],
        ["acme", "id~1", "former until 2026-11-26T11:30:00.000Z", "acme"],
        ["globex", "globex", "created", "globex"],
        ["globex", "id~2", "former until 2026-11-27T10:00:00.000Z", "globex"],
        ["hooli", "hooli", "adopted", "many"],
        ["hooli", "id~3", "former until 2026-11-26T12:00:00.000Z", "many"],
      ],
    );
    const json = await listed(["--json"], ...withFormer.slice(0, 1));
    const kept = [{ providedId: "id~1", until: "2026-11-26T11:30:00.000Z" }];
    const listedAcme = { userGroupId: "acme", providedId: "acme~1", adopted: false, former: kept };
    assert.deepEqual(JSON.parse(json.out), [{ ...listedAcme, resource: urnOf("acme") }]);
    assert.match((await listed([], stack({}))).out, /^The state has no user groups\.$/);
  });
});

function listed(args: readonly string[], ...resources: readonly object[]) {
  return runCommand(["list", ...args], { input: JSON.stringify(exportOf(...resources)) });
}

function tokens(args: readonly string[], ...resources: readonly object[]) {
  return runCommand(["tokens", ...args], { input: JSON.stringify(exportOf(...resources)) });
}

/** With `--out`, a link to a file that exists. */
function toFile(...resources: readonly object[]) {
  return withFolder(async (folder) => {
    const file = join(folder, "tokens.json");
    const link = join(folder, "link.json");
    await fs.writeFile(file, "{}", { mode: 0o644 });
    await fs.symlink(file, link);
    const result = await tokens(["--out", link], ...resources);
    const { mode } = await fs.stat(file);
    assert((await fs.lstat(link)).isSymbolicLink());
    assert.equal((await fs.readdir(folder)).length, 2);
    return { ...result, written: await fs.readFile(file, "utf8"), mode: mode & 0o777 };
  });
}
