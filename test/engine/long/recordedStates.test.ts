/** States that released versions wrote, as `pulumi stack export` gives them, with what the service held then. */
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import * as manifest from "../../../package.json";
import type { Emulator } from "../../../provider/src/testing";
import {
  fails,
  isSecret,
  newFixture,
  packageProgram,
  pluginProgram,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
  type Result,
} from "../harness";

const fixtures = resolve(__dirname, "../../fixtures/state");
const versions = fs.readdirSync(fixtures).sort();
/** It protects the tokens of an emulator only. */
const passphrase = "passphrase of the recorded states";

/** TENANT in the environment of the program is a part of each group's name. Its second service is the first under another name. */
function newFixtureOf(version: string) {
  const program = fs.readFileSync(join(fixtures, version, "program.txt"), "utf8");
  const fixture = newFixture(({ baseUrl, apiToken }) => ({
    program,
    env: {
      PULUMI_CONFIG_PASSPHRASE: passphrase,
      USER_GROUPS_EU_BASE_URL: baseUrl,
      USER_GROUPS_EU_API_TOKEN: apiToken,
    },
    secrets: [passphrase],
  }));
  return { program, fixture };
}

/** `RECORD_STATE=true npm run test:long -- test/engine/long/recordedStates.test.ts` records this version's only. */
const isRecording = process.env["RECORD_STATE"] === "true";
if (isRecording)
  describe("the state of this version", () => {
    const { program, fixture } = newFixtureOf(versions.at(-1) ?? "");

    it("is recorded", async () => {
      const { emulator, stack } = fixture;
      emulator.putGroup({ userGroupId: "adopted", name: "Tenant adopted" });
      succeeds(await stack.up());
      const { stdout } = succeeds(await stack.run(["stack", "export", "--stack", "dev"]));
      const folder = join(fixtures, manifest.version);
      fs.mkdirSync(folder);
      const write = (name: string, text: string) => {
        fs.writeFileSync(join(folder, name), text);
      };
      write("program.txt", program);
      write("stack.json", `${JSON.stringify(JSON.parse(stdout), withoutPlaces)}\n`);
      write("groups.json", `${JSON.stringify([...emulator.groups.values()])}\n`);
    });
  });

for (const version of isRecording ? [] : versions)
  describe(`the state that ${version} wrote`, () => {
    const { program, fixture } = newFixtureOf(version);
    let former: Record<string, string>;
    const importState = async () => {
      restoreGroups(version, fixture.emulator);
      const file = join(fixtures, version, "stack.json");
      succeeds(await fixture.stack.run(["stack", "import", "--stack", "dev", "--file", file]));
    };
    before("its groups and its stack", async () => {
      await importState();
      former = tokensOf(fixture.emulator);
    });
    const assertRequests = (...lines: readonly ((id: string) => string)[]) => {
      const all = Object.keys(former).flatMap((id) => lines.map((line) => line(id)));
      assert.deepEqual(requestsTo(fixture.emulator).sort(), all.sort());
      fixture.emulator.clearRequests();
    };
    const deleted = (id: string) => `DELETE "${id}" deleted 200`;

    it("is refreshed without a new token, gets the address, which 0.1.0 lacks, and needs no change by its own program", async () => {
      const { emulator, stack } = fixture;
      assertUnchanged(succeeds(await stack.refresh()));
      assertRequests((id) => `GET "${id}" returned 200`);
      const ours = (await stack.resources()).filter(({ type }) => /:UserGroups?$/.test(type));
      for (const { outputs } of ours) assert.equal(outputs["baseUrl"], emulator.baseUrl);
      assertUnchanged(succeeds(await stack.up()));
      assertRequests();
      assert.deepEqual(await stack.plainOutputs(), { tokens: former });
    });

    it("has its groups renamed, each by a deletion with its token and a creation", async () => {
      const up = succeeds(await fixture.stack.up({ env: { TENANT: "Customer" } }));
      assert.deepEqual(stepsOf(up, "plain"), ["delete-replaced", "replace", "create-replacement"]);
      assert.deepEqual(stepsOf(up, "many"), ["update"]);
      assertRequests(deleted, (id) => `GET "${id}" created 200`);
      for (const { name } of fixture.emulator.groups.values()) assert.match(name, /^Customer /);
      assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: tokensOf(fixture.emulator) });
    });

    it("is destroyed as it was, without a change before that", async () => {
      await importState();
      succeeds(await fixture.stack.destroy());
      assertRequests(deleted);
      assert.deepEqual(await fixture.stack.resources(), []);
    });

    it("moves to the plugin in one up, without a request or a new token, after a refresh", async () => {
      const { emulator, stack } = fixture;
      await importState();
      const withPlugin = pluginProgram(moved(program));
      await stack.program(withPlugin);
      if (version === "0.1.0")
        fails(await stack.preview(), /has the connection "eu".*Run pulumi refresh.*\[state-invalid\]/s);
      assertRequests();
      await stack.program({ ...packageProgram(""), "index.js": program });
      succeeds(await stack.refresh());
      emulator.clearRequests();
      await stack.program(withPlugin);
      const up = succeeds(await stack.up());
      for (const name of ["plain", "full", "sealed", "adopted", "elsewhere", "many"])
        assert.deepEqual(stepsOf(up, name), ["update"], name);
      assertRequests();
      assert.deepEqual(await stack.plainOutputs(), { tokens: former });
      assert(isSecret((await stack.resource("sealed")).outputs["token"]));
    });
  });

const storedGroups = z.array(
  z.object({
    userGroupId: z.string(),
    name: z.string(),
    mapping: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
    properties: z.record(z.string(), z.unknown()).default({}),
    token: z.string(),
  }),
);

/** Makes the groups that the service held, with their tokens. */
function restoreGroups(version: string, emulator: Emulator): void {
  const text = fs.readFileSync(join(fixtures, version, "groups.json"), "utf8");
  for (const { token, ...values } of storedGroups.parse(JSON.parse(text))) {
    emulator.putGroup(values);
    emulator.rotateToken(values.userGroupId, token);
  }
}

/** The text of a recorded program, for the plugin: an explicit provider replaces the connection. */
function moved(program: string): string {
  return program.replace(/^const .* = require\(.*$/gm, "").replace(
    'declare("elsewhere", { connection: "eu" });',
    `single.elsewhere = new UserGroup(
      "elsewhere",
      { userGroupId: "elsewhere", name: name("elsewhere") },
      { provider: new Provider("europe", { baseUrl: process.env.USER_GROUPS_EU_BASE_URL }) },
    ).token;`,
  );
}

function assertUnchanged({ steps }: Result): void {
  assert.deepEqual(
    steps.filter(({ op }) => op !== "same" && op !== "refresh"),
    [],
  );
}

/** The engine records at which line of which file a resource was made: a path of the machine that it ran on. */
function withoutPlaces(key: string, value: unknown): unknown {
  return key === "sourcePosition" || key === "stackTrace" ? undefined : value;
}
