/** The table with which docs/errors.md opens, from the sections of the same page. */
import { readPage, table } from "./markdown";

export function errorsTable(): string {
  const groups = readPage("docs/errors.md").split(/^## /m).slice(1);
  const rows = groups.flatMap((group) => {
    const [heading = ""] = group.split("\n", 1);
    const codes = group.split(/^### /m).slice(1).map(row);
    return codes.length === 0 ? [] : [[`**${heading}**`, "", "", ""], ...codes];
  });
  return table(["code", "meaning", "was anything changed?", "action"], rows);
}

/** Of a section: its code, its first sentence, and what it says after "Changed:" and "Action:". */
function row(section: string): string[] {
  const code = /^`([a-z-]+)`$/m.exec(section)?.[1];
  const [prose = ""] = section
    .slice(section.indexOf("\n"))
    .split(/^```\n/m)
    .slice(1, 2);
  const line = prose.replaceAll(/\\?\s+/g, " ").trim();
  const meaning = /^.*?[.](?= |$)/.exec(line)?.[0];
  const changed = /\*\*Changed:\*\* (.*?) \*\*Action/.exec(line)?.[1] ?? "";
  const action = /\*\*Action:\*\* (.*?[.])(?= > | \*\*|$)/.exec(line)?.[1];
  if (code === undefined || meaning === undefined || action === undefined)
    throw new Error(`The section of ${code} is incomplete.`);
  return [`[\`${code}\`](#${code})`, meaning, changed, action];
}
