// The two pages that Pulumi's registry shows, docs/_index.md and docs/installation-configuration.md, have front matter and
// shortcodes for its site.

const layout = "package";

/** Their layout is one of the registry's. */
export function registryPage({ frontmatter }) {
  if (frontmatter.layout === layout) delete frontmatter.layout;
}

/** For markdown-it: the registry shows the title itself, and one language at a time. */
export function registryMarkdown(markdown) {
  markdown.core.ruler.before("normalize", "registry-pages", (state) => {
    if (state.env.frontmatter?.layout !== layout) return;
    const text = state.src.replaceAll(/^\{\{.*\}\}$/gm, "");
    state.src = /^# /m.test(text) ? text : `# ${state.env.frontmatter.title}\n${text}`;
  });
}
