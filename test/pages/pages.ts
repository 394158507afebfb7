/** The Markdown pages of the repository, and what stands in them. */
import * as fs from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import GithubSlugger from "github-slugger";
import { lexer, walkTokens, type Token, type Tokens } from "marked";

export interface Page {
  /** Relative to the repository, with slashes. */
  readonly file: string;
  readonly snippets: readonly Snippet[];
  /** Targets of links and pictures. */
  readonly links: readonly string[];
  /** What links may lead to within the page. */
  readonly anchors: ReadonlySet<string>;
}

export interface Snippet {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** Code that a comment `<!-- given: … -->` before the snippet assumes, and that readers don't see. */
  readonly given: string;
  /** That of the heading above; empty before the first one. */
  readonly anchor: string;
  /** The word after `needs=` beside the language: commands that no test can run, because they need this. */
  readonly needs: string | undefined;
}

export const repository = resolve(__dirname, "../..");

/** All pages but those of installed packages and of the built site. */
export const pages: readonly Page[] = [".", "docs", "examples"]
  .flatMap((folder) => markdownIn(folder, { deep: folder !== "." }))
  .map(readPage);

export const snippets = pages.flatMap((page) => page.snippets);

function pageAt(file: string): Page {
  const page = pages.find((each) => each.file === file);
  if (!page) throw new Error(`There is no page ${file}`);
  return page;
}

/** The snippets of a page in a language, in their order. */
export function snippetsOf(file: string, language: string): string[] {
  return pageAt(file).snippets.flatMap((snippet) => (snippet.language === language ? snippet.text : []));
}

function markdownIn(folder: string, { deep }: { deep: boolean }): string[] {
  return fs.readdirSync(join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = relative(".", join(folder, entry.name)).split(sep).join("/");
    if (entry.isDirectory())
      return deep && !/^(\.|node_modules$)/.test(entry.name) ? markdownIn(path, { deep }) : [];
    return entry.name.endsWith(".md") ? path : [];
  });
}

function readPage(file: string): Page {
  const text = fs.readFileSync(join(repository, file), "utf8");
  const slugger = new GithubSlugger();
  const anchors = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
  const links: string[] = [];
  const snippets: Snippet[] = [];
  let anchor = "";
  let given = "";
  let end = 0;
  void walkTokens(lexer(text), (token: Token) => {
    if (isHeading(token)) {
      anchor = slugger.slug(plain(token.text));
      anchors.push(anchor);
    }
    if (isLink(token)) links.push(token.href);
    if (token.type === "html") given = /^<!-- given: (.*) -->$/s.exec(token.raw.trim())?.[1] ?? "";
    if (!isCode(token)) return;
    const start = text.indexOf(token.raw.split("\n")[0] ?? "", end);
    end = start + token.raw.length;
    const line = text.slice(0, start).split("\n").length;
    const [language = ""] = (token.lang ?? "").split(" ");
    const needs = /\bneeds=(\S+)/.exec(token.lang ?? "")?.[1];
    snippets.push({ page: file, line, language, text: token.text, given, anchor, needs });
    given = "";
  });
  return { file, links, anchors: new Set(anchors), snippets };
}

/** Backquotes and links don't show in the anchor of a heading. */
function plain(heading: string): string {
  return heading.replaceAll("`", "").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

function isLink(token: Token): token is Tokens.Link | Tokens.Image {
  return token.type === "link" || token.type === "image";
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === "code";
}
