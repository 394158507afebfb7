/** The two pages of the Pulumi Registry: file name → text. The version, the settings and the programs come from where they are defined. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { engines, repository as source, version } from "../../../package.json";
import schema from "../../../provider/adapters/plugin/schema.json";
import { keysOf, settingsSchema } from "../../../provider/settings/readSettings";

const repository = resolve(__dirname, "../../..");
const releases = `${source.url.replace(/^git\+/, "").replace(/\.git$/, "")}/releases/download`;

export function registryPages(): Readonly<Record<string, string>> {
  return { "_index.md": indexPage(), "installation-configuration.md": installationPage() };
}

function indexPage(): string {
  return `${frontMatter("User Groups", "Manages user groups of a customer-facing analytics service with Pulumi.")}
The User Groups provider for Pulumi manages user groups of a customer-facing analytics service. A user group represents one of your
customers, and its token renders the customer's embedded dashboards.

## Example

{{< chooser language "typescript,yaml" >}}

{{% choosable language typescript %}}
\`\`\`typescript
${readText("examples/quickstart/index.ts").trim()}
\`\`\`
{{% /choosable %}}
{{% choosable language yaml %}}
\`\`\`yaml
${withoutHead(readText("examples/languages/yaml/Pulumi.yaml"))}
\`\`\`
{{% /choosable %}}
{{< /chooser >}}
`;
}

function installationPage(): string {
  const about = "Installs and configures the User Groups provider for Pulumi.";
  const node = engines.node.replaceAll(">=", "").replaceAll("^", "").replaceAll(" || ", "+ or ");
  return `${frontMatter("User Groups Installation & Configuration", about)}
# Installation and configuration

The provider requires Node.js ${node}+ on the PATH, for programs in every language. One line installs it and generates the SDK for the
language of the program (engine 3.256 and newer):

\`\`\`sh
pulumi package add user-groups@${version} --server ${releases}/v${version}
\`\`\`

Programs in TypeScript and JavaScript need nothing but the npm package \`pulumi-user-groups\`, unless they need imports, explicit
providers or detailed previews.

Each setting is an environment variable, or a key of the stack's configuration. The variable takes precedence. Set secrets by variables, because
\`pulumi destroy\` and \`pulumi refresh\` use the configuration of the last update.

${Object.entries(schema.config.variables).map(settingLine).join("\n")}

A preview needs neither the address nor the API token, except for lookups and imports.
`;
}

function settingLine([name, { description }]: [string, { readonly description: string }]): string {
  const { key, variable } = keysOf(settingsSchema.keyof().parse(name), {});
  return `- \`${variable}\`, \`${key}\`: ${description.replace(/ ?Environment variable: `[A-Z_]+`\.$/, "")}`;
}

function frontMatter(title: string, about: string): string {
  return `---\ntitle: ${title}\nmeta_desc: ${about}\nlayout: package\n---\n`;
}

/** Resources and outputs. */
function withoutHead(program: string): string {
  return program.slice(program.indexOf("resources:")).trim();
}

function readText(file: string): string {
  return readFileSync(join(repository, file), "utf8");
}
