/**
 * For markdown-it: on a phone, a row of three columns or more stands as a card, so each cell gets the name of its column. Cells that are
 * sentences are marked, because there their name stands above them.
 */
export function tablesForPhones(markdown) {
  markdown.core.ruler.push("tables-for-phones", ({ tokens }) => {
    let names = [];
    let column = 0;
    for (const [index, token] of tokens.entries()) {
      const text = tokens[index + 1]?.content ?? "";
      if (token.type === "table_open") names = [];
      if (token.type === "th_open") names.push(text.replaceAll(/[`*]/g, ""));
      if (token.type === "tr_open") column = 0;
      if (token.type === "tbody_open" && names.length > 2) token.attrJoin("class", "rows-as-cards");
      if (token.type !== "td_open") continue;
      if (text.length > 60) token.attrJoin("class", "sentence");
      if (column > 0) token.attrSet("data-name", names[column] ?? "");
      column += 1;
    }
  });
}
