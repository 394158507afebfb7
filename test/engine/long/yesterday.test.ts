import assert from "node:assert/strict";
import * as manifest from "../../../package.json";
import { newFixture, requestsTo, stepsOf, succeeds, tokensOf, type Result } from "../harness";
import { passphrase, recordedState, recordedVersions, recordState, secondService } from "./recordedStates";

/** `RECORD_STATE=true npm run test:engine -- test/engine/long/yesterday.test.ts` records this version's only. */
const isRecording = process.env["RECORD_STATE"] === "true";
if (isRecording)
  describe("the state of this version", () => {
    it("is recorded", () => recordState(manifest.version, programOfToday));
  });

for (const version of isRecording ? [] : recordedVersions())
  describe(`the state that ${version} wrote`, () => {
    const { program, file, restore } = recordedState(version);
    const fixture = newFixture((emulator) => ({
      program,
      env: { PULUMI_CONFIG_PASSPHRASE: passphrase, ...secondService(emulator) },
      secrets: [passphrase],
    }));
    let former: Record<string, string>;
    before("its groups and its stack", async () => {
      await importState();
      former = tokensOf(fixture.emulator);
    });
    beforeEach(() => {
      fixture.emulator.clearRequests();
    });
    const importState = async () => {
      restore(fixture.emulator);
      succeeds(await fixture.stack.run(["stack", "import", "--stack", "dev", "--file", file]));
    };
    const requests = () => requestsTo(fixture.emulator).sort();
    /** The state of 0.1.0 has no address. */
    const assertAddresses = async () => {
      const resources = (await fixture.stack.resources()).filter(({ type }) => /:UserGroups?$/.test(type));
      for (const { outputs } of resources) assert.equal(outputs["baseUrl"], fixture.emulator.baseUrl);
    };
    const ofAll = (line: (userGroupId: string) => string) => Object.keys(former).map(line).sort();

    it("is refreshed without a difference, and without a new token", async () => {
      assertUnchanged(succeeds(await fixture.stack.refresh()));
      assert.deepEqual(
        requests(),
        ofAll((id) => `GET "${id}" returned 200`),
      );
      assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: former });
      await assertAddresses();
    });

    it("needs no change by its own program", async () => {
      assertUnchanged(succeeds(await fixture.stack.up()));
      assert.deepEqual(requests(), []);
      assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: former });
    });

    it("has its groups renamed, each by a deletion with its token and a creation", async () => {
      const up = succeeds(await fixture.stack.up({ env: { TENANT: "Customer" } }));
      assert.deepEqual(stepsOf(up, "plain"), ["delete-replaced", "replace", "create-replacement"]);
      assert.deepEqual(stepsOf(up, "many"), ["update"]);
      const both = (id: string) => [`DELETE "${id}" deleted 200`, `GET "${id}" created 200`];
      assert.deepEqual(requests(), Object.keys(former).flatMap(both).sort());
      for (const { name } of fixture.emulator.groups.values()) assert.match(name, /^Customer /);
      const tokens = tokensOf(fixture.emulator);
      for (const [id, token] of Object.entries(former)) assert.notEqual(tokens[id], token);
      assert.deepEqual(await fixture.stack.plainOutputs(), { tokens });
      await assertAddresses();
    });

    it("is destroyed as it was, without a change before that", async () => {
      await importState();
      fixture.emulator.clearRequests();
      succeeds(await fixture.stack.destroy());
      assert.deepEqual(
        requests(),
        ofAll((id) => `DELETE "${id}" deleted 200`),
      );
      assert.deepEqual([...fixture.emulator.groups.keys()], []);
      assert.deepEqual(await fixture.stack.resources(), []);
    });
  });

function assertUnchanged({ steps }: Result): void {
  assert.deepEqual(
    steps.filter(({ op }) => op !== "same" && op !== "refresh").map(({ op, name }) => `${op} ${name}`),
    [],
  );
}

/** Something of everything that a record may hold. */
const programOfToday = `
const pulumi = require("@pulumi/pulumi");
const { UserGroup, UserGroups } = require("pulumi-user-groups");

const name = (id) => (process.env.TENANT || "Tenant") + " " + id;
const single = {};
const declare = (id, args = {}) => {
  single[id] = new UserGroup(id, { userGroupId: id, name: name(id), ...args }).token;
};

declare("plain");
declare("full", {
  mapping: { sales: "warehouse", finance: 7 },
  properties: { region: "eu", limits: { seats: 5, trial: false }, tags: ["a", "b"] },
  dataSourceProvidedId: "warehouse",
  adopt: false,
});
declare("sealed", { properties: { region: "eu", licence: pulumi.secret("sealed licence") } });
declare("adopted");
declare("elsewhere", { connection: "eu" });
const many = new UserGroups("many", {
  groups: {
    first: { name: name("first") },
    second: { name: name("second"), mapping: { sales: 1 }, properties: { seats: 3 }, dataSourceProvidedId: "1" },
  },
  removed: "retain",
  deletionLimit: 100,
});

exports.tokens = pulumi.all([single, many.tokens]).apply(([ones, others]) => ({ ...ones, ...others }));
`;
