/** The secrets that an operation knows. A text of a response may repeat them, because the service gets them. */
import type { Settings } from "../settings/readSettings";
import { isObject } from "../values";

type Credentials = Pick<Settings, "apiToken" | "headers">;

export class Secrets {
  readonly #known: unknown[];

  constructor({ apiToken, headers = {} }: Credentials) {
    this.#known = [apiToken, ...Object.values(headers).flatMap((value) => [value, ...partsOf(value)])];
  }

  /** Every value of a request body, at any depth, except the ID, which messages show anyway. */
  addBody({ user_group_id: _, ...others }: object & { readonly user_group_id?: unknown }): void {
    this.#known.push(others);
  }

  addToken(token: string): void {
    this.#known.push(token);
  }

  /** The text with each secret replaced, whatever its case. One of less than four characters is replaced as a whole word only. */
  redact(text: string): string {
    const spellings = new Set(this.#known.flatMap(scalarsIn).flatMap(spellingsOf));
    // A group may have thousands of values, of which a text has few.
    const lowered = text.toLowerCase();
    const found = [...spellings].filter((each) => isReplaced(each) && lowered.includes(each.toLowerCase()));
    const longestFirst = found.sort((one, other) => other.length - one.length);
    // A mark that is no part of another secret.
    const marked = longestFirst.reduce((rest, secret) => rest.replace(patternOf(secret), "\0"), text);
    return marked.replaceAll("\0", "[secret]");
  }

  isIn(text: string): boolean {
    return this.redact(text) !== text;
  }
}

/** Of `Bearer …` or a cookie: those that are long enough for a secret. */
function partsOf(header: string): string[] {
  return header.split(/[\s;,=]+/).filter((part) => part.length >= 8);
}

function scalarsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(scalarsIn);
  if (isObject(value)) return Object.values(value).flatMap(scalarsIn);
  if (typeof value === "string") return value.trim() === "" ? [] : [value.trim()];
  return value == null ? [] : [JSON.stringify(value)];
}

/** As it is, in JSON and in a URL. */
function spellingsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
}

/** A sign is no word. */
function isReplaced(secret: string): boolean {
  return !isShort(secret) || /[\p{L}\p{N}]/u.test(secret);
}

function isShort(secret: string): boolean {
  return secret.length < 4;
}

function patternOf(secret: string): RegExp {
  const escaped = secret.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(isShort(secret) ? `(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])` : escaped, "giu");
}
