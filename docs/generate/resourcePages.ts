/** The pages of docs/reference about the resources and the provider, from the plugin's schema and the doc comments. */
import { z } from "zod";
import { docsOf } from "../../release/schema/docComments";
import { keysOf, settingsSchema } from "../../provider/src/settings/readSettings";
import { code, linked, readPage, table } from "./markdown";

interface ResourcePage {
  readonly name: "UserGroup" | "UserGroups";
  readonly source: string;
  readonly lookup: readonly string[];
  readonly importing: readonly string[];
}

const userGroup: ResourcePage = {
  name: "UserGroup",
  source: "resources/userGroup.ts",
  lookup: [
    "## Look up",
    "`UserGroup.get(name, id, { name })` reads a group that another stack or tool owns. The `id` is the `userGroupId`, and the",
    "group's name is required, because the service's only read sends it ([more](../existing-groups.md#look-up-a-group)).",
  ],
  importing: [
    "The plugin imports a group by `<userGroupId>=<name>`, also with the resource option `import`. The dynamic resources adopt",
    "an existing group when they are declared ([existing groups](../existing-groups.md)).",
    "```sh\npulumi import user-groups:index:UserGroup acme 'acme=Acme Corporation'\n```",
  ],
};

const userGroups: ResourcePage = {
  name: "UserGroups",
  source: "resources/userGroups.ts",
  lookup: [],
  importing: [
    "`UserGroups` has no import by ID and no lookup. Declare it with its groups, and it adopts the existing ones",
    "([existing groups](../existing-groups.md)).",
  ],
};

/** File name → text. */
export function resourcePages(): [file: string, text: string][] {
  return [
    ["user-group.md", resourcePage(userGroup)],
    ["user-groups.md", resourcePage(userGroups)],
    ["provider.md", providerPage()],
  ];
}

/** The settings by their configuration key and environment variable, for docs/settings.md. */
export function settingsTable(): string {
  const rows = Object.entries(schema.config.variables).map(([name, property]) => {
    const keys = keysOf(settingsSchema.keyof().parse(name), {});
    return [`${code(keys.key)}<br>${code(keys.variable)}`, withoutVariable(property.description)];
  });
  return table(["configuration key, environment variable", "value"], rows);
}

function resourcePage({ name, source, lookup, importing }: ResourcePage): string {
  const spec = resourceSpec(name);
  const type = `user-groups:index:${name}`;
  return [
    `# ${name}`,
    linked(spec.description),
    `\`\`\`ts\n${exampleOf(source, name)}\n\`\`\``,
    `In [YAML, Python, Go and other languages](../languages.md), the type is \`${type}\`. The type of the dynamic resource is ` +
      `\`pulumi-nodejs:dynamic/user-groups:${name}\`.`,
    "## Inputs",
    table(
      ["input", "value", "effect of a change"],
      [
        ...Object.entries(spec.inputProperties).map(([input, property]) => {
          return inputRow(input, property, spec.requiredInputs.includes(input));
        }),
        connectionRow(),
      ],
    ),
    ...groupInputs(name),
    "## Outputs",
    "All inputs are outputs too. What the state stores of them:",
    table(
      ["output", "type", "value"],
      Object.entries(spec.properties).map(([output, property]) => [
        code(output),
        typeOf(property) + (property.secret === true ? ", secret" : ""),
        linked(property.description),
      ]),
    ),
    ...lookup.slice(0, 1),
    lookup.slice(1).join(" "),
    "## Import",
    importing.slice(0, 2).join(" "),
    ...importing.slice(2),
  ].join("\n\n");
}

/** The plugin's schema lacks it, because the plugin has explicit providers instead. */
function connectionRow(): string[] {
  const description = docsOf("resources/commonArguments.ts", "SharedArgs").members.get("connection") ?? "";
  return inputRow(
    "connection",
    { description: `Not with the plugin. ${description}`, type: "string" },
    false,
  );
}

function groupInputs(name: ResourcePage["name"]): string[] {
  if (name === "UserGroup") return [];
  const group = schema.types["user-groups:index:Group"];
  const rows = Object.entries(group.properties).map(([input, property]) => {
    return inputRow(input, property, group.required.includes(input));
  });
  return [
    "### A group",
    "Each value of `groups` has these fields:",
    table(["field", "value", "effect of a change"], rows),
  ];
}

