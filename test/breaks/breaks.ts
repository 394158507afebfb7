/** Defects to build in, at least one for each rule of the provider. breaks.txt explains its form. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Break {
  /** The rule that no longer holds. */
  readonly rule: string;
  /** Below provider/src. */
  readonly file: string;
  /** The code that keeps the rule; the file has it once. */
  readonly code: string;
  readonly replacement: string;
}

export const breaks: readonly Break[] = readFileSync(join(__dirname, "breaks.txt"), "utf8")
  .split(/\n\n+/)
  .slice(1)
  .flatMap(defectsOf);

/** A paragraph: the file, then each of its rules with the lines of code and those of the replacement. */
function defectsOf(paragraph: string): Break[] {
  const [file = "", ...lines] = paragraph.trimEnd().split("\n");
  const starts = lines.flatMap((line, index) => (/^ {2}[-+] ?/.test(line) ? [] : index));
  return starts.map((start, index) => {
    const [rule = "", ...changes] = lines.slice(start, starts[index + 1]);
    const marked = (mark: string) =>
      changes.flatMap((line) => (line.startsWith(`  ${mark}`) ? line.slice(4) : [])).join("\n");
    return { rule: rule.trim(), file, code: marked("-"), replacement: marked("+") };
  });
}
