/** Programs in JavaScript for the engine. */
import { join, resolve } from "node:path";
import type { Declared } from "../model/resources";
import { signature } from "../model/secrets";

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
export function programOf(resources: readonly Declared[]): Files {
  const program = JSON.stringify(resources);
  return { ...packageProgram(declaringIn(program)), "program.json": program };
}

/** The same with the plugin's resources. */
export function pluginProgramOf(resources: readonly Declared[]): Files {
  const files = programOf(resources);
  return { ...files, ...pluginProgram(declaringIn(files["program.json"] ?? "")) };
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

/** Loading all of Pulumi's SDK takes a fifth of an operation, so only a program that uses it does. */
function importing(name: string, text: string): string {
  const sdk = /\bpulumi\b/.test(text) ? 'const pulumi = require("@pulumi/pulumi");' : "";
  return `
    ${sdk}
    const { Provider, UserGroup, UserGroups } = require("${name}");
    ${text}
  `;
}

/** The resources of program.json. Marked values are secrets. */
function declaringIn(program: string): string {
  const marked = `(_, value) => (value?.["${signature}"] ? pulumi.secret(value.value) : value)`;
  return `const valueIn = ${program.includes(signature) ? marked : "undefined"};\n${declaring}`;
}

const declaring = `
  const types = { userGroup: UserGroup, userGroups: UserGroups };
  const resources = JSON.parse(require("node:fs").readFileSync(__dirname + "/program.json", "utf8"), valueIn);
  const declared = new Map();
  const after = (name, value) => declared.get(name).id.apply(() => value);
  const valueAt = (value, [head, ...path], name) =>
    head === undefined ? after(name, value) : { ...value, [head]: valueAt(value[head], path, name) };
  const declare = ({ name, provider, isLookup, retainOnDelete, aliases, dependsOn, valuesFrom = {}, ...others }) => {
    const former = dependsOn ? dependsOn.map((each) => declared.get(each)) : [...declared.values()];
    const options = { dependsOn: former, retainOnDelete };
    if (aliases) options.aliases = aliases.map((name) => ({ name }));
    let { args } = others;
    for (const [path, from] of Object.entries(valuesFrom)) args = valueAt(args, path.split("."), from);
    const { userGroupId, ...state } = args;
    declared.set(
      name,
      isLookup ? UserGroup.get(name, userGroupId, state, options) : new types[provider](name, args, options),
    );
  };
  module.exports = async () => {
    for (const resource of resources) declare(resource);
  };
`;
