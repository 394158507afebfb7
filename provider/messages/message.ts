/** The texts of the catalogue with their places filled. */
import { catalogue, type Code, type Text, type Texts } from "./catalogue";
import { notes } from "./notes";

type PlacesIn<Template extends string> = Template extends `${string}{${infer Place}}${infer Rest}`
  ? Place | PlacesIn<Rest>
  : never;

/** The values of the places in these templates; no argument where there is none. */
type Filled<Templates extends string> = [PlacesIn<Templates>] extends [never]
  ? []
  : [places: Readonly<Record<PlacesIn<Templates>, string | number>>];

export type TextName = keyof Texts;
type NoteName = keyof typeof notes;

/** What is said: the cause, without a full stop, and the remedy, empty or whole sentences. */
export interface Message<Of extends Code = Code> {
  readonly code: Of;
  readonly cause: string;
  readonly remedy: string;
}

type NamedText<Name extends TextName> = Text & { readonly code: Texts[Name]["code"] };

/** The same as the type `Texts`, which TypeScript can't derive from this expression. */
const texts = Object.fromEntries(
  Object.entries(catalogue).flatMap(([code, row]) =>
    Object.entries<Text>(row.texts).map(([name, text]) => [name, { ...text, code }] as const),
  ),
) as { readonly [Name in TextName]: NamedText<Name> };

export const textNames = Object.keys(texts).filter((name): name is TextName => name in texts);

/** The text with this name, its places not filled. */
export function textOf<Name extends TextName>(name: Name): NamedText<Name> {
  return texts[name];
}

export function message<Name extends TextName>(
  name: Name,
  ...places: Filled<Texts[Name]["cause"] | Texts[Name]["remedy"][number]>
): Message<Texts[Name]["code"]> {
  const { code, cause, remedy } = textOf(name);
  return { code, cause: fill(cause, places[0]), remedy: fill(remedy.join(" "), places[0]) };
}

export function note<Name extends NoteName>(name: Name, ...places: Filled<(typeof notes)[Name]>): string {
  return fill(notes[name], places[0]);
}

/** In one pass, because a value may contain braces. A place without a value stays. */
export function fill(template: string, places: Readonly<Record<string, string | number>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (place, name: string) => String(places[name] ?? place));
}

/** Whole sentences, the empty ones left out. */
export function sentences(...parts: readonly (string | undefined | false)[]): string {
  return parts.filter((part) => part !== undefined && part !== false && part !== "").join(" ");
}

/** `<cause>. <remedy>`. A cause that ends with a block of lines has no full stop. */
export function sentenceOf({ cause, remedy }: Pick<Message, "cause" | "remedy">): string {
  return sentences(cause.endsWith("\n") ? cause : `${cause}.`, remedy);
}
