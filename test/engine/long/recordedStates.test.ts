/**
 * The proof of upgrades: states that earlier versions wrote, as `pulumi stack export` gives them, with the service's groups.
 * Each holds one group of each shape and kind, and 0.1.0 also groups that a change with `overlap` moved.
 */
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import * as manifest from "../../../package.json";
import type { Emulator, GroupValues } from "../../../provider/src/testing";
import {
  fails,
  newFixture,
  packageProgram,
  pluginProgram,
  requestsTo,
  succeeds,
  tokensOf,
  type Result,
  type Stack,
} from "../harness";

const folders = resolve(__dirname, "../../fixtures/state");
/** It protects the tokens of an emulator only. */
const passphrase = "passphrase of the recorded states";
const apiToken = "API-token-of-the-recorded-states";
/** Stands in a recorded state for the service's address, whose port is another one in each run. */
const address = "http://address.invalid";
const forms = { dynamic: packageProgram, plugin: pluginProgram };

const newFixtureOf = (form: keyof typeof forms, folder: string) =>
  newFixture(
    ({ baseUrl }) => ({
      program: forms[form](fs.readFileSync(join(folders, folder, "program.txt"), "utf8")),
      env: {
        PULUMI_CONFIG_PASSPHRASE: passphrase,
        // The program's second service is the first under another name.
        USER_GROUPS_EU_BASE_URL: baseUrl,
        USER_GROUPS_EU_API_TOKEN: apiToken,
      },
      secrets: [passphrase],
    }),
    { apiToken, normalize: trimmed },
  );

/** The version's own folder, and such as `0.1.0-without-addresses`. */
const recorded = fs.readdirSync(folders).sort();
const [lastRelease = ""] = recorded
  .filter((name) => /^[\d.]+$/.test(name))
  .sort((one, other) => other.localeCompare(one, "en", { numeric: true }));

/** `RECORD_STATE=true npm run test:engine -- test/engine/long/recordedStates.test.ts` records this version's only. */
const isRecording = process.env["RECORD_STATE"] === "true";
if (isRecording)
  for (const form of ["dynamic", "plugin"] as const)
    describe(`the state of this version (${form})`, () => {
      const fixture = newFixtureOf(form, lastRelease);

      it("is recorded", async () => {
        const { emulator, stack } = fixture;
        for (const userGroupId of ["single-adopted", "many-adopted", "found"])
          emulator.putGroup({ userGroupId, name: `Tenant ${userGroupId}` });
        emulator.fault({ kind: "refuse", userGroupId: "late" });
        const first = { IS_BEFORE_DRIFT: "true", IS_BEFORE_SETTLED: "true", IS_BEFORE_PENDING: "true" };
        fails(await stack.up({ env: first }), /"late"/);
        const isDrifted = (id: string) => id.endsWith("-drifted");
        for (const id of [...emulator.groups.keys()].filter(isDrifted))
          emulator.renameGroup(id, `Tenant ${id}, renamed`);
        // A command for all would take away the mark of the failed up.
        const targets = await targetsIn(stack, (name) => isDrifted(name) || name === "many");
        succeeds(await stack.refresh({ flags: targets }));
        const overlapping = await targetsIn(stack, (name) => /-(settled|pending|overlap)$/.test(name));
        succeeds(await stack.up({ flags: overlapping, env: { IS_BEFORE_PENDING: "true" } }));
        succeeds(await stack.up({ flags: overlapping }));
        const { stdout } = succeeds(await stack.run(["stack", "export", "--stack", "dev"]));
        const state = { groups: [...emulator.groups.values()], stack: JSON.parse(stdout) as unknown };
        const folder = join(folders, manifest.version);
        fs.mkdirSync(folder, { recursive: true });
        const text = JSON.stringify(state, withoutPlaces).replaceAll(emulator.baseUrl, address);
        fs.writeFileSync(join(folder, `${form}.json`), `${text}\n`);
        const program = join(folders, lastRelease, "program.txt");
        if (lastRelease !== manifest.version) fs.copyFileSync(program, join(folder, "program.txt"));
      });
    });

