import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lexer, walkTokens, type Token, type Tokens } from "marked";
import { pages, repository } from "./pages";

const mostWords = 35;
/** Words that mean something to this house only, or nothing exact. */
const privateWords =
  /\b(way out|(taken?|takes|took) (over|up)|carr(y|ies|ied) out|lost answers?|came back|bad day|no word|ledger|flaws?|doom|notices|(an?|the|its|no|first|another|service's) answers?|gives up|(lets?|letting) go)\b/i;
const indirectStart = /^(What|Those|Where|Whoever|So that) /;

describe("prose", () => {
  for (const { file } of pages.filter(isProse))
    it(`of ${file} has short sentences and plain words`, () => {
      const found = sentencesOf(file).filter(
        (sentence) =>
          sentence.split(" ").length > mostWords ||
          privateWords.test(sentence) ||
          indirectStart.test(sentence),
      );
      assert.deepEqual(found, []);
    });
});

/** The interface is the service's own text, and doc comments make the reference. */
function isProse({ file }: { file: string }): boolean {
  return !/^docs\/(reference\/|service-interface\.md)/.test(file);
}

/** The sentences of paragraphs, lists and tables. */
function sentencesOf(file: string): string[] {
  const texts: string[] = [];
  void walkTokens(lexer(readFileSync(join(repository, file), "utf8")), (token) => {
    if (isTable(token)) texts.push(...token.rows.flat().map((cell) => plain(cell.tokens)));
    else if (token.type === "paragraph" || token.type === "text") texts.push(plain(childrenOf(token)));
  });
  return texts.flatMap((text) => text.split(/(?<=[.!?:][)"]?)\s+/));
}

/** The text of inline tokens. A code span counts as one word, and the target of a link isn't text. */
function plain(tokens: readonly Token[]): string {
  const parts = tokens.map((token) => {
    if (token.type === "codespan") return "`code`";
    return childrenOf(token).length > 0 ? plain(childrenOf(token)) : token.raw;
  });
  return parts.join("").replaceAll("\n", " ");
}

function childrenOf(token: Token): readonly Token[] {
  return ("tokens" in token && token.tokens) || [];
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === "table";
}
