/** What docs/security.md says of tokens and secret arguments, in all that the engine prints and writes. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { succeeds } from "../../harness/run";
import { isSecret, newFixture, packageProgram } from "../harness";
import { secretsOf } from "../harness/secrets";

const own = {
  name: "s3cret-name",
  mapping: "s3cret-mapping",
  property: "s3cret-property",
  "configured property": "s3cret-configuration",
};
const drift = "s3cret-drift";
/** The SDK notes what a program gets, the engine what it passes on. */
const inDebugNotes = ["group token", "mapping", "name", "property"];
const inVerboseLog = [...inDebugNotes, "API token", "configured property"].sort();

/** The stack searches all files after each command, and the tests what it printed. */
describe("secrecy", () => {
  const fixture = newFixture(({ apiToken }) => ({
    program: packageProgram(program),
    config: {
      "user-groups:apiToken": { secret: apiToken },
      "tests:region": { secret: own["configured property"] },
    },
    env: { PULUMI_EXPERIMENTAL: "true", USER_GROUPS_API_TOKEN: undefined },
    secrets: [...Object.values(own), drift],
  }));
  const groupTokens = new Set<string>();
  const file = (name: string) => join(fixture.stack.folder, name);
  const run = async (command: string, TENANT = "1") => {
    const args = [...command.split(" "), "--stack", "dev"];
    return succeeds(await fixture.stack.run(args, { env: { TENANT }, isPlain: true })).output;
  };
  const up = (flags: string, tenant: string) => run(`up --yes --skip-preview ${flags}`, tenant);

  /** The kinds of secrets that a text has. */
  const kindsIn = (text: string) => {
    const { emulator, stack } = fixture;
    const [apiToken = "", ...tokens] = secretsOf(emulator);
    for (const token of tokens) groupTokens.add(token);
    const passphrase = stack.env["PULUMI_CONFIG_PASSPHRASE"] ?? "";
    const kinds = Object.entries({ ...own, "API token": apiToken, passphrase });
    const found = kinds.filter(([, secret]) => text.includes(secret)).map(([kind]) => kind);
    const hasToken = [...groupTokens].some((token) => text.includes(token));
    return [...found, ...(hasToken ? ["group token"] : [])].sort();
  };
  const assertNone = (text: string) => {
    assert.deepEqual(kindsIn(text), []);
  };

  it("holds for previews, plans, updates by a plan, and for state, history and outputs", async () => {
    for (const tenant of ["1", "2"]) {
      assertNone(await run(`preview --diff --save-plan ${file("plan")}`, tenant));
      assertNone(await fs.readFile(file("plan"), "utf8"));
      assertNone(await up(`--plan ${file("plan")}`, tenant));
    }
    for (const command of ["stack export", "stack history --json", "stack output --json", "preview --json"])
      assertNone(await run(command, "2"));
    const { name, mapping, properties } = fixture.emulator.groups.get("acme") ?? {};
    assert.deepEqual([name, mapping], [`${own.name}2`, { sales: own.mapping }]);
    assert.deepEqual(properties, { region: own["configured property"], seats: [own.property, "open"] });
  });

  it("doesn't hold for the SDK's debug notes in JSON, in an event log and with --debug, nor for a verbose log", async () => {
    const output = await up(`--json --event-log ${file("events")}`, "2");
    for (const text of [output, await fs.readFile(file("events"), "utf8")]) {
      assert.deepEqual(kindsIn(text), inDebugNotes);
      for (const line of text.split("\n")) if (!line.includes('"severity":"debug"')) assertNone(line);
    }
    assert.deepEqual(kindsIn(await up("--debug", "3")), inDebugNotes);
    assert.deepEqual(kindsIn(await up("-v=9 --logtostderr", "4")), inVerboseLog);
  });

  it("holds for values that somebody else has changed, and for the destruction", async () => {
    const { emulator, stack } = fixture;
    const properties = { region: own["configured property"], seats: [drift, "open"] };
    emulator.putGroup({ userGroupId: "acme", name: drift, properties });
    succeeds(await stack.refresh({ flags: ["--diff"] }));
    assert(isSecret((await stack.resource("acme")).inputs["name"]));
    assert.match(succeeds(await stack.preview({ flags: ["--diff"] })).output, /seats *: \[secret\]/);
    assertNone(await run("destroy --yes --skip-preview"));
  });
});

/** TENANT makes another name of each. */
const program = `
  const region = new pulumi.Config().requireSecret("region");
  const name = pulumi.secret("${own.name}" + (process.env.TENANT || ""));
  new UserGroup("acme", {
    userGroupId: "acme",
    name,
    mapping: { sales: pulumi.secret("${own.mapping}") },
    properties: { region, seats: [pulumi.secret("${own.property}"), "open"] },
  });
  exports.tokens = new UserGroups("many", { groups: { initech: { name } } }).tokens;
`;
