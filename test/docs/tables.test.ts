import assert from "node:assert/strict";
import { userGroupArguments, userGroupsArguments } from "../../provider/src/core/arguments";
import { keeperFields, replacingFields, stateFields } from "../../provider/src/core/changes";
import {
  configurationKey,
  environmentVariable,
  readSettings,
  settingNames,
} from "../../provider/src/settings/readSettings";
import { inContext } from "./errorContext";
import { pageAt } from "./pages";

/** A change of these creates the new group before it deletes the old one. */
const movingFields = ["userGroupId", "connection"];

describe("the tables of the README and docs/arguments.md", () => {
  it("list the settings with their names and defaults", () => {
    const required = { "user-groups:baseUrl": "https://service.example", "user-groups:apiToken": "token" };
    const configuration = new Map(Object.entries(required));
    const settings = readSettings({
      environment: {},
      configuration: { get: (key) => configuration.get(key) },
    });
    const expected = settingNames.map((name) => {
      const value = settings[name] === undefined ? "none" : `\`${settings[name]}\``;
      const cell = configuration.has(configurationKey(name)) ? "required" : value;
      return [`\`${configurationKey(name)}\``, `\`${environmentVariable(name)}\``, cell];
    });
    assert.deepEqual(
      rowsUnder("user-groups:baseUrl").map((row) => row.slice(0, 3)),
      expected,
    );
  });

  it("list the arguments of UserGroup, and what their changes do", () => {
    assert.deepEqual(namesIn("userGroupId"), Object.keys(userGroupArguments.shape));
    const effects = new Map(
      rowsUnder("userGroupId").map(([name = "", , effect = ""]) => [bare(name), effect]),
    );
    const expected = [
      { fields: [...replacingFields, ...keeperFields], effect: /^deletes .* new token$/ },
      { fields: stateFields, effect: /^changes the state only$/ },
      { fields: movingFields, effect: /^creates .*, then deletes/ },
    ];
    for (const { fields, effect } of expected)
      for (const field of fields) assert.match(effects.get(field) ?? "", effect);
    assert.equal(effects.size, expected.flatMap(({ fields }) => fields).length);
  });

  it("list the arguments of UserGroups", () => {
    assert.deepEqual(namesIn("groups"), Object.keys(userGroupsArguments.shape));
  });

  it("show which arguments are required", () => {
    for (const [first, schema] of [
      ["userGroupId", userGroupArguments],
      ["groups", userGroupsArguments],
    ] as const)
      for (const [name = "", type = ""] of rowsUnder(first)) {
        const isOptional =
          schema.safeParse({}).error?.issues.every(({ path }) => path[0] !== bare(name)) ?? true;
        assert.equal(/\brequired\b/.test(type), !isOptional, name);
      }
  });

  it("are followed by the outputs that are no arguments", () =>
    inContext({}, async ({ userGroup, userGroups }) => {
      const args = { userGroupId: "acme", name: "Acme" };
      const groups = { globex: { name: "Globex" } };
      const one = outputsBeside(args, await userGroup.create(args));
      const many = outputsBeside({ groups }, await userGroups.create({ groups }));
      assert.deepEqual([one, many], [outputsOf("UserGroup"), outputsOf("UserGroups")]);
    }));
});

function outputsBeside(args: object, { outs }: { outs?: unknown }): string[] {
  const names = typeof outs === "object" && outs !== null ? Object.keys(outs) : [];
  return names.filter((name) => !(name in args)).sort();
}

/** The table of outputs names one in each row, with its type in both resources. */
function outputsOf(resource: "UserGroup" | "UserGroups"): string[] {
  return rowsUnder("token")
    .flatMap(([one = "", many = ""]) => (resource === "UserGroup" ? one : many))
    .map(bare)
    .sort();
}

/** The rows of the table whose first cell is this name. */
function rowsUnder(firstCell: string): readonly (readonly string[])[] {
  const tables = ["README.md", "docs/arguments.md"].flatMap((page) => pageAt(page).tables);
  const table = tables.find(([row]) => bare(row?.[0] ?? "") === firstCell);
  assert(table, `No table begins with ${firstCell}`);
  return table;
}

function namesIn(firstCell: string): string[] {
  return rowsUnder(firstCell).map(([name = ""]) => bare(name));
}

function bare(cell: string): string {
  return cell.replaceAll("`", "");
}
