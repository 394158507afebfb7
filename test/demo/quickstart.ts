import * as fs from "node:fs";
import { join, resolve } from "node:path";

/** The files of examples/quickstart, with another name for globex if there is one. */
export function quickstart({ globex }: { globex?: string } = {}): Record<string, string> {
  const files = Object.fromEntries(["Pulumi.yaml", "package.json"].map((name) => [name, read(name)]));
  const program = read("index.ts");
  if (globex === undefined) return { ...files, "index.ts": program };
  const renamed = program.replace('name: "Globex"', `name: ${JSON.stringify(globex)}`);
  if (renamed === program) throw new Error("examples/quickstart names no group Globex any more");
  return { ...files, "index.ts": renamed };
}

const folder = resolve(__dirname, "../../examples/quickstart");

function read(name: string): string {
  return fs.readFileSync(join(folder, name), "utf8");
}
