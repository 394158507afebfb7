import { readFileSync } from "node:fs";
import * as z from "zod";

const packageFile = require.resolve("pulumi-user-groups/package.json");

/** The version of this package. */
export const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(packageFile, "utf8")));
