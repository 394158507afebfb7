import { readFile } from "node:fs/promises";

/** The user group tokens, by tenant. */
export interface Tokens {
  /** The token of one tenant; undefined where it has no group yet. */
  of(tenant: string): Promise<string | undefined>;
}

/**
 * Tokens in a JSON file: `{ "acme": "…" }`. The file is read for each page, so a token that Pulumi has replaced is used at once.
 * While the file can't be read or isn't JSON, the last good tokens stay in use, and the log says so.
 */
export function tokensIn(file: string, log: (line: string) => void = console.error): Tokens {
  let lastGood: ReadonlyMap<string, string> | undefined;
  return {
    async of(tenant) {
      try {
        lastGood = parseTokens(await readFile(file, "utf8"));
      } catch {
        // The error itself may quote a part of a token.
        log(`The tokens file can't be used${lastGood ? "; the last good tokens stay in use" : ""}.`);
      }
      return lastGood?.get(tenant);
    },
  };
}

function parseTokens(text: string): Map<string, string> {
  const tokens: unknown = JSON.parse(text);
  if (typeof tokens !== "object" || tokens === null) throw new TypeError("not an object");
  return new Map(
    Object.entries(tokens).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "",
    ),
  );
}
