/** Small pieces of Markdown that generated pages consist of. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { slug } from "github-slugger";
import { errorCodes } from "../../provider/messages/catalogue";

export const repository = resolve(__dirname, "../..");

export function readPage(file: string): string {
  return readFileSync(join(repository, file), "utf8");
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n");
}

/** Code with a bar needs a backslash in a table, also within backquotes. */
function cell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ").replaceAll("|", "\\|");
}

export function code(text: string): string {
  return `\`${text}\``;
}

const codes = new Map(errorCodes.map((each) => [each as string, `messages.md#${each}`]));

/** A doc comment as it reads on docs/reference.md: codes of errors and sections of the interface are links. */
export function linked(text: string): string {
  const withErrors = text.replaceAll(/(?<!\[)`([a-z]+(?:-[a-z]+)+)`/g, (all, name: string) => {
    const target = codes.get(name);
    return target === undefined ? all : `[${all}](${target})`;
  });
  return withErrors.replaceAll(/interface, section "([^"]+)"/g, (citation: string, section: string) => {
    return `[${citation}](service-interface.md#${slug(headingOf(section))})`;
  });
}

/** Doc comments cite the service's interface by the headings of its document, some of which are numbered. */
function headingOf(section: string): string {
  const heading = new RegExp(`^#+ ((?:\\d+\\. )?${section})$`, "m").exec(
    readPage("docs/service-interface.md"),
  );
  if (heading?.[1] === undefined) throw new Error(`docs/service-interface.md has no section "${section}".`);
  return heading[1];
}
