/** A program with the resources that a suite declares, and its settings. */
import { pluginEntry } from "../../engine/long/pluginProgram";
import type { Declared } from "../../model/resources";

/** The files of the program. Resources are taken one after the other, as warnings about moves ask for. */
export function programOf(
  resources: readonly Declared[],
  { isParallel = false } = {},
): Record<string, string> {
  return { "program.json": JSON.stringify({ isParallel, resources }), "index.js": text };
}

/** The files of the same program with the plugin's resources. */
export function pluginProgramOf(resources: readonly Declared[]): Record<string, string> {
  return {
    ...programOf(resources),
    "Pulumi.yaml": `name: tests\nruntime: nodejs\n${pluginEntry}`,
    "index.js": text.replace('"pulumi-user-groups"', '"pulumi-user-groups/plugin"'),
  };
}

/** `main.baseUrl` → `USER_GROUPS_MAIN_BASE_URL`, as users write them. */
export function environmentOf(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      `USER_GROUPS_${name.replace(".", "_").replace(/[A-Z]/g, "_$&").toUpperCase()}`,
      value,
    ]),
  );
}

const text = `
  const { UserGroup, UserGroups } = require("pulumi-user-groups");
  const types = { userGroup: UserGroup, userGroups: UserGroups };
  const { isParallel, resources } = require("./program.json");
  const dependsOn = [];
  for (const { name, provider, args, isLookup, retainOnDelete } of resources) {
    const options = { dependsOn: isParallel ? [] : [...dependsOn], retainOnDelete };
    const { userGroupId, ...state } = args;
    dependsOn.push(
      isLookup ? UserGroup.get(name, userGroupId, state, options) : new types[provider](name, args, options),
    );
  }
`;
