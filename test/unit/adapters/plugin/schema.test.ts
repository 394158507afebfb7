import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { schemaFile, schemaText } from "../../../../tools/release/schema/pluginSchema";

const property = z.looseObject({ description: z.string().min(1), secret: z.boolean().default(false) });
const schema = z.object({ provider: z.object({ inputProperties: z.record(z.string(), property) }) });

describe("the plugin's schema", () => {
  const text = readFileSync(schemaFile, "utf8");

  it("is as the sources are (otherwise: npm run docs)", async () => {
    assert.equal(text, await schemaText());
  });

  it("marks the settings that are secrets, and lets no SDK store those of the environment, or force a replacement", () => {
    const settings = Object.entries(schema.parse(JSON.parse(text)).provider.inputProperties);
    const secrets = settings.filter(([, { secret }]) => secret).map(([name]) => name);
    assert.deepEqual(secrets, ["apiToken", "headers", "clientKey"]);
    for (const [, setting] of settings) assert(!("defaultInfo" in setting));
    assert.doesNotMatch(text, /"replaceOnChanges"/);
  });
});
