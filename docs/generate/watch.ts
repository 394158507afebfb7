/**
 * `npm run docs:watch`: renames a customer of examples/embedding on the real engine, without and with `overlap`, while a Chromium reloads
 * the customer's page every 200 ms. Writes what the browser saw, with its times, into docs/pictures/renames.json; `npm run docs` draws it.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { watchedRename } from "../../test/examples/watchedRename";
import { repository } from "./markdown";
import type { Renames } from "./pictures/renames";

async function watch(): Promise<void> {
  const renames: Renames = {
    without: await watchedRename({ overlap: false }),
    with: await watchedRename({ overlap: true }),
  };
  const text = await format(JSON.stringify(renames), { parser: "json", printWidth: 110 });
  writeFileSync(join(repository, "docs/pictures/renames.json"), text);
}

void watch().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
