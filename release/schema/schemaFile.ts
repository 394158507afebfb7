import { join } from "node:path";
import { format } from "prettier";
import { pluginSchema } from "./pluginSchema";

/** The committed schema: the plugin is built with it, and Pulumi's registry reads it. */
export const schemaFile = join(__dirname, "../../provider/src/plugin/schema.json");

/** The text that the file should have. */
export function schemaText(): Promise<string> {
  return format(JSON.stringify(pluginSchema()), { parser: "json", printWidth: 110 });
}
