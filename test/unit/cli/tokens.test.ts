import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateMode } from "../../harness/run";
import { runCommand } from "./runCommand";

const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const secret = (value: unknown) => ({ ...mark, plaintext: JSON.stringify(value) });
const encrypted = { ...mark, ciphertext: "v1:" };
const userGroup = (userGroupId: string, token: object, others: object = {}) => ({
  urn: `urn:pulumi:dev::tests::user-groups:index:UserGroup::${userGroupId}`,
  type: "user-groups:index:UserGroup",
  outputs: { userGroupId, token },
  ...others,
});
const many = {
  urn: "urn:pulumi:dev::tests::pulumi-nodejs:dynamic/user-groups:UserGroups::many",
  type: "pulumi-nodejs:dynamic/user-groups:UserGroups",
  outputs: { tokens: secret({ hooli: 't0ken-"hooli' }) },
};
const stack = (outputs: object) => ({ urn: "urn:stack", type: "pulumi:pulumi:Stack", outputs });
const acme = userGroup("acme", secret("t0ken-acme"));

describe("tokens", () => {
  let file: string;
  before(async () => {
    file = join(await fs.mkdtemp(join(tmpdir(), "user-groups-tokens-")), "tokens.json");
  });
  after(() => fs.rm(join(file, ".."), { recursive: true }));
  beforeEach(() => fs.writeFile(file, "{}", { mode: 0o644 }));

  /** Asserts that no token is printed. */
  async function tokens(args: readonly string[], ...resources: readonly object[]) {
    const input = JSON.stringify({ version: 3, deployment: { resources } });
    const result = await runCommand(["tokens", ...args], { input });
    assert.doesNotMatch(result.out + result.err, /t0ken/);
    return { ...result, written: await fs.readFile(file, "utf8") };
  }

  it("replaces the file by the current tokens, those of the stack's own groups before those of lookups", async () => {
    const dead = [{ delete: true }, { pendingReplacement: true }].map((others) =>
      userGroup("globex", secret("t0ken-dead"), others),
    );
    const lookup = userGroup("acme", secret("t0ken-former"), { external: true });
    const { code, err, written } = await tokens(["--out", file], acme, many, ...dead, lookup);
    assert.deepEqual([code, err], [0, ""]);
    assert.deepEqual(JSON.parse(written), { acme: "t0ken-acme", hooli: 't0ken-"hooli' });
    assert.equal((await fs.stat(file)).mode & 0o777, privateMode);
  });

  it("are piped as CSV, current ones first, with the time of those that overlap keeps", async () => {
    const since = "2026-11-26T10:00:00.000Z";
    const former = (...all: string[]) => secret(all.map((token) => ({ providedId: "id", token, since })));
    const changed = <Resource extends { outputs: object }>(resource: Resource, outputs: object) => ({
      ...resource,
      outputs: { ...resource.outputs, ...outputs },
    });
    const globex = userGroup("globex", secret("t0ken-globex"));
    const { code, piped } = await tokens(
      ["--csv"],
      changed(acme, { overlap: true, overlapHours: 1.5, former: former("t0ken-1", "t0ken-2") }),
      changed(globex, { overlapHours: 24, former: former("t0ken-3") }),
      changed(many, { overlap: true, former: secret({ hooli: [{ token: "t0ken-4", since }] }) }),
    );
    assert.equal(code, 0);
    assert.deepEqual(piped.split("\n"), [
      '"acme","t0ken-acme",',
      '"globex","t0ken-globex",',
      '"hooli","t0ken-""hooli",',
      '"acme","t0ken-1",2026-11-26T11:30:00.000Z',
      '"acme","t0ken-2",2026-11-26T11:30:00.000Z',
      '"globex","t0ken-3",2026-11-26T10:00:00.000Z',
      '"hooli","t0ken-4",2026-11-26T10:00:00.000Z',
      "",
    ]);
  });

  it("aren't piped from a state of an earlier version, if they are former ones, nor from one without groups", async () => {
    for (const former of [
      { providedId: "acme", token: "t0ken-old" },
      [{ providedId: "acme", token: "t0ken-old" }],
    ]) {
      const outputs = { ...acme.outputs, overlap: true, former: secret(former) };
      assert.equal((await tokens(["--csv"], { ...acme, outputs })).piped, '"acme","t0ken-acme",\n');
    }
    const { code, piped, err } = await tokens(["--csv"], stack({}));
    assert.deepEqual([code, piped], [1, ""]);
    assert.match(err, /The state has no user groups/);
  });

  it("are delivered if another resource contains them, also as JSON in a text", async () => {
    const one = { one: secret("t0ken-acme") };
    const both = { ...one, all: secret(JSON.stringify({ hooli: 't0ken-"hooli' })) };
    assert.equal((await tokens(["--undelivered"], stack(both), acme, many)).code, 0);
    const { code, err } = await tokens(["--undelivered"], stack(one), acme, many);
    assert.equal(code, 1);
    assert.match(err, /^urn:.*::many has a token that wasn't delivered\. Run pulumi up, .*$/);
  });

  for (const [name, other, message] of [
    [
      "two groups with one ID",
      userGroup("acme", secret("t0ken-other")),
      /::acme has the same userGroupId as another/,
    ],
    ["an encrypted state", userGroup("acme", encrypted), /export the stack with --show-secrets/],
    ["the same of many groups", { ...many, outputs: { tokens: encrypted } }, /export the stack with --show/],
  ] as const)
    it(`writes nothing of ${name}`, async () => {
      const { code, err, written } = await tokens(["--out", file], acme, other);
      assert.deepEqual([code, written], [1, "{}"]);
      assert.match(err, message);
    });

  it("are of no source that is empty or no export, and says why", async () => {
    for (const [input, reason] of [
      [
        "",
        /^pulumi-user-groups: Standard input is empty, because the command before the pipe has failed\. .*$/,
      ],
      ["[", /^pulumi-user-groups: The source isn't an export of a Pulumi stack: its text is not JSON\.$/],
    ] as const) {
      const { code, err } = await runCommand(["tokens", "--undelivered"], { input });
      assert.equal(code, 1);
      assert.match(err, reason);
    }
  });

  it("refuses no option and both", async () => {
    for (const args of [[], ["--out", ""], ["--out", file, "--undelivered"], ["--csv", "--undelivered"]])
      assert.equal((await tokens(args)).code, 2);
  });
});
