/** The reason that a response gives for a refusal. The interface defines no field for it, so the usual ones are tried. */
import { quoted } from "../text";
import { isObject } from "../values";
import type { Secrets } from "./secrets";

const keys = ["message", "error", "detail", "title", "reason", "errors"] as const;

/** Texts in each other, such as that of `errors[0].error.message`. */
const maxDepth = 4;

/** In quotation marks, escaped, and without secrets; undefined: none. */
export function reasonIn(body: unknown, secrets: Secrets): string | undefined {
  const text = isObject(body) ? textIn(body, maxDepth) : undefined;
  return text === undefined ? undefined : quoted(secrets.redact(text), 200);
}

function textIn(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return value.trim() || undefined;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) return textIn(value[0], depth - 1);
  if (!isObject(value)) return undefined;
  return keys.map((key) => textIn(value[key], depth - 1)).find((text) => text !== undefined);
}