for (const folder of isRecording ? [] : recorded)
  for (const form of ["dynamic", "plugin"] as const) {
    const file = join(folders, folder, `${form}.json`);
    if (fs.existsSync(file))
      describe(`the state that ${folder} wrote (${form})`, () => {
        const fixture = newFixtureOf(form, folder);
        /** The group that the recorded up could not create. */
        const late = ['GET "late" created 200'];
        const importState = async () => {
          const { emulator, stack } = fixture;
          const text = fs.readFileSync(file, "utf8").replaceAll(address, emulator.baseUrl);
          const { groups, stack: state } = recordedState.parse(JSON.parse(text));
          restoreGroups(groups, emulator);
          emulator.clearRequests();
          await stack.program({ "state.json": JSON.stringify(state) });
          succeeds(await stack.run(["stack", "import", "--stack", "dev", "--file", "state.json"]));
          return tokensOf(emulator);
        };
        const assertKept = async (recordedTokens: Readonly<Record<string, string>>) => {
          const { emulator, stack } = fixture;
          const tokens = tokensOf(emulator);
          const formers = formersOf(recordedTokens);
          const kept = Object.entries(recordedTokens).filter(([id]) => !formers.includes(id));
          assert.deepEqual({ ...tokens, ...Object.fromEntries(kept) }, tokens);
          assert.deepEqual(await stack.plainOutputs(), { tokens });
        };

        it("is upgraded by one up, whose preview shows no replacement, and which deletes former groups only", async () => {
          const recordedTokens = await importState();
          const { emulator, stack } = fixture;
          for (const run of [await stack.preview(), await stack.up()])
            assert.deepEqual(opsOf(run, ["same", "update", "read", "refresh"]), []);
          const others = requestsTo(emulator).filter((line) => !isRead(line));
          const deletions = formersOf(recordedTokens).map((id) => `DELETE "${id}" deleted 200`);
          const expected = "late" in tokensOf(emulator) ? [...deletions, ...late] : deletions;
          assert.deepEqual(others.sort(), expected.sort());
          await assertKept(recordedTokens);
          assert.deepEqual(opsOf(await stack.preview(), ["same", "read", "refresh"]), []);
        });

        it("is refreshed without a new token, and gets the address, which the first 0.1.0 lacks", async () => {
          const recordedTokens = await importState();
          const { emulator, stack } = fixture;
          assert.deepEqual(opsOf(await stack.refresh(), ["same", "refresh", "read"]), []);
          const formers = formersOf(recordedTokens);
          const current = Object.keys(recordedTokens).filter((id) => !formers.includes(id));
          const reads = current.map((id) => `GET "${id}" returned 200`);
          assert.deepEqual([...new Set(requestsTo(emulator))].sort(), reads.sort());
          for (const { type, outputs } of await stack.resources())
            if (/:UserGroups?$/.test(type)) assert.equal(outputs["baseUrl"], emulator.baseUrl);
          assert.deepEqual(opsOf(await stack.up(), ["same", "update", "read", "refresh"]), []);
          await assertKept(recordedTokens);
        });

        it("is destroyed as it was, without a change before that", async () => {
          const { found, ...recordedTokens } = await importState();
          const { emulator, stack } = fixture;
          succeeds(await stack.destroy());
          const deletions = Object.keys(recordedTokens).map((id) => `DELETE "${id}" deleted 200`);
          const others = requestsTo(emulator).filter((line) => !isRead(line));
          assert.deepEqual(others.sort(), deletions.sort());
          assert.deepEqual(await stack.resources(), []);
        });
      });
  }

/** A lookup, or a read that proves the account: the state was written with another API token. */
function isRead(line: string): boolean {
  return /^GET "[^"]+" returned 200$/.test(line);
}

/** Flags that aim at the resources of these names. */
async function targetsIn(stack: Stack, isTarget: (name: string) => boolean): Promise<string[]> {
  const targets = (await stack.resources()).filter(({ name }) => isTarget(name));
  return targets.flatMap(({ urn }) => ["--target", urn]);
}

/** The IDs of the groups that a change with `overlap` keeps until the next up. */
function formersOf(tokens: Readonly<Record<string, string>>): string[] {
  return Object.keys(tokens).filter((id) => `${id}~2` in tokens);
}

/** The steps other than these, each with the name of its resource. */
function opsOf(run: Result, expected: readonly string[]): string[] {
  const others = succeeds(run).steps.filter(({ op }) => !expected.includes(op));
  return others.map(({ op, name }) => `${op} ${name}`);
}

const groupsSchema = z.array(
  z.object({
    userGroupId: z.string(),
    name: z.string(),
    mapping: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
    properties: z.record(z.string(), z.unknown()).default({}),
    token: z.string(),
  }),
);
const recordedState = z.object({ groups: groupsSchema, stack: z.unknown() });

/** Leaves exactly the groups that the service held, with their tokens. */
function restoreGroups(groups: z.infer<typeof groupsSchema>, emulator: Emulator): void {
  for (const id of [...emulator.groups.keys()]) emulator.removeGroup(id);
  for (const { token, ...values } of groups) {
    emulator.putGroup(values);
    emulator.rotateToken(values.userGroupId, token);
  }
}

/** A service that stores some names otherwise than it receives them. */
function trimmed(values: GroupValues): GroupValues {
  return { ...values, name: values.name.trim() };
}

/** The engine records at which line of which file a resource was made: a path of the machine that it ran on. */
function withoutPlaces(key: string, value: unknown): unknown {
  return key === "sourcePosition" || key === "stackTrace" ? undefined : value;
}
