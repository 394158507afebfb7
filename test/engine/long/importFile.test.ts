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

const forms = { dynamic: packageProgram, plugin: pluginProgram };
/** Each exports the tokens of the groups in groups.json. */
const kinds = {
  UserGroup: `
    const groups = Object.entries(require("./groups.json"));
    const tokenOf = ([userGroupId, values]) => new UserGroup(userGroupId, { userGroupId, ...values }).token;
    exports.tokens = Object.fromEntries(groups.map((group) => [group[0], tokenOf(group)]));`,
  UserGroups: `exports.tokens = new UserGroups("customers", { groups: require("./groups.json") }).tokens;`,
};

const cases = [
  { form: "dynamic", kind: "UserGroup", flags: "--each" },
  { form: "dynamic", kind: "UserGroups", flags: "--resource customers" },
  { form: "plugin", kind: "UserGroup", flags: "--each --plugin" },
  { form: "plugin", kind: "UserGroups", flags: "--resource customers --plugin" },
] as const;

for (const { form, kind, flags } of cases)
  for (const count of isWhole ? [20, 10_000] : [20])
    describe(`import-file: ${count} existing groups as ${kind}, ${form}`, () => {
      const fixture = newFixture(({ baseUrl, apiToken }) => ({
        program: forms[form](""),
        // The harness would search each large file for each of ten thousand tokens.
        emulator: undefined,
        env: {
          USER_GROUPS_BASE_URL: baseUrl,
          USER_GROUPS_API_TOKEN: apiToken,
          // The engine would write the whole state after each resource.
          PULUMI_EXPERIMENTAL: "true",
          PULUMI_SKIP_CHECKPOINTS: "true",
        },
        patience: 800,
      }));

      it("enter the state with their tokens, without a request and without a change, which a refresh confirms", async () => {
        const { stack, emulator } = fixture;
        await importFile(stack, existing(emulator, count), flags);
        await stack.program(forms[form](kinds[kind]));
        const unchanged = { same: (kind === "UserGroup" ? count : 1) + 1 };
        assert.deepEqual(succeeds(await stack.up()).changes, unchanged);
        assert.deepEqual(requestsTo(emulator), []);
        assert.deepEqual(await stack.plainOutputs(), { tokens: tokensOf(emulator) });
        assert.deepEqual(succeeds(await stack.refresh()).changes, unchanged);
        const requests = requestsTo(emulator);
        assert.equal(new Set(requests).size, count);
        for (const request of requests) assert.match(request, /^GET "group-\d+" returned 200$/);
      });
    });

describe("import-file: groups of another stack and of the other form and kind", () => {
  const oldProgram = (name: string) =>
    packageProgram(`
      const keepers = { rotation: "1" };
      const properties = pulumi.secret({ plan: "hidden-plan" });
      const acme = { name: "${name}", mapping: { sales: 7 }, properties, keepers, overlap: true };
      new UserGroup("acme", { userGroupId: "acme", ...acme });
      new UserGroups("others", { groups: { globex: { name: "${name}", keepers } }, overlap: true });
    `);
  const newProgram = pluginProgram(`
    for (const [userGroupId, { properties, ...values }] of Object.entries(require("./groups.json"))) {
      const secret = properties && pulumi.secret(properties);
      new UserGroup(userGroupId, { userGroupId, ...values, properties: secret, overlap: true });
    }
  `);
  const secrets = ["hidden-plan"];
  const fixture = newFixture(() => ({ program: oldProgram("Acme"), secrets }));
  let other: Stack;
  before(async () => {
    other = await newStack({ emulator: fixture.emulator, program: pluginProgram(""), secrets });
  });
  after(() => other.remove());

  it("have the same state as before, also their former groups, and send no request", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    await stack.program(oldProgram("New"));
    succeeds(await stack.up());
    emulator.clearRequests();
    await importFile(other, JSON.stringify(await stack.plainState()), "--each --plugin");
    const imported = await other.resource("acme");
    assert(isSecret(imported.inputs["properties"]) && isSecret(imported.outputs["properties"]));
    await other.program(newProgram);
    assert.deepEqual(succeeds(await other.preview()).changes, { same: 1, update: 2 });
    const before = await stateOf(stack);
    // The next refresh or up records the account.
    const { account: _, ...outputs } = before.outputs;
    assert.deepEqual(await stateOf(other), { ...before, outputs: { ...outputs, adopted: true } });
    assert.deepEqual(requestsTo(emulator), []);
  });
});

/** Runs the command and the import in the program's folder, and writes the groups into groups.json. */
async function importFile(stack: Stack, source: string, flags: string): Promise<void> {
  await stack.program({ "source.json": source });
  const files = "--from source.json --out import.json --program groups.json";
  succeeds(await stack.shell(`pulumi-user-groups import-file ${files} ${flags}`));
  succeeds(await stack.shell("pulumi import --file import.json --generate-code=false --yes"));
}

/** The former owner's groups, in the service and as JSON. */
function existing(emulator: Emulator, count: number): string {
  const values = { mapping: { sales: "warehouse", 7: 3 }, properties: { seats: 5, tags: ["a"] } };
  const groups = Array.from({ length: count }, (_, n) => {
    const group = { name: `GROUP-${n}`, ...values };
    const { token } = emulator.putGroup({ userGroupId: `group-${n}`, ...group });
    return [`group-${n}`, { ...group, token, keepers: { rotation: "1" } }];
  });
  return JSON.stringify(Object.fromEntries(groups));
}

/** The inputs and outputs of the group acme in plain text, without those of the SDK of dynamic providers. */
async function stateOf(stack: Stack) {
  const acme = resourcesIn(await stack.plainState()).find(({ name }) => name === "acme");
  return { inputs: propertiesOf(acme?.inputs), outputs: propertiesOf(acme?.outputs) };
}
