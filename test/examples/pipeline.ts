import { example } from "./example";

type Files = Record<string, string>;

/** The files of a variant of examples/pipeline as its README says to copy them: name → text. */
export function pipeline(variant: "simple" | "advanced"): Files {
  const files = Object.entries(example("pipeline"));
  const simple = files.filter(([name]) => !name.startsWith(folder));
  const advanced = files.filter(([name]) => name.startsWith(folder));
  return Object.fromEntries(
    variant === "simple"
      ? simple
      : [...simple, ...advanced.map(([name, text]) => [name.slice(folder.length), text] as const)],
  );
}

const folder = "advanced/";
