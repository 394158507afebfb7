/** The schema of the plugin, from the zod schemas and the doc comments of the provider. */
import { join } from "node:path";
import { format } from "prettier";
import { repository } from "../../../package.json";
import { userGroupArguments, userGroupsArguments } from "../../../provider/core/arguments";
import { keeperFields, replacingFields } from "../../../provider/core/state/group";
import { secretOutputs } from "../../../provider/adapters/results";
import { userGroupState, userGroupsState } from "../../../provider/core/state/shapes";
import {
  keysOf,
  secretSettings,
  settingNames,
  settingsSchema,
} from "../../../provider/settings/readSettings";
import { docsOf, type Docs } from "./docComments";
import { objectSpec, type ObjectSpec, type TypeSpec } from "./typeSpec";

const groupType = "user-groups:index:Group";
const groupReference = `#/types/${groupType}`;
const formerType = "user-groups:index:FormerGroup";
const formerGroups: TypeSpec = { type: "array", items: { $ref: `#/types/${formerType}` } };

/** The committed schema: the plugin is built with it, and Pulumi's registry reads it. */
export const schemaFile = join(__dirname, "../../../provider/adapters/plugin/schema.json");

/** The text that the file should have. */
export function schemaText(): Promise<string> {
  return format(JSON.stringify(pluginSchema()), { parser: "json", printWidth: 110 });
}

/** Without the version, which is that of the package. */
function pluginSchema(): object {
  const configuration = settings();
  return {
    name: "user-groups",
    displayName: "User Groups",
    description: "User groups of a customer-facing analytics service as Pulumi resources.",
    keywords: [
      "pulumi",
      "user-groups",
      "embedded-analytics",
      "multi-tenant",
      "kind/native",
      "category/utility",
    ],
    license: "Apache-2.0",
    repository: repositoryAddress,
    pluginDownloadURL: archives,
    language,
    config: {
      // An SDK can't take an object from the environment. The plugin does.
      variables: mapValues(configuration, (property, name) => ({
        ...property,
        ...(property.type !== "object" && {
          defaultInfo: { environment: [keysOf(settingsSchema.keyof().parse(name), {}).variable] },
        }),
      })),
    },
    // Without defaults from the environment: an SDK would store the API token in the state. The plugin reads the environment.
    provider: { description: providerDescription, inputProperties: configuration },
    types: { [groupType]: groupSpec(), [formerType]: formerSpec() },
    resources: {
      "user-groups:index:UserGroup": userGroup(),
      "user-groups:index:UserGroups": userGroups(),
    },
  };
}

const repositoryAddress = repository.url.replace(/^git\+/, "").replace(/\.git$/, "");

/** Where the engine downloads the plugin of an SDK: from the releases of the repository. GitHub's may be private. */
const archives = repositoryAddress.startsWith("https://github.com/")
  ? repositoryAddress.replace("https://github.com/", "github://api.github.com/")
  : `${repositoryAddress}/releases/download/v\${VERSION}`;

const language = {
  csharp: { respectSchemaVersion: true },
  go: {
    importBasePath: "example.com/pulumi-user-groups/sdk/go/usergroups",
    generateResourceContainerTypes: true,
    respectSchemaVersion: true,
  },
  nodejs: { respectSchemaVersion: true },
  python: { respectSchemaVersion: true, pyproject: { enabled: true } },
};

const providerDescription =
  "The settings of a service. A program that uses several services has a provider for each of them. Settings without an " +
  "argument come from the environment.";

function userGroup() {
  const docs = resourceDocs("resources/userGroup.ts", "UserGroup");
  const inputs = inputsOf(userGroupArguments, "resources/userGroup.ts", "UserGroupArgs");
  const inputProperties = mapValues(inputs.properties, (property, name) => ({
    ...property,
    ...(replacing.has(name) && { willReplaceOnChanges: true }),
  }));
  const spec = resource("UserGroup", docs, inputs, stateSpec(userGroupState, formerGroups));
  return {
    ...spec,
    inputProperties,
    stateInputs: {
      description:
        "The known values of a group, at least its name: the service reads a group only with its name. The others are read.",
      // All outputs, because the SDKs create those of a lookup from these names.
      properties: { ...spec.properties, ...inputs.properties },
      type: "object",
    },
  };
}

/** With the setting `changes: update`, all but the last two update the group. */
const replacing: ReadonlySet<string> = new Set([...replacingFields, ...keeperFields, "userGroupId"]);

