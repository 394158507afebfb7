// Part of `npm run docs`: writes the schema of the plugin.
import { writeFileSync } from "node:fs";
import { schemaFile, schemaText } from "./pluginSchema";

void schemaText().then((text) => {
  writeFileSync(schemaFile, text);
});
