// Tables and figures as the page shows them.
import type { Spread } from "../statistics";

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ["---", ...head.slice(1).map(() => "---:")], ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The median, and the range where there is one: `3.10 (3.02–3.30)`. */
export function shown(spread: Spread | undefined, unit: (value: number) => string = figure): string {
  if (!spread) return "–";
  const [median, min, max] = [unit(spread.median), unit(spread.min), unit(spread.max)];
  return min === max ? median : `${median} (${min}–${max})`;
}

/** Three digits that count, or all of a whole number. */
export function figure(value: number): string {
  if (Number.isInteger(value) || value >= 1000) return grouped(Math.round(value));
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}

/** `10,000` */
export function grouped(value: number): string {
  return value.toLocaleString("en-US");
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
