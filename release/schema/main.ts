// `npm run schema`: writes the schema of the plugin.
import { writeFileSync } from "node:fs";
import { schemaFile, schemaText } from "./schemaFile";

async function main(): Promise<void> {
  writeFileSync(schemaFile, await schemaText());
}

void main();
