import assert from "node:assert/strict";
import * as manifest from "../../../package.json";
import {
  fails,
  isSecret,
  newFixture,
  pluginProgram,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
  type Result,
} from "../harness";
import { recordedState, recordedVersions, recordState, stackOptions } from "./recordedStates";

/** `RECORD_STATE=true npm run test:engine -- test/engine/long/recordedStates.test.ts` records this version's only. */
const isRecording = process.env["RECORD_STATE"] === "true";
if (isRecording)
  describe("the state of this version", () => {
    it("is recorded", () => recordState(manifest.version));
  });

for (const version of isRecording ? [] : recordedVersions())
  describe(`the state that ${version} wrote`, () => {
    const { program, file, restore } = recordedState(version);
    const fixture = newFixture((emulator) => stackOptions(emulator, program));
    let former: Record<string, string>;
    const importState = async () => {
      restore(fixture.emulator);
      succeeds(await fixture.stack.run(["stack", "import", "--stack", "dev", "--file", file]));
    };
    before("its groups and its stack", async () => {
      await importState();
      former = tokensOf(fixture.emulator);
    });
    beforeEach(() => {
      fixture.emulator.clearRequests();
    });
    const assertRequests = (...lines: readonly ((id: string) => string)[]) => {
      const all = Object.keys(former).flatMap((id) => lines.map((line) => line(id)));
      assert.deepEqual(requestsTo(fixture.emulator).sort(), all.sort());
    };
    const deleted = (id: string) => `DELETE "${id}" deleted 200`;

    it("is refreshed without a difference or a new token, and gets the address, which that of 0.1.0 lacks", async () => {
      assertUnchanged(succeeds(await fixture.stack.refresh()));
      assertRequests((id) => `GET "${id}" returned 200`);
      assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: former });
      const ours = (await fixture.stack.resources()).filter(({ type }) => /:UserGroups?$/.test(type));
      for (const { outputs } of ours) assert.equal(outputs["baseUrl"], fixture.emulator.baseUrl);
    });

    it("needs no change by its own program", async () => {
      assertUnchanged(succeeds(await fixture.stack.up()));
      assertRequests();
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
      await stack.program({ "Pulumi.yaml": "name: tests\nruntime: nodejs\n", "index.js": program });
      succeeds(await stack.refresh());
      emulator.clearRequests();
      await stack.program(withPlugin);
      const up = succeeds(await stack.up());
      for (const name of ["plain", "full", "sealed", "adopted", "elsewhere", "many"])
        assert.deepEqual(stepsOf(up, name), ["update"], name);
      assertRequests();
      assert.deepEqual(await stack.plainOutputs(), { tokens: former });
      assert(isSecret((await stack.resource("sealed")).outputs["token"]));
      assert.deepEqual(Object.keys(succeeds(await stack.preview()).changes), ["same"]);
    });
  });

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
  const changed = steps.filter(({ op }) => op !== "same" && op !== "refresh");
  assert.deepEqual(changed, []);
}
