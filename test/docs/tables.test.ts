import assert from "node:assert/strict";
import {
  configurationKey,
  environmentVariable,
  readSettings,
  settingNames,
} from "../../provider/src/settings";
import {
  userGroupArguments,
  userGroupRecord,
  userGroupsArguments,
  userGroupsRecord,
} from "../../provider/src/schema";
import { identityFields, recordFields, replacingFields } from "../../provider/src/provider/changes";
import { pageAt } from "./pages";

describe("the README's tables", () => {
  it("list the settings with their names and defaults", () => {
    const required = { "user-groups:baseUrl": "https://service.example", "user-groups:apiToken": "token" };
    const settings = readSettings({ get: (key) => new Map(Object.entries(required)).get(key) });
    const expected = settingNames.map((name) => {
      const isRequired = configurationKey(name) in required;
      const value = isRequired ? "required" : `\`${String(settings[name])}\``;
      return [`\`${configurationKey(name)}\``, `\`${environmentVariable(name)}\``, value];
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
    for (const name of replacingFields) assert.match(effects.get(name) ?? "", /^deletes .* new token$/);
    for (const name of recordFields) assert.equal(effects.get(name), "only the record changes");
    for (const name of identityFields) assert.match(effects.get(name) ?? "", /^creates .*, then deletes/);
    assert.equal(effects.size, replacingFields.length + recordFields.length + identityFields.length);
  });

  it("list the arguments of UserGroups", () => {
    assert.deepEqual(namesIn("groups"), Object.keys(userGroupsArguments.shape));
  });

  it("say which arguments are required", () => {
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

  it("are followed by the outputs that are no arguments", () => {
    const outputs = (record: object, args: object) => Object.keys(record).filter((name) => !(name in args));
    assert.deepEqual(outputs(userGroupRecord.shape, userGroupArguments.shape), ["token", "adopted"]);
    assert.deepEqual(outputs(userGroupsRecord.shape, userGroupsArguments.shape), ["tokens", "adopted"]);
    for (const name of ["token", "tokens", "adopted"]) assert(pageAt("README.md").spans.includes(name), name);
  });
});

/** The rows of the table whose first cell is this name. */
function rowsUnder(firstCell: string): readonly (readonly string[])[] {
  const table = pageAt("README.md").tables.find(([row]) => bare(row?.[0] ?? "") === firstCell);
  assert(table, `No table begins with ${firstCell}`);
  return table;
}

function namesIn(firstCell: string): string[] {
  return rowsUnder(firstCell).map(([name = ""]) => bare(name));
}

function bare(cell: string): string {
  return cell.replaceAll("`", "");
}
