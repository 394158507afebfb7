// What the site takes from the texts of the pages.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lexer, walkTokens } from "marked";

/** The groups and links of the README's list of documentation. Groups that a reader needs later are closed at first. */
export function sidebar(repository) {
  const tokens = lexer(readFileSync(join(repository, "README.md"), "utf8"));
  const heading = tokens.findIndex(({ type, text }) => type === "heading" && text === "Documentation");
  const list = tokens.slice(heading).find(({ type }) => type === "list");
  return list.items.map((item) => ({
    text: /^[^:]+/.exec(item.text)[0],
    collapsed: item !== list.items[0] && item !== list.items[1],
    items: linksIn(item),
  }));
}

function linksIn(item) {
  const links = [];
  walkTokens([item], ({ type, text, href }) => {
    if (type === "link") links.push({ text: isExample(href) ? text : capitalized(text), link: pathOf(href) });
  });
  return links;
}

/** The name of an example is that of its folder. */
function isExample(href) {
  return !href.endsWith(".md");
}

function pathOf(href) {
  if (isExample(href)) return `/${href}/`;
  return `/${href.replace(/(README)?\.md$/, (_end, readme) => (readme ? "" : ".html"))}`;
}

function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Only a page of the sidebar has a previous and a next one. Without this, VitePress sends the reader of any other to the first. */
export function withoutNeighbors(page, repository) {
  const link = `/${page.relativePath.replace(/(index)?\.md$/, (_end, index) => (index ? "" : ".html"))}`;
  const isInSidebar = sidebar(repository).some(({ items }) => items.some((item) => item.link === link));
  return isInSidebar ? {} : { frontmatter: { ...page.frontmatter, prev: false, next: false } };
}

/** The description of a page for search engines is its first paragraph. */
export function described(page, repository) {
  if (page.frontmatter.layout === "home") return {};
  const paragraph = lexer(readFileSync(join(repository, page.filePath), "utf8")).find(
    ({ type }) => type === "paragraph",
  );
  const text = paragraph?.text.replaceAll(/\[([^\]]*)\]\([^)]*\)|[*`]/g, "$1").replaceAll("\n", " ");
  return text ? { description: text } : {};
}
