/** Groups enter a state by `import-file` and `pulumi import`, without a request. Requires engine 3.254 and newer. */
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Emulator } from "../../../provider/src/testing";
import { propertiesOf } from "../../../provider/src/values";
import { inherited, run } from "../../harness/run";
import { isWhole } from "../../harness/whole";
import {
  isSecret,
  newFixture,
  newStack,
  packageProgram,
  pluginProgram,
  requestsTo,
  succeeds,
  tokensOf,
  type Fixture,
  type Stack,
} from "../harness";
import { repository } from "../harness/programs";
import { resourcesIn } from "../harness/state";

const values = { mapping: { sales: "warehouse", 7: 3 }, properties: { seats: 5, tags: ["a"] } };
const keepers = { rotation: "1" };

/** The former owner's groups, in the service and as JSON. */
function existing(emulator: Emulator, count: number): string {
  const ids = Array.from({ length: count }, (_, n) => `group-${n}`);
  const groups = ids.map((userGroupId) => {
    const { token } = emulator.putGroup({ userGroupId, name: userGroupId.toUpperCase(), ...values });
    return [userGroupId, { name: userGroupId.toUpperCase(), token, ...values, keepers }];
  });
  return JSON.stringify(Object.fromEntries(groups));
}

/** Runs the command and the import in the program's folder. */
async function importFile(
  { stack, emulator }: Pick<Fixture, "stack" | "emulator">,
  source: string,
  flags: readonly string[],
) {
  await stack.program({ "source.json": source });
  const args = ["import-file", "--from", "source.json", "--out", "import.json", ...flags];
  const env = { ...inherited(), ...stack.env };
  const cli = join(repository, "dist/cli.js");
  const { output } = succeeds(await run(process.execPath, [cli, ...args], { cwd: stack.folder, env }));
  for (const token of Object.values(tokensOf(emulator))) assert(!output.includes(token));
  assert.equal((await stat(join(stack.folder, "import.json"))).mode & 0o777, 0o600);
  const command = ["import", "--file", "import.json", "--generate-code=false", "--yes", "--stack", "dev"];
  succeeds(await stack.run(command));
}

const counts = isWhole ? [1, 20, 10_000] : [20];

const kinds = {
  UserGroup: {
    flags: ["--each"],
    program: `
      for (const [userGroupId, values] of Object.entries(require("./groups.json")))
        new UserGroup(userGroupId, { userGroupId, ...values });`,
  },
  UserGroups: {
    flags: ["--resource", "customers"],
    program: `new UserGroups("customers", { groups: require("./groups.json") });`,
  },
};

const forms = {
  dynamic: { programOf: packageProgram, flags: [] },
  plugin: { programOf: pluginProgram, flags: ["--plugin"] },
};

for (const [form, { programOf, flags: formFlags }] of Object.entries(forms))
  for (const [kind, { flags, program }] of Object.entries(kinds))
    for (const size of counts)
      describe(`import-file: ${size} existing groups as ${kind}, ${form}`, () => {
        const fixture = newFixture(({ baseUrl, apiToken }) => {
          // The harness would search each large file for each of ten thousand tokens.
          const settings = {
            USER_GROUPS_BASE_URL: baseUrl,
            USER_GROUPS_API_TOKEN: apiToken,
            // The engine would write the whole state after each resource.
            PULUMI_EXPERIMENTAL: "true",
            PULUMI_SKIP_CHECKPOINTS: "true",
          };
          const options = { program: programOf(""), patience: 800 };
          return size > 1000 ? { ...options, emulator: undefined, env: settings } : options;
        });

        it("enter the state without a request and without a change; a refresh confirms their tokens", async () => {
          const { stack, emulator } = fixture;
          const source = existing(emulator, size);
          await importFile(fixture, source, [...flags, ...formFlags, "--program", "groups.json"]);
          await stack.program(programOf(program));
          const unchanged = { same: (kind === "UserGroup" ? size : 1) + 1 };
          assert.deepEqual(succeeds(await stack.preview()).changes, unchanged);
          assert.deepEqual(requestsTo(emulator), []);
          assert.deepEqual(await storedTokens(stack), tokensOf(emulator));
          assert.deepEqual(succeeds(await stack.refresh()).changes, unchanged);
          const requests = requestsTo(emulator);
          // One more proves the account, because an imported state has no digest of the API token.
          assert.deepEqual([new Set(requests).size, requests.length], [size, size + 1]);
          for (const request of requests) assert.match(request, /^GET "group-\d+" returned 200$/);
          assert.deepEqual(await storedTokens(stack), tokensOf(emulator));
        });
      });

