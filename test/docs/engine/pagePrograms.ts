/** Programs that pages show. */
import assert from "node:assert/strict";
import { snippetsOf } from "../pages";

/** The first TypeScript snippet of a page as a program, with one text in it replaced by another. */
export function programOf(
  page: string,
  [from, to]: readonly [string, string] = ["", ""],
): Record<string, string> {
  const shown = snippetOf(page, "ts");
  assert(shown.includes(from), `The program of ${page} has no ${from}`);
  return {
    "index.ts": shown.replace(from, to),
    "package.json": JSON.stringify({ name: "page", private: true, main: "index.ts" }),
  };
}

/** One snippet of a page: the first in its language, or another. */
export function snippetOf(page: string, language: string, index = 0): string {
  const found = snippetsOf(page, language)[index];
  assert(found !== undefined, `${page} has no such snippet`);
  return found;
}
