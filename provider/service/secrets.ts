/** The secrets that an operation knows. A text of a response may repeat them, because the service gets them. */
import type { Settings } from "../settings/readSettings";
import { isObject } from "../values";

type Credentials = Pick<Settings, "apiToken" | "headers">;

export class Secrets {
  readonly #known: unknown[];

  constructor({ apiToken, headers = {} }: Credentials) {
    this.#known = [apiToken, ...Object.values(headers).flatMap((value) => [value, ...partsOf(value)])];
  }

  /** Every value of a request body, at any depth, with long keys of objects, except the ID, which messages show anyway. */
  addBody({ user_group_id: _, ...others }: object & { readonly user_group_id?: unknown }): void {
    this.#known.push(...Object.values(others));
  }

  addToken(token: string): void {
    this.#known.push(token);
  }

  /** The text with each secret replaced, whatever its case. One of less than four characters is replaced as a whole word only. */
  redact(text: string): string {
    const spellings = new Set(this.#known.flatMap(textsIn).flatMap(spellingsOf));
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

/**
 * A key of so many characters may itself be a secret. A shorter one, such as `plan`, is a word of the reason of a refusal. The core
 * doesn't know whether the program marks an object as a secret, whose keys would be secrets, too.
 */
const longKey = 12;

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (isObject(value)) {
    const longKeys = Object.keys(value).filter((key) => key.length >= longKey);
    return [...longKeys, ...Object.values(value)].flatMap(textsIn);
  }
  if (typeof value === "string") return value.trim() === "" ? [] : [value.trim()];
  return value == null ? [] : [JSON.stringify(value)];
}

/** As it is, in JSON, in a URL, in hexadecimal and in base64. */
function spellingsOf(secret: string): string[] {
  const inUrl = encodeURIComponent(secret.toWellFormed());
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  const encoded = [hex, hex.replace(/../g, "%$&"), ...[0, 1, 2].flatMap((offset) => base64At(bytes, offset))];
  const texts = [secret, JSON.stringify(secret).slice(1, -1), inUrl, inUrl.replaceAll("%20", "+")];
  // A shorter one occurs by chance.
  return [...texts, ...encoded.filter((text) => text.length >= 8)];
}

/** The characters that depend on these bytes alone, after so many other bytes, in both alphabets of base64. */
function base64At(bytes: Buffer, offset: number): string[] {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
  const own = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
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
