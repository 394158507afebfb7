/** The recording of a terminal, as an animation that begins with the changed program, plays once, and then shows everything. */
import { z } from "zod";
import { readPage } from "../markdown";
import { escaped, svg } from "./svg";

const recording = z.array(
  z.object({
    /** The command that printed the line: 0, 1, … */
    command: z.number(),
    /** Milliseconds since the first command. */
    at: z.number(),
    text: z.string(),
    isInput: z.boolean().optional(),
  }),
);

export type Recording = z.infer<typeof recording>;

const columns = 88;
const lineHeight = 19;
const characterWidth = 7.83;
/** A reader needs time before each command and each line; longer pauses of the engine are cut. */
const pauseInMs = { command: 900, line: 220, longest: 1200 };

export function terminal(): string {
  const lines = recording.parse(JSON.parse(readPage("docs/pictures/recording.json")));
  const timed = withPauses(lines).flatMap(({ at, line }) => {
    const kind = line.isInput === true ? "inbox" : kindOf(line.text);
    const classes = line.command === 0 ? `code ${kind}` : `code shown ${kind}`;
    return wrapped(line.text).map((text) => ({ at, text, classes, isInput: line.isInput === true }));
  });
  const height = 52 + lineHeight * timed.length;
  const shapes = timed.map(({ at, text, classes, isInput }, index) => {
    const y = 56 + lineHeight * index;
    const prompt = isInput && !text.startsWith("#") ? '<tspan class="note">$ </tspan>' : "";
    return `<text class="${classes}" style="animation-delay: ${at}ms" x="16" y="${y}">${prompt}${escaped(text)}</text>`;
  });
  return svg({
    title: "A rename in a terminal",
    description: lines.map(({ text }) => text).join(" "),
    width: Math.round(32 + columns * characterWidth),
    height,
    shapes: [
      `<style>.shown { opacity: 0; animation: show 1ms forwards } @keyframes show { to { opacity: 1 } }
@media (prefers-reduced-motion: reduce) { .shown { opacity: 1; animation: none } }</style>`,
      ...["minus", "both", "plus"].map((color, index) => {
        return `<circle cx="${20 + 18 * index}" cy="20" r="5" fill="var(--${color})" opacity="0.6"/>`;
      }),
      ...shapes,
    ],
  });
}

function withPauses(lines: Recording): { at: number; line: Recording[number] }[] {
  let at = 0;
  let former = 0;
  return lines.map((line) => {
    const least = line.isInput === true ? pauseInMs.command : pauseInMs.line;
    at += Math.max(least, Math.min(line.at - former, pauseInMs.longest));
    former = line.at;
    return { at, line };
  });
}

/** Long lines continue on the next one, indented. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > columns) {
    const gap = Math.max(rest.lastIndexOf(" ", columns), rest.lastIndexOf(",", columns - 1) + 1);
    const end = gap > 12 ? gap : columns;
    lines.push(rest.slice(0, end));
    rest = `      ${rest.slice(end).trimStart()}`;
  }
  return [...lines, rest];
}

function kindOf(text: string): string {
  if (/^ *(\+-|~)|warning:/.test(text)) return "both";
  if (/^ *\+/.test(text)) return "plus";
  return /^ *-/.test(text) ? "minus" : "";
}
