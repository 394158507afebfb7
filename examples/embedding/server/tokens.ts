import { readFile } from "node:fs/promises";

/** The user group tokens, by tenant. */
export interface Tokens {
  /** The token of one tenant; undefined where it has no group yet. */
  of(tenant: string): Promise<string | undefined>;
}

/**
 * Tokens in a JSON file: `{ "acme": "…" }`. It is read for each page, so that a token that Pulumi has replaced is used
 * at once.
 */
export function tokensIn(file: string): Tokens {
  return {
    async of(tenant) {
      const tokens: unknown = JSON.parse(await readFile(file, "utf8"));
      const [, token] = Object.entries(tokens ?? {}).find(([owner]) => owner === tenant) ?? [];
      return typeof token === "string" ? token : undefined;
    },
  };
}
