/** `node --require ts-node/register tools/release/registry/main.ts [folder]`: writes the two pages of the Pulumi Registry, which reads them from docs/ of the commit of a release. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { registryPages } from "./pages";

const folder = resolve(process.argv[2] ?? "registry-pages");
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(registryPages())) {
  writeFileSync(join(folder, name), text);
  console.log(join(folder, name));
}
