/** Programs that use the plugin: Node.js, with classes as an SDK has them (with the aliases of the schema), by hand. */
import { join, resolve } from "node:path";
import type { Result } from "../harness";

const repository = resolve(__dirname, "../../..");

/** Lines of a Pulumi.yaml: run the built plugin in place, instead of one that is installed. */
export const pluginEntry = `
plugins:
  providers:
    - name: user-groups
      path: ${JSON.stringify(join(repository, "provider/plugin"))}
`;

const projectFile = `name: tests\nruntime: nodejs\n${pluginEntry}`;

const sdk = `
  const pulumi = require("@pulumi/pulumi");
  const from = (type, opts) => pulumi.mergeOptions(opts, { aliases: [{ type: "pulumi-nodejs:dynamic/user-groups:" + type }] });
  const argumentsOf = (names, args) => Object.fromEntries([...names.map((name) => [name, undefined]), ...Object.entries(args)]);
  const groupOutputs = ["name", "mapping", "properties", "dataSourceProvidedId", "keepers", "adopt", "token", "adopted", "baseUrl"];
  exports.UserGroup = class UserGroup extends pulumi.CustomResource {
    static get(name, id, state, opts) { return new UserGroup(name, state, { ...opts, id }); }
    constructor(name, args, opts) {
      super("user-groups:index:UserGroup", name, argumentsOf(["userGroupId", ...groupOutputs], args ?? {}), from("UserGroup", opts));
    }
  };
  const groupsOutputs = ["groups", "adopt", "removed", "deletionLimit", "tokens", "adopted", "baseUrl"];
  exports.UserGroups = class UserGroups extends pulumi.CustomResource {
    constructor(name, args, opts) {
      super("user-groups:index:UserGroups", name, argumentsOf(groupsOutputs, args), from("UserGroups", opts));
    }
  };
  exports.Provider = class Provider extends pulumi.ProviderResource {
    constructor(name, args, opts) { super("user-groups", name, args, opts); }
  };
`;

/** The files of a program. `text`: may use pulumi, UserGroup, UserGroups and Provider. */
export function pluginProgram(text: string): Record<string, string> {
  return {
    "Pulumi.yaml": projectFile,
    "sdk.js": sdk,
    "index.js": `
      const pulumi = require("@pulumi/pulumi");
      const { Provider, UserGroup, UserGroups } = require("./sdk");
      ${text}
    `,
  };
}

/** The warnings that the engine shows, each under its resource: `acme: user group "acme" …`. */
export function warningsByResource({ diagnostics }: Result): string[] {
  return diagnostics
    .filter(({ severity }) => severity === "warning")
    .map(({ urn = "", message }) => `${urn.slice(urn.lastIndexOf("::") + 2)}: ${message.trim()}`);
}