describe("import-file: groups of another stack and of the other form and kind", () => {
  const old = (name: string) =>
    packageProgram(`
    const keepers = { rotation: "1" };
    const properties = pulumi.secret({ plan: "hidden-plan" });
    new UserGroup("acme", { userGroupId: "acme", name: "${name}", mapping: { sales: 7 }, properties, keepers, overlap: true });
    new UserGroups("others", { groups: { globex: { name: "${name}", keepers } }, overlap: true });
  `);
  const fixture = newFixture(() => ({ program: old("Acme"), secrets: ["hidden-plan"] }));

  it("have the same state as before and send no request; the old stack then forgets them", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    await stack.program(old("New"));
    succeeds(await stack.up());
    const other = await newStack({ emulator, program: pluginProgram(""), secrets: ["hidden-plan"] });
    emulator.clearRequests();
    const source = JSON.stringify(await stack.plainState());
    await importFile({ stack: other, emulator }, source, ["--each", "--plugin", "--program", "groups.json"]);
    const imported = await other.resource("acme");
    assert(isSecret(imported.inputs["properties"]) && isSecret(imported.outputs["properties"]));
    await other.program(
      pluginProgram(`
        for (const [userGroupId, { properties, ...values }] of Object.entries(require("./groups.json")))
          new UserGroup(userGroupId, { userGroupId, ...values, properties: properties && pulumi.secret(properties), overlap: true });
      `),
    );
    assert.deepEqual(succeeds(await other.preview()).changes, { same: 1, update: 2 });
    const before = await stateOf(stack);
    // The next refresh or up records the account.
    const { account: _, ...outputs } = before.outputs;
    assert.deepEqual(await stateOf(other), { ...before, outputs: { ...outputs, adopted: true } });
    for (const { urn } of await stack.resources())
      if (urn.includes("user-groups"))
        succeeds(await stack.run(["state", "delete", urn, "--yes", "--stack", "dev"]));
    await stack.program(packageProgram(""));
    succeeds(await stack.up());
    assert.deepEqual(requestsTo(emulator), []);
    succeeds(await other.up());
    assert.deepEqual(deletionsIn(emulator), ["acme", "globex"]);
    emulator.clearRequests();
    succeeds(await other.run(["state", "unprotect", "--all", "--yes", "--stack", "dev"]));
    succeeds(await other.destroy());
    assert.deepEqual(deletionsIn(emulator), ["acme", "globex"]);
    await other.remove();
  }).timeout("15m");
});

/** The customers of whom a group was deleted, whose ID `overlap` has made of its values. */
function deletionsIn(emulator: Emulator): string[] {
  const deletions = requestsTo(emulator).map(
    (line) => /^DELETE "(\w+)~[0-9a-f]{8}" deleted 200$/.exec(line)?.[1],
  );
  return deletions.filter((id) => id !== undefined).sort();
}

/** userGroupId → token, in both kinds of resources. */
async function storedTokens(stack: Stack): Promise<Record<string, unknown>> {
  const entries = resourcesIn(await stack.plainState()).flatMap(({ id, outputs }) => {
    const { token, tokens } = propertiesOf(outputs);
    return Object.entries(token === undefined ? propertiesOf(tokens) : { [id]: token });
  });
  return Object.fromEntries(entries);
}

/** The inputs and outputs of the group acme in plain text, without those of the SDK of dynamic providers. */
async function stateOf(stack: Stack) {
  const acme = resourcesIn(await stack.plainState()).find(({ name }) => name === "acme");
  return { inputs: propertiesOf(acme?.inputs), outputs: propertiesOf(acme?.outputs) };
}
