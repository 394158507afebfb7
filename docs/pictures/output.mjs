// Pictures of what the engine printed and what the pipeline comments. Tests compare the texts with real runs.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { box, picture, text } from "./svg.mjs";

const columns = 100;
const [width, lineHeight] = [840, 19];

const terminalText = `$ pulumi preview\n${textOf("preview.txt")}`;
const terminalLines = wrapped(terminalText);

export const preview = picture(
  {
    title: "pulumi preview in a terminal",
    description: terminalText,
    width,
    height: 40 + lineHeight * terminalLines.length,
  },
  colored(terminalLines, 36),
);

const comment = partsOf(commentOn(textOf("pull-request.txt")));
const commentLines = wrapped(comment.preview);
const codeHeight = 26 + lineHeight * commentLines.length;

export const pullRequest = picture(
  {
    title: "A comment on a pull request",
    description: [comment.head, comment.preview, comment.foot].join("\n"),
    width,
    height: 112 + codeHeight,
  },
  [
    text(20, 36, comment.head, "head"),
    box({ x: 16, y: 54, width: width - 32, height: codeHeight }),
    ...colored(commentLines, 78),
    text(20, 88 + codeHeight, comment.foot),
  ],
);

function textOf(file) {
  return readFileSync(join(import.meta.dirname, file), "utf8").trimEnd();
}

/** As the pipeline writes it. */
function commentOn(preview) {
  const script = join(import.meta.dirname, "../../examples/pipeline/advanced/ci/comment.mjs");
  const options = { input: preview, encoding: "utf8" };
  return execFileSync(process.execPath, [script, "3f9a1c7", "success"], options).trimEnd();
}

/** As a forge shows it: the marker is hidden, asterisks make bold, and numbers stand for signs. */
function partsOf(body) {
  const [, head, shown, foot] = /\*\*(.*)\*\*\n\n<pre>([^]*)<\/pre>\n\n(.*)$/.exec(body);
  return {
    head,
    preview: shown.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
    foot,
  };
}

/** The lines, broken at words where they are too long. */
function wrapped(printed) {
  return printed.split("\n").flatMap((line) => {
    const parts = line.match(new RegExp(`.{1,${columns}}(?=\\s|$)`, "g")) ?? [""];
    return parts.map((part) => ({ part, kind: kindOf(line) }));
  });
}

function colored(lines, y) {
  return lines.map(({ part, kind }, place) => text(28, y + lineHeight * place, part, `code ${kind}`));
}

/** The colors of the engine's signs. */
function kindOf(line) {
  const [, sign = ""] = /^ *(\+-|\+\+|--|\+|-)/.exec(line) ?? [];
  const kinds = { "+": "plus", "++": "both", "+-": "both", "--": "both", "-": "minus" };
  return kinds[sign] ?? (line.includes("warning:") ? "both" : "");
}
