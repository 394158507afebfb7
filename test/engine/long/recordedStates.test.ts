/**
 * The proof of upgrades: states as `pulumi stack export` gives them, with the service's groups. This version writes one and reads it
 * again; each release has kept its own. A state has a group of each shape and kind, and former groups.
 */
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import * as manifest from "../../../package.json";
import {
  fails,
  newFixture,
  packageProgram,
  pluginProgram,
  requestsTo,
  succeeds,
  tokensOf,
  type Fixture,
  type Result,
} from "../../support/engine";

const folders = resolve(__dirname, "../../support/fixtures/state");
/** It protects the tokens of an emulator only. */
const passphrase = "passphrase of the recorded states";
const apiToken = "API-token-of-the-recorded-states";
/** Stands in a recorded state for the service's address, whose port is another one in each run. */
const address = "http://address.invalid";
const program = "program.txt";
const forms = { dynamic: packageProgram, plugin: pluginProgram };

const releases = fs.readdirSync(folders).filter((name) => name !== program);

/** `RECORD_STATE=true npm test -- engine long test/engine/long/recordedStates.test.ts` keeps what this version writes. */
const isKept = process.env["RECORD_STATE"] === "true";

for (const form of ["dynamic", "plugin"] as const) {
  describe(`the state that this version writes (${form})`, () => {
    const fixture = newFixtureOf(form, join(folders, program));
    let state: string;
    before("it is written", async () => {
      state = await record(fixture);
      if (isKept) keep(form, state);
    });
    testUpgrade(fixture, () => state);
  });
  for (const release of releases)
    describe(`the state that ${release} wrote (${form})`, () => {
      const read = (name: string) => fs.readFileSync(join(folders, release, name), "utf8");
      testUpgrade(newFixtureOf(form, join(folders, release, program)), () => read(`${form}.json`));
    });
}

function newFixtureOf(form: keyof typeof forms, file: string): Fixture {
  return newFixture(
    () => ({
      program: forms[form](fs.readFileSync(file, "utf8")),
      env: { PULUMI_CONFIG_PASSPHRASE: passphrase },
      secrets: [passphrase],
    }),
    // A service that stores some names otherwise than it receives them.
    { apiToken, normalize: (values) => ({ ...values, name: values.name.trim() }) },
  );
}

async function record({ emulator, stack }: Fixture): Promise<string> {
  for (const userGroupId of ["single-adopted", "many-adopted", "found"])
    emulator.putGroup({ userGroupId, name: `Tenant ${userGroupId}` });
  emulator.fault({ kind: "refuse", userGroupId: "late" });
  const first = { IS_BEFORE_DRIFT: "true", IS_BEFORE_SETTLED: "true", IS_BEFORE_PENDING: "true" };
  fails(await stack.up({ env: first }), /"late"/);
  for (const id of [...emulator.groups.keys()].filter((id) => id.endsWith("-drifted")))
    emulator.renameGroup(id, `Tenant ${id}, renamed`);
  // A command for all would take away the mark of the failed up.
  const targets = async (names: RegExp) => {
    const resources = (await stack.resources()).filter(({ name }) => names.test(name));
    return resources.flatMap(({ urn }) => ["--target", urn]);
  };
  succeeds(await stack.refresh({ flags: await targets(/-drifted$|^many$/) }));
  const flags = await targets(/-(settled|pending|overlap)$/);
  succeeds(await stack.up({ flags, env: { IS_BEFORE_PENDING: "true" } }));
  succeeds(await stack.up({ flags }));
  const { stdout } = succeeds(await stack.run(["stack", "export", "--stack", "dev"]));
  const state = { groups: [...emulator.groups.values()], stack: JSON.parse(stdout) as unknown };
  return JSON.stringify(state, withoutPlaces).replaceAll(emulator.baseUrl, address);
}

/** A line for each group and each resource. */
function keep(form: string, state: string): void {
  const folder = join(folders, manifest.version);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(
    join(folder, `${form}.json`),
    `${state.replaceAll(/(?<=[[,])\{"(urn|userGroupId)"/g, "\n$&")}\n`,
  );
  fs.copyFileSync(join(folders, program), join(folder, program));
}

/** The engine records at which line of which file a resource was made: a path of the machine that it ran on. */
function withoutPlaces(key: string, value: unknown): unknown {
  return key === "sourcePosition" || key === "stackTrace" ? undefined : value;
}

function testUpgrade(fixture: Fixture, recorded: () => string): void {
  /** The tokens that the service had: of groups that stay, and of former ones. */
  let tokens: Record<string, string>;
  let formers: string[];

  beforeEach("the state, and exactly the groups that the service had", async () => {
    const { emulator, stack } = fixture;
    const text = recorded().replaceAll(address, emulator.baseUrl);
    const { groups, stack: state } = recordedState.parse(JSON.parse(text));
    for (const id of [...emulator.groups.keys()]) emulator.removeGroup(id);
    for (const { token, ...values } of groups) emulator.putGroup(values, () => token);
    emulator.clearRequests();
    await stack.program({ "state.json": JSON.stringify(state) });
    succeeds(await stack.run(["stack", "import", "--stack", "dev", "--file", "state.json"]));
    tokens = z.record(z.string(), z.string()).parse((await stack.plainOutputs())["tokens"]);
    formers = Object.keys(tokensOf(emulator)).filter((id) => !(id in tokens));
    assert.equal(formers.length, 2);
  });

  const assertKept = async () => {
    const current = tokensOf(fixture.emulator);
    assert.deepEqual({ ...current, ...tokens }, current);
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: current });
  };
  /** The lines of requests that created or deleted a group. The others prove the account, because the state's API token was another one. */
  const changes = () =>
    requestsTo(fixture.emulator)
      .filter((line) => !line.endsWith("returned 200"))
      .sort();
  const deletionsOf = (ids: readonly string[]) => ids.map((id) => `DELETE "${id}" deleted 200`);

  it("is upgraded by one up, whose preview shows no replacement, and which deletes former groups only", async () => {
    const { emulator, stack } = fixture;
    for (const run of [await stack.preview(), await stack.up()])
      assert.deepEqual(opsOf(run, ["same", "update", "read", "refresh"]), []);
    // The group that the recorded up could not create.
    const late = "late" in tokensOf(emulator) ? ['GET "late" created 200'] : [];
    assert.deepEqual(changes(), [...deletionsOf(formers), ...late].sort());
    await assertKept();
    assert.deepEqual(opsOf(await stack.preview(), ["same", "read", "refresh"]), []);
  });

  it("is refreshed without a new token,", async () => {
    const { emulator, stack } = fixture;
    assert.deepEqual(opsOf(await stack.refresh(), ["same", "refresh", "read"]), []);
    const reads = Object.keys(tokens).map((id) => `GET "${id}" returned 200`);
    assert.deepEqual([...new Set(requestsTo(emulator))].sort(), reads.sort());
    assert.deepEqual(opsOf(await stack.up(), ["same", "update", "read", "refresh"]), []);
    await assertKept();
  });
}

/** The steps other than these, each with the name of its resource. */
function opsOf(run: Result, expected: readonly string[]): string[] {
  const others = succeeds(run).steps.filter(({ op }) => !expected.includes(op));
  return others.map(({ op, name }) => `${op} ${name}`);
}

const recordedState = z.object({
  groups: z.array(
    z.object({
      userGroupId: z.string(),
      name: z.string(),
      mapping: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
      properties: z.record(z.string(), z.unknown()).default({}),
      token: z.string(),
    }),
  ),
  stack: z.unknown(),
});