function userGroups() {
  const docs = resourceDocs("resources/userGroups.ts", "UserGroups");
  const inputs = inputsOf(userGroupsArguments, "resources/userGroups.ts", "UserGroupsArgs");
  return {
    ...resource(
      "UserGroups",
      docs,
      inputs,
      stateSpec(userGroupsState, { type: "object", additionalProperties: formerGroups }),
    ),
    inputProperties: inputs.properties,
  };
}

function stateSpec(schema: typeof userGroupState | typeof userGroupsState, former: TypeSpec): ObjectSpec {
  const { properties, required } = objectSpec(schema);
  return { properties: { ...properties, former }, required };
}

/** The outputs are those of the classes that both entries extend. */
function resourceDocs(file: string, name: string): Docs {
  const { members } = docsOf(file, `${name}Resource`);
  const common = docsOf("resources/resourceOptions.ts", "GroupResource").members;
  return { ...docsOf(file, name), members: new Map([...members, ...common]) };
}

function resource(name: string, docs: Docs, inputs: ObjectSpec, state: ObjectSpec) {
  const members = [...docs.members];
  const properties = Object.fromEntries(
    members.map(([member, description]) => {
      const { description: _, ...type } = inputs.properties[member] ?? state.properties[member] ?? {};
      return [member, { ...type, description, ...(secrets.has(member) && { secret: true }) }];
    }),
  );
  const outputs = members.map(([member]) => member).filter((member) => !(member in inputs.properties));
  const always = outputs.filter((member) => member !== "former");
  return {
    description: docs.description,
    properties,
    required: [...inputs.required, ...always],
    requiredInputs: inputs.required,
    aliases: [{ type: `pulumi-nodejs:dynamic/user-groups:${name}` }],
  };
}

const secrets: ReadonlySet<string> = new Set(secretOutputs);

/** The arguments of a resource, described by its interface and those that it extends. */
function inputsOf(
  schema: typeof userGroupArguments | typeof userGroupsArguments,
  file: string,
  name: string,
) {
  const { properties, required } = objectSpec(schema, groupReference);
  const descriptions = new Map([
    ...docsOf("resources/commonArguments.ts", "GroupArgs").members,
    ...docsOf("resources/commonArguments.ts", "SharedArgs").members,
    ...docsOf(file, name).members,
  ]);
  return { properties: described(properties, descriptions), required };
}

function groupSpec() {
  const { description, members } = docsOf("resources/commonArguments.ts", "GroupArgs");
  const { properties, required } = groupValues();
  return { type: "object", description, properties: described(properties, members), required };
}

/** A group that `overlap` keeps, with its values. */
function formerSpec() {
  const { description, members } = docsOf("resources/commonArguments.ts", "FormerGroup");
  const values = docsOf("resources/commonArguments.ts", "GroupOutput").members;
  const { properties, required } = groupValues();
  const own = Object.fromEntries([...members.keys()].map((name) => [name, { type: "string" }]));
  return {
    type: "object",
    description,
    properties: described({ ...own, ...properties }, new Map([...members, ...values])),
    required: [...members.keys(), ...required],
  };
}

function groupValues(): ObjectSpec {
  return objectSpec(userGroupsArguments.shape.groups.valueType.out);
}

function settings() {
  const { properties } = objectSpec(settingsSchema);
  const { members } = docsOf("settings/readSettings.ts", "settingRules");
  return Object.fromEntries(
    settingNames.map((name) => {
      const given = name === "headers" ? stringMap : properties[name];
      const type = given?.type === undefined ? { type: "string" } : given;
      const description = `${members.get(name) ?? ""} Environment variable: \`${keysOf(name, {}).variable}\`.`;
      return [name, { ...type, description, ...(secretSettings.includes(name) && { secret: true }) }];
    }),
  );
}

const stringMap = { type: "object", additionalProperties: { type: "string" } };

function described(properties: ObjectSpec["properties"], descriptions: ReadonlyMap<string, string>) {
  return mapValues(properties, (type, name) => {
    const description = descriptions.get(name);
    if (!description) throw new Error(`${name} has no doc comment.`);
    return { ...type, description };
  });
}

function mapValues<Key extends string, Value, Result>(
  object: Readonly<Record<Key, Value>>,
  map: (value: Value, key: Key) => Result,
): Record<string, Result> {
  const entries: [string, Result][] = [];
  for (const key in object) entries.push([key, map(object[key], key)]);
  return Object.fromEntries(entries);
}
