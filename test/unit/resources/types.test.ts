/** What a programmer reads: TypeScript's errors about arguments, and the hover of an editor. */
import assert from "node:assert/strict";
import { join } from "node:path";
import ts from "typescript";
import * as z from "zod";

const repository = join(__dirname, "../../..");
const program = join(__dirname, "program.ts");

const compilerOptions = z
  .object({ compilerOptions: z.record(z.string(), z.unknown()) })
  .transform((config) => config.compilerOptions);

/** Values that programs pass. An interface has no index signature. */
const head = `
import * as pulumi from "@pulumi/pulumi";
import { UserGroup, UserGroups } from "../../../provider";
import * as plugin from "../../../provider/resources/plugin";
interface Tenant { region: string }
declare const tenant: Tenant;
declare const later: pulumi.Output<string>;
const ids = ["acme"];
`;

/** A statement, and the first lines of its only error. */
const errors: [title: string, statement: string, ...lines: string[]][] = [
  [
    "two letters swapped",
    'new UserGroup("a", { userGroupId: "acme", nmae: "Acme" });',
    `Object literal may only specify known properties, and 'nmae' does not exist in type 'UserGroupArgs & DidYouMean<"name">'.`,
  ],
  [
    "a letter too many",
    'new UserGroup("a", { userGroupId: "acme", name: "Acme", mappings: {} });',
    `Object literal may only specify known properties, but 'mappings' does not exist in type 'UserGroupArgs & NoArgument<"mappings">'. Did you mean to write 'mapping'?`,
  ],
  [
    "a typo beside an interface",
    'new UserGroup("a", { userGroupId: "acme", name: "Acme", keeper: {}, properties: tenant });',
    `Object literal may only specify known properties, but 'keeper' does not exist in type 'WithInterfaces<{ userGroupId: string; name: string; keeper: {}; properties: Tenant; }, UserGroupArgs> & NoArgument<"keeper">'. Did you mean to write 'keepers'?`,
  ],
  [
    "a typo among the arguments of many groups",
    'new UserGroups("a", { groups: { acme: { name: "Acme" } }, deletonLimit: 3 });',
    `Object literal may only specify known properties, but 'deletonLimit' does not exist in type 'UserGroupsArgs & NoArgument<"deletonLimit">'. Did you mean to write 'deletionLimit'?`,
  ],
  [
    "two letters swapped in groups",
    'new UserGroups("a", { groups: { acme: { nmae: "Acme" } } });',
    `Object literal may only specify known properties, and 'nmae' does not exist in type 'GroupArgs & DidYouMean<"name">'.`,
  ],
  [
    "a letter too many in groups",
    'new UserGroups("a", { groups: { acme: { name: "Acme", mappings: {} } } });',
    `Object literal may only specify known properties, but 'mappings' does not exist in type 'GroupArgs & NoArgument<"mappings">'. Did you mean to write 'mapping'?`,
  ],
  [
    "a missing name",
    'new UserGroup("a", { userGroupId: "acme" });',
    "Argument of type '{ userGroupId: string; }' is not assignable to parameter of type 'UserGroupArgs'.",
    "Property 'name' is missing in type '{ userGroupId: string; }' but required in type 'UserGroupArgs'.",
  ],
  [
    "a missing name in groups",
    'new UserGroups("a", { groups: { acme: {} } });',
    "Property 'name' is missing in type '{}' but required in type 'GroupArgs'.",
  ],
  [
    "a value of another type",
    'new UserGroup("a", { userGroupId: "acme", name: 7 });',
    "Type 'number' is not assignable to type 'Input<string>'.",
  ],
  [
    "a value of another type beside an interface",
    'new UserGroup("a", { userGroupId: "acme", name: 7, properties: tenant });',
    "Type 'number' is not assignable to type 'Input<string>'.",
  ],
  [
    "another word",
    'new UserGroups("a", { groups: {}, removed: "reatin" });',
    `Type '"reatin"' is not assignable to type 'Input<"delete" | "retain"> | undefined'. Did you mean '"retain"'?`,
  ],
  [
    "a date",
    'new UserGroup("a", { userGroupId: "acme", name: "Acme", properties: { tenant, since: new Date() } });',
    "Type 'Date' is not assignable to type 'JsonInput'.",
  ],
  [
    "another key of a variable",
    'const args = { userGroupId: "acme", name: "Acme", mappings: {} }; new UserGroup("a", args);',
    `Argument of type '{ userGroupId: string; name: string; mappings: {}; }' is not assignable to parameter of type 'UserGroupArgs & NoArgument<"mappings">'.`,
  ],
  [
    "another key of a variable for groups",
    'const groups = { acme: { name: "Acme", mappings: {} } }; new UserGroups("a", { groups });',
    `Type '{ acme: { name: string; mappings: {}; }; }' is not assignable to type '{ acme: GroupArgs & NoArgument<"mappings">; }'.`,
  ],
  [
    "another key in groups of Object.fromEntries",
    'new UserGroups("a", { groups: Object.fromEntries(ids.map((id) => [id, { name: id, mappings: {} }])) });',
    `Type '{ [k: string]: { name: string; mappings: {}; }; }' is not assignable to type '{ [x: string]: GroupArgs & NoArgument<"mappings">; }'.`,
  ],
  [
    "another key in an output",
    'new UserGroups("a", { groups: { acme: later.apply((name) => ({ name, mappings: {} })) } });',
    `Type 'Output<{ name: string; mappings: {}; }>' is not assignable to type 'Eventual<GroupArgs & NoArgument<"mappings">>'.`,
  ],
  [
    "interfaces, outputs and promises: no error",
    `new UserGroup("a", { userGroupId: later, name: Promise.resolve("Acme"), properties: tenant });
     new UserGroups("a", { groups: Object.fromEntries(ids.map((id) => [id, { name: id, properties: tenant }])) });`,
  ],
  [
    "a value of any type, and one of two types: no error",
    `declare const value: any; new UserGroup("a", value); new UserGroups("a", { groups: value });
     declare const one: { userGroupId: string; name: string; properties: Tenant } | { userGroupId: string; name: string };
     new UserGroup("a", one);`,
  ],
];

