import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lexer } from "marked";

/** The description of a page for search engines is its first paragraph. */
export function described(page, repository) {
  if (page.frontmatter.layout === "home") return {};
  const paragraph = lexer(readFileSync(join(repository, page.filePath), "utf8")).find(
    ({ type }) => type === "paragraph",
  );
  const text = paragraph?.text.replaceAll(/\[([^\]]*)\]\([^)]*\)|[*`]/g, "$1").replaceAll("\n", " ");
  return text ? { description: text } : {};
}
