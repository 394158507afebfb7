import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";

const packageFile = path.join(__dirname, "..", "package.json");

/** The version of this package. */
export const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(packageFile, "utf8")));