/** Each argument at `|`, and the beginning of its doc comment. */
const hovers: [statement: string, text: string, doc: string][] = [
  [
    'new UserGroup("a", { userGroupId: "acme", na|me: "Acme" });',
    "(property) GroupArgs.name: pulumi.Input<string>",
    "The name of the group: a string, not empty.",
  ],
  [
    'new UserGroup("a", { userGroupId: "acme", na|me: "Acme", properties: tenant });',
    "(property) name: pulumi.Input<string>",
    "The name of the group: a string, not empty.",
  ],
  [
    'new UserGroups("a", { groups: {}, deletion|Limit: 3 });',
    "(property) UserGroupsArgs.deletionLimit?: pulumi.Input<number> | undefined",
    "The number of customers whose group may be deleted,",
  ],
  [
    'new UserGroups("a", { groups: { acme: { na|me: "Acme" } } });',
    "(property) GroupArgs.name: pulumi.Input<string>",
    "The name of the group: a string, not empty.",
  ],
];

describe("the types of arguments", function () {
  this.timeout("120s");
  const editor = newEditor();

  for (const [title, statement, ...lines] of errors)
    it(`name ${title}`, () => {
      for (const text of bothForms(statement)) {
        const messages = editor.errorsOf(text);
        assert.equal(messages.length, Math.min(lines.length, 1), messages.join("\n"));
        assert.deepEqual(messages.join("\n").split(/\n */).slice(0, lines.length), lines);
      }
    });

  for (const [statement, text, doc] of hovers)
    it(`show the doc comment at ${statement}`, () => {
      for (const each of bothForms(statement)) {
        const shown = editor.hoverOf(each);
        assert(shown.doc.startsWith(doc), shown.doc);
        // The plugin's arguments have no connection, so theirs are another type with the same comments.
        assert.equal(
          shown.text.replace(/(User)?Groups?Args\./, ""),
          text.replace(/(User)?Groups?Args\./, ""),
        );
      }
    });
});

function bothForms(statement: string): string[] {
  return [statement, statement.replaceAll("new User", "new plugin.User")];
}

/** TypeScript as editors run it, with one program. */
function newEditor() {
  const file = ts.readConfigFile(join(repository, "tsconfig.json"), (path) => ts.sys.readFile(path));
  const config: unknown = file.config;
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions.parse(config), repository);
  let text = "";
  let version = 0;
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => ({ ...options, noUnusedLocals: false }),
    getCurrentDirectory: () => repository,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [program],
    getScriptVersion: (file) => (file === program ? String(version) : "1"),
    getScriptSnapshot: (file) => {
      const content = file === program ? text : ts.sys.readFile(file);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
  });
  const show = (statement: string) => {
    text = head + statement;
    version += 1;
  };
  return {
    errorsOf(statement: string): string[] {
      show(statement);
      const found = [...service.getSyntacticDiagnostics(program), ...service.getSemanticDiagnostics(program)];
      return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
    },
    hoverOf(statement: string) {
      show(statement.replace("|", ""));
      const info = service.getQuickInfoAtPosition(program, head.length + statement.indexOf("|"));
      return {
        text: ts.displayPartsToString(info?.displayParts),
        doc: ts.displayPartsToString(info?.documentation),
      };
    },
  };
}
