import fc from "fast-check";

/** JSON of few keys and values, so that two of them are often equal. */
export const { json: fewJson } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 1, "1", "", "a"),
    fc.array(tie("json"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b", "1", "__proto__"), tie("json"), { maxKeys: 3 }),
  ),
}));

/** The same JSON with the keys of every object in the reverse order. */
export function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => [key, reversed(part)]);
  return Object.fromEntries(entries.reverse());
}

/** One text for all orders of keys; `{}` as a whole is null. */
export function canonical(value: unknown): string {
  const text = sorted(value);
  return text === "{}" ? "null" : text;
}

function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${sorted(part)}`).join()}}`;
}

/** A copy without the properties that are undefined, which a state doesn't have. */
export function withoutUndefined(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
