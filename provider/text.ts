/** Text of a customer, a program, a service or a setting, as messages show it: without anything that a terminal or a log acts on. */

/** How many characters of a text are shown, unless more are asked for. */
const longest = 80;

/**
 * Control characters and line breaks, invisible characters such as those that turn the direction of writing, and the openings of
 * commands: `##[` and `##vso[` of pipelines, which they look for anywhere in a line, `::` at its start, and `<{%` of Pulumi's
 * colors. The engine ends at a color that it doesn't know.
 */
const active = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|#(?=#)|<(?=\{%)|(?<=^\s*):(?=:)/gu;

const shortEscapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text in which each active character is written as in JSON, such as `\u009b`. An escaped text stays as it is. */
export function escaped(text: string): string {
  return text.replace(active, (character) => {
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    const codes = units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`);
    return shortEscapes[character] ?? codes.join("");
  });
}

/** A message of several lines: only its line breaks stay. */
export function escapedLines(message: string): string {
  return message.split("\n").map(escaped).join("\n");
}

/** A string in quotation marks, such as `"acme"`. A long one is cut. */
export function quoted(text: string, limit = longest): string {
  return escaped(JSON.stringify(text.length > limit ? `${text.slice(0, limit)}…` : text));
}

/** As `quoted`, with ASCII only: texts that look alike are told apart. */
export function quotedInAscii(text: string): string {
  const toUnits = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return quoted(text).replace(/[^\x20-\x7e]/g, toUnits);
}

const spellings = {
  "Unicode form": (text: string) => text.normalize("NFKC"),
  case: (text: string) => text.toLowerCase(),
  "white space": (text: string) => text.replace(/[\s\p{Cf}]/gu, ""),
};

/** In what two texts differ that look alike, such as `case and white space`; undefined: they don't look alike. */
export function differenceInSpelling(one: string, other: string): string | undefined {
  const isEqual = (steps: readonly ((text: string) => string)[]) => {
    const simplified = (text: string) => steps.reduce((rest, step) => step(rest), text);
    return simplified(one) === simplified(other);
  };
  if (!isEqual(Object.values(spellings))) return undefined;
  const needed = Object.entries(spellings).filter(
    ([name]) => !isEqual(Object.entries(spellings).flatMap(([each, step]) => (each === name ? [] : [step]))),
  );
  // Two steps may make the same equal, such as a blank that doesn't break.
  return needed.map(([name]) => name).join(" and ") || "white space";
}

/** The path of a value, such as `groups["a b"].name`; empty for the value as a whole. */
export function propertyPath(keys: readonly PropertyKey[]): string {
  const parts = keys.map((key) => {
    if (typeof key === "number") return `[${key}]`;
    const name = String(key);
    return /^[A-Za-z_$][\w$]{0,79}$/.test(name) ? `.${name}` : `[${quoted(name)}]`;
  });
  return parts.join("").replace(/^\./, "");
}

/** The argument that a path leads into: of a resource, or of a group in `groups`. */
export function argumentOf(path: readonly PropertyKey[]): readonly PropertyKey[] {
  return path.slice(0, path[0] === "groups" ? 3 : 1);
}
