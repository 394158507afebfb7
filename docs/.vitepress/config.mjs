// `npm run site`: these pages, the README and the examples' as a site. It keeps the paths of the repository.
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { slug } from "github-slugger";
import { defineConfig } from "vitepress";
import { linkedFiles, siteLinks, siteOf } from "./links.mjs";
import { registryMarkdown, registryPage } from "./registryPages.mjs";
import { sidebar } from "./sidebar.mjs";

const repository = join(import.meta.dirname, "../..");

export default defineConfig({
  title: "pulumi-user-groups",
  description: "User groups of a customer-facing analytics service as Pulumi resources",
  srcDir: "..",
  srcExclude: ["{bench,engine,provider,release,sdks,test}/**"],
  rewrites: { "README.md": "index.md", ":path(.*)/README.md": ":path/index.md" },
  transformPageData: registryPage,
  themeConfig: {
    sidebar: sidebar(repository),
    outline: [2, 3],
    search: { provider: "local" },
  },
  markdown: {
    // The anchors that the repository's pages have, too.
    anchor: { slugify: slug },
    // The usual themes are too pale for a contrast of 4.5.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (markdown) => {
      markdown.use(registryMarkdown).use(siteLinks, repository);
    },
  },
  async buildEnd({ outDir }) {
    for (const file of linkedFiles) {
      const copy = join(outDir, siteOf(file));
      await mkdir(dirname(copy), { recursive: true });
      await copyFile(join(repository, file), copy);
    }
  },
});
