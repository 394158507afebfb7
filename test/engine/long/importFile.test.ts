/** Groups enter a state by `import-file` and `pulumi import`, without a request. Requires engine 3.254 and newer. */
import assert from "node:assert/strict";
import type { Emulator } from "../../../provider/src/testing";
import { propertiesOf } from "../../../provider/src/values";
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
  type Stack,
} from "../harness";
import { resourcesIn } from "../harness/state";

/** Runs the command and the import in the program's folder, and writes the groups into groups.json. */
async function importFile(stack: Stack, source: string, flags: readonly string[]): Promise<void> {
  await stack.program({ "source.json": source });
  const files = "--from source.json --out import.json --program groups.json";
  succeeds(await stack.shell(`pulumi-user-groups import-file ${files} ${flags.join(" ")}`));
  succeeds(await stack.shell("pulumi import --file import.json --generate-code=false --yes"));
}

const values = { mapping: { sales: "warehouse", 7: 3 }, properties: { seats: 5, tags: ["a"] } };

/** The former owner's groups, in the service and as JSON. */
function existing(emulator: Emulator, count: number): string {
  const groups = Array.from({ length: count }, (_, n) => {
    const group = { name: `GROUP-${n}`, ...values };
    const { token } = emulator.putGroup({ userGroupId: `group-${n}`, ...group });
    return [`group-${n}`, { ...group, token, keepers: { rotation: "1" } }];
  });
  return JSON.stringify(Object.fromEntries(groups));
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
          await importFile(stack, existing(emulator, size), [...flags, ...formFlags]);
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

  it("have the same state as before, also their former groups, and send no request", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    const former = Object.keys(tokensOf(emulator));
    await stack.program(old("New"));
    succeeds(await stack.up());
    const other = await newStack({ emulator, program: pluginProgram(""), secrets: ["hidden-plan"] });
    emulator.clearRequests();
    await importFile(other, JSON.stringify(await stack.plainState()), ["--each", "--plugin"]);
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
    assert.deepEqual(requestsTo(emulator), []);
    succeeds(await other.up());
    const deletions = former.map((id) => `DELETE "${id}" deleted 200`);
    const sent = requestsTo(emulator).filter((line) => line.startsWith("DELETE"));
    assert.deepEqual(sent.sort(), deletions.sort());
    succeeds(await other.run(["state", "unprotect", "--all", "--yes", "--stack", "dev"]));
    succeeds(await other.destroy());
    assert.equal(emulator.groups.size, 0);
    await other.remove();
  });
});

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
