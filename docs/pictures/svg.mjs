// The parts of the pages' pictures. Their colors follow the reader's choice of light or dark, and each has a background.

const style = `
text { font: 14px ui-sans-serif, system-ui, sans-serif; fill: var(--ink) }
.head { font-weight: 600 } .middle { text-anchor: middle }
.code { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre }
.note { fill: var(--note) } .plus { fill: var(--plus) } .minus { fill: var(--minus) } .both { fill: var(--both) }
.card { fill: var(--paper); stroke: var(--line) } .box { fill: var(--box); stroke: var(--line) }
.good { fill: var(--good) } .bad { fill: var(--bad) } .arrow { fill: none; stroke: var(--note); stroke-width: 1.5 }
svg { --ink: #1f2328; --note: #4d5661; --plus: #0b5f23; --minus: #a0111f; --both: #6b4700;
  --paper: #fff; --box: #f1f4f8; --line: #b5bec8; --good: #cdeed5; --bad: #ffd3d0 }
@media (prefers-color-scheme: dark) {
  svg { --ink: #e9eef4; --note: #b3bdc8; --plus: #63d37b; --minus: #ff9a92; --both: #e9b949;
    --paper: #1b1f24; --box: #2a3038; --line: #57606a; --good: #1d4428; --bad: #6a1f22 }
}`;

/** A picture with a title and a description for those who don't see it. */
export function picture({ title, description, width, height }, parts) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="description">${escaped(description)}</desc>`,
    `<style>${style}</style>`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8Z" fill="var(--note)"/></marker></defs>',
    box({ x: 0.5, y: 0.5, width: width - 1, height: height - 1, kind: "card" }),
    ...parts,
    "</svg>\n",
  ].join("\n");
}

export function box({ x, y, width, height, kind = "box" }) {
  return `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>`;
}

export function text(x, y, content, kind = "") {
  return `<text class="${kind}" x="${x}" y="${y}">${escaped(content)}</text>`;
}

/** Along a path of SVG, such as "M0 0H10". */
export function arrow(path) {
  return `<path class="arrow" d="${path}" marker-end="url(#tip)"/>`;
}

function escaped(content) {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
