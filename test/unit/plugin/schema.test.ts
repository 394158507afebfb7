import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { schemaFile, schemaText } from "../../../release/schema/pluginSchema";

/** Each property must have a description. */
const properties = z.record(
  z.string(),
  z.looseObject({ description: z.string().min(1), secret: z.boolean().optional() }),
);
const schema = z.object({
  config: z.object({ variables: properties }),
  provider: z.object({ inputProperties: properties }),
  resources: z.record(z.string(), z.object({ properties, inputProperties: properties })),
});

describe("the plugin's schema", () => {
  const text = readFileSync(schemaFile, "utf8");
  const { resources, config, provider } = schema.parse(JSON.parse(text));

  it("is as the sources are (otherwise: npm run schema)", async () => {
    assert.equal(text, await schemaText());
  });

  it("marks tokens, headers and keys as secrets, and no other property", () => {
    const all = [config.variables, provider.inputProperties];
    const outputs = Object.values(resources).map(({ properties }) => properties);
    const secrets = [...all, ...outputs].map((of) => Object.keys(of).filter((name) => of[name]?.secret));
    const ofService = ["apiToken", "headers", "clientKey"];
    assert.deepEqual(secrets, [ofService, ofService, ["token", "former"], ["tokens", "former"]]);
  });

  it("lets no SDK store settings of the environment, or force a replacement, which the provider decides", () => {
    for (const each of Object.values(provider.inputProperties)) assert(!("defaultInfo" in each));
    assert.doesNotMatch(text, /"replaceOnChanges"/);
  });
});
