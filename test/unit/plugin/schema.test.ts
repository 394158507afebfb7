import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { schemaFile, schemaText } from "../../../release/schema/pluginSchema";

const property = z.looseObject({ description: z.string().min(1), secret: z.boolean().default(false) });
const schema = z.object({ config: z.object({ variables: z.record(z.string(), property) }) });

describe("the plugin's schema", () => {
  const text = readFileSync(schemaFile, "utf8");

  it("is as the sources are (otherwise: npm run schema)", async () => {
    assert.equal(text, await schemaText());
  });

  it("marks the settings that are secrets, and lets no SDK store those of the environment, or force a replacement", () => {
    const { variables } = schema.parse(JSON.parse(text)).config;
    const secrets = Object.keys(variables).filter((name) => variables[name]?.secret);
    assert.deepEqual(secrets, ["apiToken", "headers", "clientKey"]);
    assert.doesNotMatch(text, /"(defaultInfo|replaceOnChanges)"/);
  });
});
