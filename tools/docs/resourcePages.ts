/** What pages say of the resources, the provider and the settings, from the plugin's schema and the doc comments. */
import { z } from "zod";
import { keysOf, settingsSchema } from "../../provider/settings/readSettings";
import { code, linked, readPage, table } from "./markdown";

type Resource = "UserGroup" | "UserGroups";

/** The description of a resource, and the program in the doc comment of its class. */
export function introduction(name: Resource): string {
  const source = readPage(`provider/resources/${name === "UserGroup" ? "userGroup" : "userGroups"}.ts`);
  const comment = source.slice(0, source.indexOf(`export class ${name}<`));
  const example = /```ts\n([^]*?)```[^`]*$/.exec(comment)?.[1];
  if (example === undefined) throw new Error(`The doc comment of ${name} has no example.`);
  const program = example.replaceAll(/^ \* ?/gm, "").trim();
  return `${linked(resourceSpec(name).description)}\n\n\`\`\`ts\n${program}\n\`\`\``;
}

/** Of a `UserGroups` those that a `UserGroup` doesn't have. */
export function inputs(name: Resource): string {
  const { inputProperties, requiredInputs } = resourceSpec(name);
  if (name === "UserGroup") return inputSections(inputProperties, requiredInputs);
  const others = Object.keys(resourceSpec("UserGroup").inputProperties);
  const own = Object.entries(inputProperties).filter(([input]) => !others.includes(input));
  return inputSections(Object.fromEntries(own), requiredInputs);
}

/** Those that aren't inputs. */
export function outputs(name: Resource): string {
  const { inputProperties, properties: all } = resourceSpec(name);
  const own = Object.entries(all).filter(([output]) => !(output in inputProperties));
  return table(
    ["output", "type", "value"],
    own.map(([output, property]) => [code(output), typeOf(property), stated(output, property.description)]),
  );
}

/** The settings, each with its environment variable and its configuration key. */
export function settingsList(): string {
  const sections = Object.entries(schema.config.variables).map(([name, { description }]) => {
    const { key, variable } = keysOf(settingsSchema.keyof().parse(name), {});
    const text = stated(name, withoutVariable(description));
    return `#### ${code(name)}\n\n${code(variable)}, or ${code(key)} in the configuration. ${text}`;
  });
  return sections.join("\n\n");
}

/** The line before has the variable. */
function withoutVariable(description: string): string {
  return description.replace(/ ?Environment variable: `[A-Z_]+`\.$/, "");
}

/** A section for each input, so that a link and the search of the site lead to it. */
function inputSections(all: Readonly<Record<string, Property>>, required: readonly string[]): string {
  const sections = Object.entries(all).map(([name, { description }]) => {
    const [value, effect] = splitAtChange(name, description);
    const isRequired = required.includes(name) ? "Required. " : "";
    return `#### ${code(name)}\n\n${isRequired}${stated(name, value)}\n\n**A change** ${stated(name, effect)}`;
  });
  return sections.join("\n\n");
}

/** The text of a section. It must not be blank without anybody noticing. */
function stated(name: string, text: string): string {
  if (text.trim() === "") throw new Error(`The doc comment of ${name} doesn't say what it is.`);
  return linked(text);
}

/** The sentences before and after the first one that says what a change does, which every input must have. */
function splitAtChange(name: string, description: string): [value: string, effect: string] {
  const start = /(?<=^|[.)] )A change /.exec(description)?.index;
  if (start === undefined) throw new Error(`The doc comment of ${name} doesn't say what a change does.`);
  const effect = description.slice(start + "A change ".length);
  return [description.slice(0, start).trim(), effect];
}

function typeOf(property: Property): string {
  return property.secret === true ? `${plainTypeOf(property)}, secret` : plainTypeOf(property);
}

function plainTypeOf(property: Property): string {
  if (property.type === "array") return `list of ${plainTypeOf(property.items ?? property)}s`;
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
    resources: z.object({
      "user-groups:index:UserGroup": resource,
      "user-groups:index:UserGroups": resource,
    }),
  })
  .parse(JSON.parse(readPage("provider/adapters/plugin/schema.json")));

function resourceSpec(name: Resource) {
  return schema.resources[`user-groups:index:${name}`];
}