function inputRow(name: string, property: Property, isRequired: boolean): string[] {
  const [value, effect] = splitAtChange(name, property.description);
  return [`${code(name)}${isRequired ? "<br>required" : ""}`, linked(value), linked(effect)];
}

/** The sentences before and after the first one that says what a change does, which every input must have. */
function splitAtChange(name: string, description: string): [value: string, effect: string] {
  const start = /(?<=^|[.)] )A change /.exec(description)?.index;
  if (start === undefined) throw new Error(`The doc comment of ${name} doesn't say what a change does.`);
  const effect = description.slice(start).replace(/^A change (?!to |of )(\w)/, (_all, first: string) => {
    return first.toUpperCase();
  });
  return [description.slice(0, start).trim(), effect];
}

function providerPage(): string {
  const rows = Object.entries(schema.provider.inputProperties).map(([input, property]) => {
    const { variable } = keysOf(settingsSchema.keyof().parse(input), { provider: "eu" });
    const type = typeOf(property) + (property.secret === true ? ", secret" : "");
    return [`${code(input)}<br>${code(variable)}`, type, withoutVariable(property.description)];
  });
  return [
    "# Provider",
    `${schema.provider.description} Only the plugin has explicit providers; the dynamic resources have ` +
      "[`connection`](../services.md).",
    "```yaml\n" +
      "resources:\n  eu:\n    type: pulumi:providers:user-groups\n    properties:\n      baseUrl: https://eu.example.com\n" +
      "  acme:\n    type: user-groups:UserGroup\n    properties: { userGroupId: acme, name: Acme }\n" +
      "    options:\n      provider: ${eu}\n```",
    "## Inputs",
    table(["input, variable of the provider `eu`", "type", "value"], rows),
    "An environment variable with the provider's name comes before the argument. A provider that has a `baseUrl` of its own needs a " +
      "token, headers and a client certificate of its own: those of `USER_GROUPS_API_TOKEN` and so on aren't sent to its address " +
      "([several services](../languages.md#several-services)).",
  ].join("\n\n");
}

/** A table has the variable in a column of its own. */
function withoutVariable(description: string): string {
  return description.replace(/ Environment variable: `[A-Z_]+`\.$/, "");
}

/** The program in the doc comment of a class. */
function exampleOf(file: string, name: string): string {
  const source = readPage(`provider/src/${file}`);
  const comment = source.slice(0, source.indexOf(`export class ${name} `));
  const example = /```ts\n([^]*?)```[^`]*$/.exec(comment)?.[1];
  if (example === undefined) throw new Error(`The doc comment of ${name} has no example.`);
  return example.replaceAll(/^ \* ?/gm, "").trim();
}

function typeOf(property: Property): string {
  if (property.type === "array") return `list of ${typeOf(property.items ?? property)}s`;
  if (property.type === "integer") return "whole number";
  if (property.type !== "object") return property.type ?? "object";
  const values = property.additionalProperties;
  if (values?.type === "string") return "object of strings";
  if (values?.$ref?.endsWith(":Group") === true) return "object of groups";
  return "object";
}

const typeSpec = z.object({ type: z.string().optional(), $ref: z.string().optional() });
type Property = z.infer<typeof property>;
const property = typeSpec.extend({
  description: z.string(),
  secret: z.boolean().optional(),
  items: typeSpec.extend({ description: z.string().default("") }).optional(),
  additionalProperties: typeSpec.optional(),
});
const properties = z.record(z.string(), property);
const resource = z.object({
  description: z.string(),
  properties,
  inputProperties: properties,
  requiredInputs: z.array(z.string()),
});

const schema = z
  .object({
    config: z.object({ variables: properties }),
    provider: z.object({ description: z.string(), inputProperties: properties }),
    types: z.object({
      "user-groups:index:Group": z.object({ properties, required: z.array(z.string()) }),
    }),
    resources: z.object({
      "user-groups:index:UserGroup": resource,
      "user-groups:index:UserGroups": resource,
    }),
  })
  .parse(JSON.parse(readPage("provider/src/plugin/schema.json")));

function resourceSpec(name: ResourcePage["name"]) {
  return schema.resources[`user-groups:index:${name}`];
}
