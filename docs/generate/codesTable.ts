/** The table with which docs/errors.md opens, from the sections of the same page. */
import { readPage, table } from "./markdown";

/** What a section of a code says in its first sentence, and after "Changed:" and "Action:". */
interface CodeSection {
  readonly group: string;
  readonly code: string;
  readonly meaning: string;
  readonly changed: string;
  readonly action: string;
}

export function errorsTable(): string {
  const head = ["code", "meaning", "was anything changed?", "action"];
  return byGroup(codeSections("docs/errors.md"), head, ({ changed }) => [changed]);
}

/** The sections `### `code`` of a page, in their order, each with the heading of its group. */
function codeSections(file: string): CodeSection[] {
  return readPage(file)
    .split(/^## /m)
    .slice(1)
    .flatMap((group) => {
      const [heading = "", ...rest] = group.split("\n");
      const sections = rest.join("\n").split(/^### `([a-z-]+)`$/m);
      return sections.flatMap((code, index) => {
        return index % 2 === 1 ? codeSection(heading, code, sections[index + 1] ?? "") : [];
      });
    });
}

function codeSection(group: string, code: string, text: string): CodeSection {
  const [, prose = ""] = text.split(/^```\n/m);
  const line = prose.replaceAll(/\\?\s+/g, " ").trim();
  const meaning = /^.*?[.](?= |$)/.exec(line)?.[0];
  const action = /\*\*Action:\*\* (.*?[.])(?= > | \*\*|$)/.exec(line)?.[1];
  if (meaning === undefined || action === undefined) throw new Error(`The section of ${code} is incomplete.`);
  return { group, code, meaning, changed: /\*\*Changed:\*\* (.*?) \*\*Action/.exec(line)?.[1] ?? "", action };
}

/** One table, in which a row names the group of the following ones. */
function byGroup(
  sections: readonly CodeSection[],
  head: readonly string[],
  further: (section: CodeSection) => string[],
): string {
  const groups = [...new Set(sections.map(({ group }) => group))];
  const rows = groups.flatMap((group) => [
    [`**${group}**`, ...head.slice(1).map(() => "")],
    ...sections
      .filter((section) => section.group === group)
      .map((section) => [
        `[\`${section.code}\`](#${section.code})`,
        section.meaning,
        ...further(section),
        section.action,
      ]),
  ]);
  return table(head, rows);
}
