/** Descriptions for the schema, from the doc comments of the TypeScript sources. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const sources = join(__dirname, "../../../provider");

export interface Docs {
  /** Of the declaration itself. */
  readonly description: string;
  /** By member, in their order. */
  readonly members: ReadonlyMap<string, string>;
}

/** The doc comments of an interface, a class, or a constant object, and of its members. */
export function docsOf(file: string, name: string): Docs {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(sources, file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  for (const statement of source.statements) {
    const members = membersOf(statement, name);
    if (members)
      return {
        description: docOf(statement),
        members: new Map(members.map((member) => [member.name?.getText() ?? "", docOf(member)])),
      };
  }
  throw new Error(`${file} declares no ${name}.`);
}

function membersOf(statement: ts.Statement, name: string): readonly ts.NamedDeclaration[] | undefined {
  if (ts.isInterfaceDeclaration(statement) && statement.name.text === name) return [...statement.members];
  if (ts.isClassDeclaration(statement) && statement.name?.text === name)
    return statement.members.filter(ts.isPropertyDeclaration);
  if (!ts.isVariableStatement(statement)) return undefined;
  const [declaration] = statement.declarationList.declarations;
  if (declaration?.name.getText() !== name || !declaration.initializer) return undefined;
  return ts.isObjectLiteralExpression(declaration.initializer)
    ? [...declaration.initializer.properties]
    : undefined;
}

/** Without tags, links and references to the interface of the service, which only developers of the provider have. */
function docOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(comment?.comment) ?? "";
  return text
    .replaceAll(/\{@link (.+?)\}/g, "`$1`")
    .replaceAll(/\s*\(Interface,[^)]*\)/g, "")
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll(/\s*\n\s*/g, " ").trim())
    .join("\n\n");
}
