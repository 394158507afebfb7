// Tables and figures in Markdown.
import type { Spread } from "./results";

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ["---", ...head.slice(1).map(() => "---:")], ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The median, and the range if there is one: `3.10 (3.02–3.30)`. */
export function shown(spread: Spread | undefined): string {
  if (!spread) return "–";
  const [median, min, max] = [figure(spread.median), figure(spread.min), figure(spread.max)];
  return min === max ? median : `${median} (${min}–${max})`;
}

/** Rounds to three significant digits. */
export function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(value >= 10 ? 1 : 2);
}
