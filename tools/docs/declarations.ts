/** The declarations of the test kit, as the package has them: those that provider/testing/index.ts exports. */
import ts from "typescript";
import { readPage } from "./markdown";

const folder = "dist/testing";

/** Of one file. Requires the built package. */
export function declarations(file: string): string {
  const index = readPage(`${folder}/index.d.ts`);
  const text = readPage(`${folder}/${file}.d.ts`);
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const published = source.statements.filter((statement) => {
    const name = /^export (?:declare )?\w+ (\w+)/.exec(statement.getText(source))?.[1];
    const isExported = index.includes(`* from "./${file}"`) || new RegExp(`\\b${name}\\b`).test(index);
    return name !== undefined && isExported;
  });
  const texts = published.map((statement) => statement.getFullText(source).trim());
  // Not `ts`, the language of the programs, which a test compiles.
  return `\`\`\`typescript\n${texts.map(withoutHidden).join("\n\n")}\n\`\`\``;
}

function withoutHidden(text: string): string {
  const hidden = /^ +(?:#private|private constructor\(\)|\/\*\* @hidden \*\/\n.*);\n/gm;
  return text
    .replaceAll(hidden, "")
    .replaceAll(/^export (declare )?/gm, "")
    .replaceAll("readonly ", "");
}
