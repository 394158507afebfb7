/** A picture (SVG) of a terminal with a recorded preview. It has no fixed width, so it fits a phone, and both color schemes. */
import { readPage } from "./markdown";

const columns = 62;
const lineHeight = 22;
const characterWidth = 8.4;
const margin = 18;

/** `pulumi preview` after a rename, as test/engine/picture.test.ts has recorded it. */
export function previewPicture(): string {
  const recorded = readPage("test/support/fixtures/preview.txt").trimEnd().split("\n");
  const lines = ["$ pulumi preview", ...recorded].flatMap(wrapped);
  const width = Math.round(columns * characterWidth + 2 * margin);
  const height = lines.length * lineHeight + 2 * margin;
  const texts = lines.map(({ text, kind }, index) => {
    const y = margin + lineHeight * (index + 0.75);
    return `<text class="${kind}" x="${margin}" y="${y}">${escapedXml(text)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">`,
    `<title id="title">pulumi preview says that globex gets a new token, because its name changes</title>`,
    "<style>",
    "text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; fill: var(--ink) }",
    ".warning { fill: var(--warning) } .change { fill: var(--change) } .prompt { font-weight: 600 }",
    ".paper { fill: var(--paper); stroke: var(--line) }",
    "svg { --ink: #1f2328; --warning: #7d4e00; --change: #7d4e00; --paper: #f6f8fa; --line: #b5bec8; max-width: 100%; height: auto }",
    "@media (prefers-color-scheme: dark) {",
    "  svg { --ink: #e9eef4; --warning: #e9b949; --change: #e9b949; --paper: #1b1f24; --line: #57606a }",
    "}",
    "</style>",
    `<rect class="paper" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    ...texts,
    "</svg>",
    "",
  ].join("\n");
}

interface Line {
  readonly text: string;
  readonly kind: "prompt" | "warning" | "change" | "plain";
}

/** The parts of a line that is too long, each but the first one indented like it. */
function wrapped(line: string): Line[] {
  const kind = kindOfLine(line);
  const indent = /^ */.exec(line)?.[0] ?? "";
  const parts: string[] = [""];
  for (const word of line.slice(indent.length).split(" ")) {
    const last = parts.at(-1) ?? "";
    const longer = last === "" ? word : `${last} ${word}`;
    if (last !== "" && indent.length + longer.length > columns) parts.push(word);
    else parts[parts.length - 1] = longer;
  }
  return parts.map((text) => ({ text: indent + text, kind }));
}

function kindOfLine(line: string): Line["kind"] {
  if (line.startsWith("$")) return "prompt";
  if (line.includes("warning:")) return "warning";
  return /^ +~ /.test(line) ? "change" : "plain";
}

function escapedXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
