import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { repository } from "../harness/programs";
import { newSdks } from "../harness/sdks";

/** The entry's types against the SDK's. An SDK's inputs take more: any value as property, and promises of undefined. */
const types = `
import type * as pulumi from "@pulumi/pulumi";
import * as entry from "pulumi-user-groups/plugin";
import * as sdk from "./index";

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;
type Keys<Resource> = Exclude<keyof Resource, keyof pulumi.CustomResource>;

export const sameNames = [
  true satisfies Same<Keys<entry.UserGroup>, Keys<sdk.UserGroup>>,
  true satisfies Same<Keys<entry.UserGroups>, Keys<sdk.UserGroups>>,
  true satisfies Same<keyof entry.UserGroupArgs, keyof sdk.UserGroupArgs>,
  true satisfies Same<keyof entry.UserGroupsArgs, keyof sdk.UserGroupsArgs>,
  true satisfies Same<keyof entry.GroupArgs, keyof sdk.types.input.GroupArgs>,
  true satisfies Same<keyof entry.ProviderArgs, keyof sdk.ProviderArgs>,
];
export const sameArguments = {
  group: (args: entry.UserGroupArgs): sdk.UserGroupArgs => args,
  groups: (args: entry.UserGroupsArgs): sdk.UserGroupsArgs => args,
  state: (args: entry.UserGroupState): sdk.UserGroupState => args,
  provider: (args: entry.ProviderArgs): sdk.ProviderArgs => args,
};
export const sameOutputs = {
  group: (resource: entry.UserGroup): sdk.UserGroup => resource,
  groups: (resource: entry.UserGroups): sdk.UserGroups => resource,
};
`;

describe("the generated SDK and the package's entry for the plugin", () => {
  const sdks = newSdks();

  it("have the same names and types", async () => {
    const folder = join(sdks.folder, "nodejs");
    const file = join(folder, "types.test.ts");
    await fs.writeFile(file, types);
    await fs.symlink(join(repository, "node_modules"), join(folder, "node_modules"), "junction");
    const program = ts.createProgram([file], {
      module: ts.ModuleKind.Node20,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ["node"],
      typeRoots: [join(repository, "node_modules/@types")],
    });
    const problems = ts.getPreEmitDiagnostics(program).map(({ messageText, file: of }) => {
      return `${of?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
    assert.deepEqual(problems, []);
  });
});
