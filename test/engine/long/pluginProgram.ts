/** Programs in JavaScript that use the plugin by the package's entry. */
import { join, resolve } from "node:path";

const repository = resolve(__dirname, "../../..");

/** Lines of a Pulumi.yaml: run the built plugin in place, instead of one that is installed. */
export const pluginEntry = `
plugins:
  providers:
    - name: user-groups
      path: ${JSON.stringify(join(repository, "plugin"))}
`;

const projectFile = `name: tests\nruntime: nodejs\n${pluginEntry}`;

/** The files of a program. `text`: may use pulumi, UserGroup, UserGroups and Provider. */
export function pluginProgram(text: string): Record<string, string> {
  return {
    "Pulumi.yaml": projectFile,
    "index.js": `
      const pulumi = require("@pulumi/pulumi");
      const { Provider, UserGroup, UserGroups } = require("pulumi-user-groups/plugin");
      ${text}
    `,
  };
}
