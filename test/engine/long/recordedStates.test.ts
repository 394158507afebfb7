/** States that released versions wrote, as `pulumi stack export` gives them, with what the service held then. */
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import * as manifest from "../../../package.json";
import type { Emulator } from "../../../provider/src/testing";
import { newFixture, requestsTo, succeeds, tokensOf } from "../harness";

const fixtures = resolve(__dirname, "../../fixtures/state");
const versions = fs.readdirSync(fixtures).sort();
const read = (version: string, name: string) => fs.readFileSync(join(fixtures, version, name), "utf8");
/** It protects the tokens of an emulator only. */
const passphrase = "passphrase of the recorded states";

/** The program's second service is the first under another name. */
const newFixtureOf = (version: string) =>
  newFixture(({ baseUrl, apiToken }) => ({
    program: read(version, "program.txt"),
    env: {
      PULUMI_CONFIG_PASSPHRASE: passphrase,
      USER_GROUPS_EU_BASE_URL: baseUrl,
      USER_GROUPS_EU_API_TOKEN: apiToken,
    },
    secrets: [passphrase],
  }));

/** `RECORD_STATE=true npm run test:long -- test/engine/long/recordedStates.test.ts` records this version's only. */
const isRecording = process.env["RECORD_STATE"] === "true";
if (isRecording)
  describe("the state of this version", () => {
    const last = versions.at(-1) ?? "";
    const fixture = newFixtureOf(last);

    it("is recorded", async () => {
      const { emulator, stack } = fixture;
      emulator.putGroup({ userGroupId: "adopted", name: "Tenant adopted" });
      succeeds(await stack.up());
      const { stdout } = succeeds(await stack.run(["stack", "export", "--stack", "dev"]));
      const folder = join(fixtures, manifest.version);
      fs.mkdirSync(folder);
      fs.writeFileSync(join(folder, "program.txt"), read(last, "program.txt"));
      fs.writeFileSync(join(folder, "stack.json"), `${JSON.stringify(JSON.parse(stdout), withoutPlaces)}\n`);
      fs.writeFileSync(join(folder, "groups.json"), `${JSON.stringify([...emulator.groups.values()])}\n`);
    });
  });

for (const version of isRecording ? [] : versions)
  describe(`the state that ${version} wrote`, () => {
    const fixture = newFixtureOf(version);
    const importState = async () => {
      const { emulator, stack } = fixture;
      restoreGroups(version, emulator);
      emulator.clearRequests();
      const file = join(fixtures, version, "stack.json");
      succeeds(await stack.run(["stack", "import", "--stack", "dev", "--file", file]));
    };
    const lines = (method: string, effect: string) =>
      [...fixture.emulator.groups.keys()].map((id) => `${method} "${id}" ${effect} 200`).sort();

    it("is refreshed without a new token, gets the address, which 0.1.0 lacks, and needs no change", async () => {
      await importState();
      const { emulator, stack } = fixture;
      const former = tokensOf(emulator);
      const refresh = succeeds(await stack.refresh());
      assert.deepEqual(requestsTo(emulator).sort(), lines("GET", "returned"));
      emulator.clearRequests();
      const ours = (await stack.resources()).filter(({ type }) => /:UserGroups?$/.test(type));
      for (const { outputs } of ours) assert.equal(outputs["baseUrl"], emulator.baseUrl);
      for (const { steps } of [refresh, succeeds(await stack.up())])
        for (const { op, name } of steps) assert.match(op, /^(same|refresh)$/, name);
      assert.deepEqual(requestsTo(emulator), []);
      assert.deepEqual(await stack.plainOutputs(), { tokens: former });
    });

    it("is destroyed as it was, without a change before that", async () => {
      await importState();
      const { emulator, stack } = fixture;
      const deletions = lines("DELETE", "deleted");
      succeeds(await stack.destroy());
      assert.deepEqual(requestsTo(emulator).sort(), deletions);
      assert.deepEqual(await stack.resources(), []);
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
  for (const { token, ...values } of storedGroups.parse(JSON.parse(read(version, "groups.json")))) {
    emulator.putGroup(values);
    emulator.rotateToken(values.userGroupId, token);
  }
}

/** The engine records at which line of which file a resource was made: a path of the machine that it ran on. */
function withoutPlaces(key: string, value: unknown): unknown {
  return key === "sourcePosition" || key === "stackTrace" ? undefined : value;
}
