import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../../provider/src/testing";
import { fails, newFixture, requestsTo, succeeds } from "../../engine/harness";
import { pageAt, repository } from "../pages";

const page = "docs/security.md";

describe(page, () => {
  let stranger: Emulator;
  before("somebody else's server", async () => {
    stranger = await startEmulator();
  });
  after("its end", () => stranger.stop());
  const fixture = newFixture(({ apiToken }) => ({
    program: programOf("acme"),
    secrets: [marks.secret],
    config: { "user-groups:apiToken": { secret: apiToken }, "tests:note": marks.setting },
  }));
  let base: string;
  before("a deployment, and the state for previews", async () => {
    succeeds(await fixture.stack.up());
    const { stdout } = succeeds(await fixture.stack.export());
    const script = join(repository, "examples/pipeline/advanced/ci/base-state.mjs");
    const made = spawnSync(process.execPath, [script], { input: stdout, encoding: "utf8" });
    assert.equal(made.status, 0, made.stderr);
    base = made.stdout;
  });

  /** Each value of the table → a text that shows it. */
  const textsOf: Readonly<Record<string, () => readonly string[]>> = {
    "`userGroupId`, `name`, `mapping`, `keepers`, `dataSourceProvidedId`": () =>
      [marks.name, marks.mapping, marks.keeper, marks.source].concat('"userGroupId":"acme"'),
    "`properties`": () => [marks.property],
    "arguments and outputs that are secret": () => [marks.secret, "ciphertext"],
    "`baseUrl`": () => [fixture.emulator.baseUrl],
    "other resources and outputs of the program": () => [marks.output, marks.other],
    "`token`": () => [...fixture.emulator.groups.values()].map(({ token }) => token),
    "`apiToken`": () => [fixture.emulator.apiToken],
    "plain values of the stack's configuration": () => [marks.setting],
  };
  for (const [value = "", published = ""] of pageAt(page).tables.at(-1) ?? [])
    it(`is right that base-state.json has ${value}: ${published}`, () => {
      const texts = textsOf[value]?.() ?? [];
      assert(texts.length > 0, `Nothing shows ${value}`);
      for (const text of texts) assert.equal(base.includes(text), published === "yes", value);
    });

  it("is right that the address of the environment takes precedence over that of the configuration", async () => {
    const command = ["config", "set", "--stack", "dev", "user-groups:baseUrl", stranger.baseUrl];
    succeeds(await fixture.stack.run(command));
    await fixture.stack.program(programOf("acme", "globex"));
    succeeds(await fixture.stack.up());
    assert.deepEqual(requestsTo(stranger), []);
  });

  it("is right that a changed address gets no request for groups that exist", async () => {
    const env = { USER_GROUPS_BASE_URL: undefined };
    fails(await fixture.stack.preview({ env }), /\[service-changed\]/);
    fails(
      await fixture.stack.refresh({ env: { USER_GROUPS_BASE_URL: stranger.baseUrl } }),
      /\[service-changed\]/,
    );
    assert.deepEqual(requestsTo(stranger), []);
  });

  it("is right that it gets the request for a new group", async () => {
    await fixture.stack.program(programOf("initech"));
    fails(await fixture.stack.up({ env: { USER_GROUPS_BASE_URL: undefined } }));
    assert.deepEqual(requestsTo(stranger), ['GET "initech" refused 401 (not authorized)']);
  });
});

const marks = {
  name: "name-of-acme",
  mapping: "warehouse-of-acme",
  keeper: "keeper-of-acme",
  source: "source-of-acme",
  property: "property-of-acme",
  secret: "licence-of-acme",
  output: "output-of-the-program",
  other: "other-resource",
  setting: "setting-of-the-stack",
};

function programOf(...ids: string[]): string {
  return `
    const pulumi = require("@pulumi/pulumi");
    const { UserGroup } = require("pulumi-user-groups");
    const { name, mapping, keeper, source, property, secret, output, other } = ${JSON.stringify(marks)};
    new pulumi.ComponentResource("tests:Other", other);
    const args = {
      name, mapping: { sales: mapping }, keepers: { keeper }, dataSourceProvidedId: source,
      properties: { property, licence: pulumi.secret(secret) },
    };
    const groups = ${JSON.stringify(ids)}.map((userGroupId) => new UserGroup(userGroupId, { userGroupId, ...args }));
    exports.tokens = groups.map(({ token }) => token);
    exports.note = output;
  `;
}
