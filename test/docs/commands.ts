/** The commands that the pages print, in snippets and in the running text. */
import { pages, type Page, type Snippet } from "./pages";

export interface Command {
  /** Where it stands: the page, and the line of the snippet. */
  readonly place: string;
  readonly page: string;
  readonly text: string;
  /** The command and its arguments, without quotes, and without variables that are set for it. */
  readonly words: readonly string[];
  /** Variables that it sets, by `export` or for itself. */
  readonly variables: readonly string[];
}

export const commands: readonly Command[] = pages.flatMap((page) => [
  ...page.snippets.flatMap((snippet) =>
    linesOf(snippet).map((text) => newCommand(placeOf(snippet), page, text)),
  ),
  ...page.spans.filter(isCommand).map((text) => newCommand(page.file, page, text)),
]);

/** `npx pulumi` is `pulumi`. */
export function programOf({ words }: Command): string {
  const [first = "", second = ""] = words;
  return first === "npx" ? second : first;
}

export function argumentsOf({ words }: Command): string[] {
  return words.slice(words[0] === "npx" ? 2 : 1);
}

function placeOf({ page, line }: Snippet): string {
  return `${page}:${line}`;
}

function assigned(word: string): string[] {
  return /^(\w+)=/.exec(word)?.slice(1) ?? [];
}

function newCommand(place: string, { file }: Page, text: string): Command {
  const words = [...text.replace(/^env (-u \w+ )*/, "").matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(
    ([word]) => word.replaceAll(/['"]/g, ""),
  );
  const start = words[0] === "export" ? 1 : 0;
  const isOther = (word: string, place: number) => place >= start && assigned(word).length === 0;
  const own = words.findIndex(isOther);
  const before = words.slice(start, own === -1 ? undefined : own);
  return {
    place,
    page: file,
    text,
    words: own === -1 ? [] : words.slice(own),
    variables: before.flatMap(assigned),
  };
}

/** The commands of a snippet, without comments; in `console` only what follows the prompt. */
function linesOf({ language, text }: Snippet): string[] {
  if (language !== "sh" && language !== "console") return [];
  const lines = text.replaceAll("\\\n", " ").split("\n");
  return lines
    .filter((line) => language === "sh" || line.startsWith("$ "))
    .map((line) => line.replace(/^\$ /, "").replace(/(^| +)#.*$/, ""))
    .flatMap((line) => line.replace(/^\((.*)\)$/, "$1").split(/ && | \| /))
    .map((line) => line.replace(/ > \S+$/, "").trim())
    .filter((line) => line !== "");
}

/** A span with something left out, such as `npx pulumi-user-groups …`, isn't one to type. */
function isCommand(span: string): boolean {
  return /^(npm|npx|pulumi) (?!run$)\w/.test(span) && !span.includes("…");
}
