/** The examples as users copy them. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/** File → what is there → what is to be there instead. */
type Changes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The files of an example: name → text. `changes` replaces texts in them. */
export function example(name: string, changes: Changes = {}): Record<string, string> {
  const folder = resolve(__dirname, "../../examples", name);
  const files: Record<string, string> = Object.fromEntries(
    filesIn(folder).map((file) => [relative(folder, file), readFileSync(file, "utf8")]),
  );
  for (const [file, replacements] of Object.entries(changes))
    for (const [from, to] of Object.entries(replacements)) {
      const text = files[file] ?? "";
      if (!text.includes(from)) throw new Error(`${file} doesn't say ${from} any more`);
      files[file] = text.replaceAll(from, to);
    }
  return files;
}

/** examples/pipeline in the variant for forks, as its README says to copy it. */
export function forkPipeline(): Record<string, string> {
  const files = Object.entries(example("pipeline"));
  const copied = files.map(([name, text]) => [name.replace(/^forks\//, ""), text] as const);
  return Object.fromEntries([...files, ...copied]);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules") return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}
