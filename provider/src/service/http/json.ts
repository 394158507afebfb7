/** The JSON of a response. What JSON.parse accepts, but other readers understand otherwise, isn't accepted: a token must not depend on the reader. */

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
    const isPlain = JSON.stringify(body) === text || !hasRepeatedKey(text);
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

/** A string, which may be a key, or a bracket. */
const tokens = /"(?:[^"\\]|\\.)*"?(\s*:)?|[{}[\]]/gs;

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

/** Of JSON. */
function hasRepeatedKey(text: string): boolean {
  const open: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(tokens)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    const keys = open.at(-1);
    if (colon === undefined || keys === undefined) continue;
    const key = String(JSON.parse(token.slice(0, -colon.length)));
    if (keys.has(key)) return true;
    keys.add(key);
  }
  return false;
}
