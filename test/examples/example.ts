import * as fs from "node:fs";
import { delimiter, join, relative, resolve } from "node:path";

/** The files of an example as a user would copy them: name → text. `changes` replaces texts in them. */
export function example(name: string, changes: Changes = {}): Record<string, string> {
  const folder = resolve(__dirname, "../../examples", name);
  const files: Record<string, string> = Object.fromEntries(
    filesIn(folder).map((file) => [relative(folder, file), fs.readFileSync(file, "utf8")]),
  );
  return { ...files, ...changed(files, changes) };
}

/** File → what is there → what is to be there instead. */
type Changes = Readonly<Record<string, Readonly<Record<string, string>>>>;

function filesIn(folder: string): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules") return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

function changed(files: Readonly<Record<string, string>>, changes: Changes): Record<string, string> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, replacements]) => {
      const text = Object.entries(replacements).reduce(
        (former, [from, to]) => replaced(name, former, from, to),
        files[name] ?? "",
      );
      return [name, text];
    }),
  );
}

function replaced(name: string, text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`${name} doesn't say ${from} any more`);
  return text.replaceAll(from, to);
}

/** A PATH with `pulumi` and other commands of the repository's packages. */
export function pathWithTools(): string {
  return [resolve(__dirname, "../../node_modules/.bin"), process.env["PATH"]].join(delimiter);
}
