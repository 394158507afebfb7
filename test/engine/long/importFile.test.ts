/** Groups enter a state by `import-file` and `pulumi import`, without a request. Requires engine 3.254 and newer. */
import assert from "node:assert/strict";
import type { Emulator } from "../../../provider/testing";
import {
  newFixture,
  packageProgram,
  pluginProgram,
  requestsTo,
  succeeds,
  tokensOf,
  type Stack,
} from "../../support/engine";

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

const count = 20;

for (const { form, kind, flags } of cases)
  describe(`import-file: ${count} existing groups as ${kind}, ${form}`, () => {
    const fixture = newFixture(() => ({ program: forms[form]("") }));

    it("enter the state with their tokens, without a request and without a change, which a refresh confirms", async () => {
      const { stack, emulator } = fixture;
      await importFile(stack, existing(emulator), flags);
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

/** Runs the command and the import in the program's folder, and writes the groups into groups.json. */
async function importFile(stack: Stack, source: string, flags: string): Promise<void> {
  await stack.program({ "source.json": source });
  const files = "--from source.json --out import.json --program groups.json";
  succeeds(await stack.shell(`pulumi-user-groups import-file ${files} ${flags}`));
  succeeds(await stack.shell("pulumi import --file import.json --generate-code=false --yes"));
}

/** The former owner's groups, in the service and as JSON. */
function existing(emulator: Emulator): string {
  const values = { mapping: { sales: "warehouse", 7: 3 }, properties: { seats: 5, tags: ["a"] } };
  const groups = Array.from({ length: count }, (_, n) => {
    const group = { name: `GROUP-${n}`, ...values };
    const { token } = emulator.putGroup({ userGroupId: `group-${n}`, ...group });
    return [`group-${n}`, { ...group, token, keepers: { rotation: "1" } }];
  });
  return JSON.stringify(Object.fromEntries(groups));
}
