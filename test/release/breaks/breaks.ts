/** The defects of breaks.txt. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export interface Break {
  /** The rule that no longer holds. */
  readonly rule: string;
  /** Below provider. */
  readonly file: string;
  /** The code that keeps the rule; the file has it once. */
  readonly code: string;
  readonly replacement: string;
}

/** At least one defect for each rule of the provider. breaks.txt explains its form. */
export const breaks: readonly Break[] = readFileSync(join(__dirname, "breaks.txt"), "utf8")
  .split(/\n\n+/)
  .slice(1)
  .flatMap(defectsOf);

/** What stands before and after the code of a defect, which its file must have once. */
export function partsOf({ file, code }: Break): string[] {
  return readFileSync(resolve(__dirname, "../../../provider", file), "utf8").split(code);
}

/** A paragraph: the file, then each of its rules with its changes. */
function defectsOf(paragraph: string): Break[] {
  const [file = "", ...lines] = paragraph.trimEnd().split("\n");
  const starts = lines.flatMap((line, index) => (/^ {2}[-+=] ?/.test(line) ? [] : index));
  return starts.map((start, index) => {
    const [rule = "", ...changes] = lines.slice(start, starts[index + 1]);
    const marked = (mark: string) =>
      changes.flatMap((line) => (line.startsWith(`  ${mark}`) ? line.slice(4) : [])).join("\n");
    const [code = marked("-"), replacement = marked("+")] = marked("=").split(" → ").filter(Boolean);
    return { rule: rule.trim(), file, code, replacement };
  });
}
