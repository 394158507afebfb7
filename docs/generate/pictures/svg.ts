/** What all pictures share: a frame, shapes and texts, in colors that follow the reader's light or dark scheme. */

export interface Picture {
  readonly title: string;
  /** For readers who don't see the picture. */
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly string[];
}

const style = `text { font: 14px ui-sans-serif, system-ui, sans-serif; fill: var(--ink) }
.head { font-weight: 600; paint-order: stroke; stroke: var(--paper); stroke-width: 6px }
.inbox { font-weight: 600 } .middle { text-anchor: middle } .end { text-anchor: end } .small { font-size: 12px }
.code { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre }
.note { fill: var(--note) } .plus { fill: var(--plus) } .minus { fill: var(--minus) } .both { fill: var(--both) }
.halo { paint-order: stroke; stroke: var(--paper); stroke-width: 5px }
.card { fill: var(--paper); stroke: var(--line) } .box { fill: var(--box); stroke: var(--line) }
.good { fill: var(--good) } .bad { fill: var(--bad) } .arrow { fill: none; stroke: var(--note); stroke-width: 1.5 }
.grid { stroke: var(--line); stroke-width: 0.5 } .dashed { stroke-dasharray: 3 4 }
.series { fill: none; stroke-width: 2.25 } .one { stroke: var(--one) } .two { stroke: var(--two) }
.three { stroke: var(--three) } .four { stroke: var(--four) } .dot { stroke: var(--paper); stroke-width: 1 }
svg { --ink: #1f2328; --note: #4d5661; --plus: #0b5f23; --minus: #a0111f; --both: #6b4700;
  --paper: #fff; --box: #f1f4f8; --line: #b5bec8; --good: #cdeed5; --bad: #ffd3d0;
  --one: #1158c7; --two: #0b7a2b; --three: #b35900; --four: #a0111f }
@media (prefers-color-scheme: dark) {
  svg { --ink: #e9eef4; --note: #b3bdc8; --plus: #63d37b; --minus: #ff9a92; --both: #e9b949;
    --paper: #1b1f24; --box: #2a3038; --line: #57606a; --good: #1d4428; --bad: #6a1f22;
    --one: #79b8ff; --two: #63d37b; --three: #f0a050; --four: #ff9a92 }
}`;

const tip =
  '<marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">' +
  '<path d="M0 0L8 4L0 8Z" fill="var(--note)"/></marker>';

export function svg({ title, description, width, height, shapes }: Picture): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
      'role="img" aria-labelledby="title description">',
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="description">${escaped(description)}</desc>`,
    `<style>\n${style}</style>`,
    `<defs>${tip}</defs>`,
    `<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    ...shapes,
    "</svg>\n",
  ].join("\n");
}

export function text(x: number, y: number, content: string, classes = ""): string {
  const attribute = classes === "" ? "" : ` class="${classes}"`;
  return `<text${attribute} x="${round(x)}" y="${round(y)}">${escaped(content)}</text>`;
}

export function box(x: number, y: number, width: number, height: number, classes = "box"): string {
  return `<rect class="${classes}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>`;
}

/** A box with a bold first line, and further lines below it. */
export function card(
  x: number,
  y: number,
  width: number,
  lines: readonly string[],
  classes = "box",
): string[] {
  const height = 16 + 20 * lines.length;
  return [
    box(x, y, width, height, classes),
    ...lines.map((line, index) => {
      const kind = index === 0 ? "inbox middle" : "note middle small";
      return text(x + width / 2, y + 24 + 19 * index, line, kind);
    }),
  ];
}

export function arrow(path: string): string {
  return `<path class="arrow" d="${path}" marker-end="url(#tip)"/>`;
}

export function line(path: string, classes: string): string {
  return `<path class="${classes}" d="${path}"/>`;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
