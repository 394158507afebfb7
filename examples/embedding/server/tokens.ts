import { readFile } from "node:fs/promises";
import { z } from "zod";

/** Resolves to the user group token of a tenant; undefined if the tenant has no group yet. */
export type Tokens = (tenant: string) => Promise<string | undefined>;

/**
 * Tokens in a JSON file: `{ "acme": "…" }`. The file is read for each page, so a new token is used at once. While the
 * file can't be read, isn't JSON, or has an empty token, the last good tokens stay in use, and the log says so.
 */
export function tokensIn(file: string, log: (line: string) => void = console.error): Tokens {
  let lastGood: ReadonlyMap<string, string> | undefined;
  return async (tenant) => {
    try {
      lastGood = new Map(Object.entries(schema.parse(JSON.parse(await readFile(file, "utf8")))));
    } catch {
      // The error itself may quote a part of a token.
      log(`The tokens file can't be used${lastGood ? "; the last good tokens stay in use" : ""}.`);
    }
    return lastGood?.get(tenant);
  };
}

const schema = z.record(z.string(), z.string().min(1));
