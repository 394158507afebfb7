/** Programs in JavaScript for the engine. */
import { join, resolve } from "node:path";
import type { Declared } from "../../model/resources";

export const repository = resolve(__dirname, "../../..");

/** A Pulumi.yaml that runs the built plugin in place, instead of one that is installed. */
const pluginProject = `name: tests
runtime: nodejs
plugins:
  providers:
    - name: user-groups
      path: ${JSON.stringify(join(repository, "plugin"))}
`;

type Files = Record<string, string>;

/** A program with the package. `text` may use pulumi, UserGroup and UserGroups. */
export function packageProgram(text: string): Files {
  return {
    "Pulumi.yaml": "name: tests\nruntime: nodejs\n",
    "index.js": importing("pulumi-user-groups", text),
  };
}

/** A program with the plugin. `text` may use pulumi, UserGroup, UserGroups and Provider. */
export function pluginProgram(text: string): Files {
  return { "Pulumi.yaml": pluginProject, "index.js": importing("pulumi-user-groups/plugin", text) };
}

/** The resources that a suite declares. They are taken one after the other, as warnings about moves ask for. */
export function programOf(resources: readonly Declared[], { isParallel = false } = {}): Files {
  return { ...packageProgram(declaring), "program.json": JSON.stringify({ isParallel, resources }) };
}

/** The same with the plugin's resources. */
export function pluginProgramOf(resources: readonly Declared[]): Files {
  return { ...programOf(resources), ...pluginProgram(declaring) };
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

function importing(name: string, text: string): string {
  return `
    const pulumi = require("@pulumi/pulumi");
    const { Provider, UserGroup, UserGroups } = require("${name}");
    ${text}
  `;
}

const declaring = `
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
