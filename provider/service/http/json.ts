/** The JSON of a response. What JSON.parse accepts, but other readers understand otherwise, isn't accepted: a token must not depend on the reader. */
import { repeatedKeys } from "../../validation";

export interface Json {
  /** Undefined if it can't be read. */
  readonly body: unknown;
  /** Why it can't be read, as the end of a sentence. */
  readonly issue: string | undefined;
}

export function readJson(text: string): Json {
  try {
    const body: unknown = JSON.parse(text);
    // Most services write JSON as JSON.stringify does, which is quicker than the search.
    const isPlain = JSON.stringify(body) === text || repeatedKeys(text).length === 0;
    return isPlain ? { body, issue: undefined } : { body: undefined, issue: "has a key twice" };
  } catch {
    const isFollowed = text.trimStart().startsWith("{") && endOfObject(text) < text.trimEnd().length;
    return { body: undefined, issue: isFollowed ? "has text after its JSON" : "is not JSON" };
  }
}

/** Whether a text begins as an object without its end. One with zero bytes is in UTF-16, and stays so. */
export function isCutOff(text: string): boolean {
  return text.trimStart().startsWith("{") && !text.includes("\0") && endOfObject(text) === Infinity;
}

/** A string or a bracket. */
const tokens = /"(?:[^"\\]|\\.)*"?|[{}[\]]/gs;

/** The index after the bracket that closes the first one; Infinity if nothing does. */
function endOfObject(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === "{" || token === "[") depth += 1;
    if (token !== "}" && token !== "]") continue;
    depth -= 1;
    if (depth === 0) return index + 1;
  }
  return Infinity;
}
