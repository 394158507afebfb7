// `npm test -- pages site`: these pages and the examples' as a site. It keeps the paths of the repository.
import { readFileSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { slug } from "github-slugger";
import { defineConfig } from "vitepress";
import llms from "vitepress-plugin-llms";
import { linkedFiles, pluginPaths, siteLinks, siteOf } from "./links.mjs";
import { tablesForPhones } from "./tables.mjs";
import { described, sidebar, withoutNeighbors } from "./texts.mjs";

const repository = join(import.meta.dirname, "../..");
/** Pages that have moved: their former address leads to the current one. */
const moved = {
  "docs/handing-tokens-on.html": "deliver-tokens.html",
  "docs/arguments.html": "reference.html",
  "docs/settings.html": "reference.html#settings",
  "docs/warnings.html": "messages.html",
  "docs/errors.html": "messages.html",
  "docs/troubleshooting.html": "messages.html",
  "docs/getting-started.html": "guide.html",
  "docs/concepts.html": "guide.html",
  "docs/languages.html": "plugin.html",
  "docs/services.html": "plugin.html#several-services",
  "docs/performance.html": "scale.html#performance",
  "docs/comparison.html": "existing-groups.html#compared-with-opentofu",
  "docs/from-terraform.html": "existing-groups.html#from-opentofu-or-terraform",
  "docs/reliability.html": "guards.html#six-promises",
  "docs/reference/user-group.html": "../reference.html#usergroup",
  "docs/reference/user-groups.html": "../reference.html#usergroups",
  "docs/reference/provider.html": "../plugin.html#settings-of-a-provider",
  "docs/reference/testing.html": "../testing.html#the-emulator",
  "docs/reference/measurements.html": "../scale.html#performance",
};

/** The site's own address, which pictures for other sites need: `SITE_URL=https://… npx vitepress build docs`. */
const site = process.env.SITE_URL?.replace(/\/$/, "");
const icon = readFileSync(join(repository, "docs/pictures/icon.svg"), "utf8");
const web = webAddress(JSON.parse(readFileSync(join(repository, "package.json"), "utf8")).repository);

export default defineConfig({
  title: "pulumi-user-groups",
  description: "User groups of a customer-facing analytics service as Pulumi resources",
  srcDir: "..",
  lang: "en",
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }],
    ["meta", { property: "og:type", content: "website" }],
    ["meta", { property: "og:title", content: "pulumi-user-groups" }],
    ...(site ? [["meta", { property: "og:image", content: `${site}/social.png` }]] : []),
  ],
  ...(site && { sitemap: { hostname: site } }),
  // The site has its own home page instead of the README.
  srcExclude: ["{changelog,provider,sdks,tools,test/support}/**", "README.md"],
  rewrites: { "docs/index.md": "index.md", ":path(.*)/README.md": ":path/index.md" },
  transformPageData: (page) => ({ ...described(page, repository), ...withoutNeighbors(page, repository) }),
  // llms.txt, and each page as Markdown, for readers that are programs.
  vite: { plugins: [llms({ title: "pulumi-user-groups", ...(site && { domain: site }) })] },
  themeConfig: {
    nav: sidebar(repository).map(({ text, items }) => ({ text, items })),
    sidebar: sidebar(repository),
    footer: { message: "Apache License 2.0" },
    outline: [2, 3],
    search: {
      provider: "local",
      // Titles count most, a word may be misspelt, and guides come before what one looks up.
      options: {
        miniSearch: {
          searchOptions: {
            boost: { title: 8, titles: 2, text: 1 },
            fuzzy: 0.2,
            prefix: true,
            // It runs in the browser, without anything of this file.
            boostDocument: (id) =>
              /interface|CHANGELOG|CONTRIBUTING|architecture|examples|\/test\//.test(id) ? 0.5 : 1,
          },
        },
      },
    },
    ...(web && {
      editLink: { pattern: `${web}/edit/main/:path`, text: "Edit this page" },
      socialLinks: [{ icon: "github", link: web }],
    }),
  },
  markdown: {
    // The anchors that the repository's pages have, too.
    anchor: { slugify: slug },
    // The usual themes are too pale for a contrast of 4.5.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (markdown) => {
      markdown.use(siteLinks, repository);
      markdown.use(pluginPaths);
      markdown.use(tablesForPhones);
    },
  },
  async buildEnd({ outDir }) {
    await copyFile(join(repository, "docs/pictures/social.png"), join(outDir, "social.png"));
    for (const [former, current] of Object.entries(moved)) {
      const page = `<!doctype html><meta http-equiv="refresh" content="0; url=${current}"><a href="${current}">Moved</a>`;
      await mkdir(dirname(join(outDir, former)), { recursive: true });
      await writeFile(join(outDir, former), page);
    }
    for (const file of linkedFiles) {
      const copy = join(outDir, siteOf(file));
      await mkdir(dirname(copy), { recursive: true });
      await copyFile(join(repository, file), copy);
    }
  },
});

/** Of the repository, from the one setting in package.json. */
function webAddress(setting) {
  const url = typeof setting === "object" ? setting.url : setting;
  return url?.replace(/^git\+/, "").replace(/\.git$/, "");
}
