// Links of the pages, as they work in the repository, for the site.
import { statSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";

/** Files that aren't pages, and that pages link to. */
export const linkedFiles = new Set();

/** Browsers show text, but no browser shows TypeScript. */
export const siteOf = (file) => `files/${file}.txt`;

/** For markdown-it. */
export function siteLinks(markdown, repository) {
  markdown.core.ruler.push("site-links", ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === "link_open" && isRelative(token.attrGet("href"))) adapt(token, env.path);
  });

  function adapt(link, page) {
    const [written, ...anchor] = link.attrGet("href").split(/(?=#)/);
    // The home page is written in docs, and is at the root of the site.
    const path = inRepository(page) === "index.md" ? posix.join("docs", written) : written;
    const target = join(dirname(page), path);
    if (path.endsWith(".md")) {
      link.attrSet("href", path.replace(/(^|\/)README\.md$/, (_file, slash) => slash || "./") + anchor);
    } else if (statSync(target, { throwIfNoEntry: false })?.isDirectory()) {
      link.attrSet("href", path.replace(/\/?$/, "/") + anchor);
    } else {
      const file = inRepository(target);
      linkedFiles.add(file);
      link.attrSet("href", posix.relative(posix.dirname(inRepository(page)), siteOf(file)));
      // Without it, VitePress takes the target for a page.
      link.attrSet("target", "_self");
    }
  }

  function inRepository(file) {
    return relative(repository, file).split(sep).join("/");
  }
}

/** Programs of examples name the plugin as it is in a clone. Readers have it in node_modules. */
export function pluginPaths(markdown) {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (...args) =>
    fence(...args).replaceAll("../../../plugin", "node_modules/pulumi-user-groups/plugin");
}

function isRelative(href) {
  return !/^([a-z]+:|#)/.test(href);
}
