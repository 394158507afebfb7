/** For markdown-it: marks the cells that are sentences, which need more room on a phone than a word beside them. */
export function sentencesInTables(markdown) {
  markdown.core.ruler.push("sentences-in-tables", ({ tokens }) => {
    for (const [index, token] of tokens.entries())
      if (token.type === "td_open" && tokens[index + 1].content.length > 60)
        token.attrJoin("class", "sentence");
  });
}
