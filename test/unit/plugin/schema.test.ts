import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { userGroupArguments, userGroupsArguments } from "../../../provider/src/core/arguments";
import { settingNames } from "../../../provider/src/settings/readSettings";
import { schemaFile, schemaText } from "../../../release/schema/pluginSchema";

const property = z.looseObject({ description: z.string().min(1), secret: z.boolean().optional() });
const properties = z.record(z.string(), property);
const resource = z.looseObject({
  description: z.string(),
  properties,
  inputProperties: properties,
  required: z.array(z.string()),
});

/** Each property must have a description. */
const schema = z.object({
  config: z.object({ variables: properties }),
  provider: z.object({ inputProperties: properties }),
  types: z.record(z.string(), z.object({ properties })),
  resources: z.object({
    "user-groups:index:UserGroup": resource,
    "user-groups:index:UserGroups": resource,
  }),
});

describe("the plugin's schema", () => {
  const text = readFileSync(schemaFile, "utf8");
  const { resources, config, provider } = schema.parse(JSON.parse(text));
  const userGroup = resources["user-groups:index:UserGroup"];
  const userGroups = resources["user-groups:index:UserGroups"];

  it("is as the sources are (otherwise: npm run schema)", async () => {
    assert.equal(text, await schemaText());
  });

  it("has the arguments of the core but the connection, which explicit providers replace", () => {
    for (const [{ inputProperties }, { shape }] of [
      [userGroup, userGroupArguments],
      [userGroups, userGroupsArguments],
    ] as const) {
      const names = Object.keys(shape).filter((key) => key !== "connection");
      assert.deepEqual(Object.keys(inputProperties).sort(), names.sort());
    }
  });

  it("has the settings as configuration and as arguments of the provider", () => {
    assert.deepEqual(Object.keys(config.variables), settingNames);
    assert.deepEqual(Object.keys(provider.inputProperties), settingNames);
  });

  it("marks tokens as secrets, and no other property", () => {
    const secretsOf = (of: Record<string, { secret?: boolean | undefined }>) =>
      Object.keys(of).filter((name) => of[name]?.secret);
    assert.deepEqual(secretsOf(userGroup.properties), ["token"]);
    assert.deepEqual(secretsOf(userGroups.properties), ["tokens"]);
    assert.deepEqual(secretsOf(config.variables), ["apiToken"]);
    assert.deepEqual(secretsOf(provider.inputProperties), ["apiToken"]);
  });

  it("lets no SDK store settings of the environment, or force a replacement, which the provider decides", () => {
    for (const each of Object.values(provider.inputProperties)) assert(!("defaultInfo" in each));
    assert.doesNotMatch(text, /"replaceOnChanges"/);
  });
});
