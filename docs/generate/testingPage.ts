/** The page of docs/reference about the test kit, from the declarations of provider/src/testing and their doc comments. */
import { join } from "node:path";
import ts from "typescript";
import { code, linked, readPage, repository, table } from "./markdown";

const folder = "provider/src/testing";

/** Heading → the types that it describes, by the file that declares them. */
const sections: Readonly<Record<string, readonly [file: string, names: readonly string[]]>> = {
  "The emulator": ["emulator", ["Emulator"]],
  Accounts: ["account", ["Account"]],
  Groups: ["account", ["GroupValues", "StoredGroup"]],
  Options: ["options", ["EmulatorBehavior", "EmulatorOptions"]],
  Faults: [
    "faults",
    [
      "FaultTarget",
      "StatusFault",
      "RefuseFault",
      "DropFault",
      "DelayFault",
      "RespondFault",
      "EmulatedResponse",
    ],
  ],
  "The log": ["requestLog", ["RequestLogEntry"]],
};

export function testingPage(): string {
  const declared = Object.entries(sections).flatMap(([heading, [file, names]]) => [
    `## ${heading}`,
    ...names.flatMap((name) => describedType(file, name, names.length > 1)),
  ]);
  return [
    "# pulumi-user-groups/testing",
    "The user group service on a loopback port, for tests and experiments. [Testing your program](../testing.md) shows its use.",
    '```ts\nimport { startEmulator } from "pulumi-user-groups/testing";\n\nconst emulator = await startEmulator();\n```',
    `${code("startEmulator(options?: EmulatorOptions): Promise<Emulator>")}: ${docOf(declaration("emulator", "startEmulator"))}`,
    ...declared,
  ].join("\n\n");
}

function describedType(file: string, name: string, hasHeading: boolean): string[] {
  const node = declaration(file, name);
  if (!ts.isInterfaceDeclaration(node) && !ts.isClassDeclaration(node))
    throw new Error(`${name} has no members`);
  const rows = [...node.members].filter(isPublic).map((member) => [code(signature(member)), docOf(member)]);
  const base = node.heritageClauses?.[0]?.types[0]?.getText();
  const bases = base === undefined ? "" : ` It has the members of \`${base}\` too.`;
  return [
    ...(hasHeading ? [`### ${name}`] : []),
    `${docOf(node)}${bases}`.trim() || code(name),
    table(["member", "meaning"], rows),
  ];
}

function isPublic(member: ts.ClassElement | ts.TypeElement): boolean {
  const isHidden = ts.getJSDocTags(member).some((tag) => tag.tagName.text === "hidden");
  const isNamed = member.name !== undefined && ts.isIdentifier(member.name);
  const isPrivate = ts.canHaveModifiers(member) && (ts.getModifiers(member) ?? []).some(isPrivateModifier);
  return isNamed && !isHidden && !isPrivate && member.name.getText() !== "toString";
}

function isPrivateModifier({ kind }: ts.Modifier): boolean {
  return kind === ts.SyntaxKind.PrivateKeyword;
}

/** `name(parameters): type`, or `name: type`, without what only the implementation needs. */
function signature(member: ts.ClassElement | ts.TypeElement): string {
  const name = member.name?.getText() ?? "";
  if (ts.isMethodDeclaration(member)) {
    const parameters = member.parameters.map(parameterText).join(", ");
    return `${name}(${parameters}): ${typeText(member.type)}`;
  }
  if (ts.isGetAccessor(member)) return `${name}: ${typeText(member.type)}`;
  if (!ts.isPropertySignature(member) && !ts.isPropertyDeclaration(member))
    throw new Error(`${name} is of a kind that the reference doesn't know`);
  const isOptional = member.questionToken !== undefined;
  return `${name}${isOptional ? "?" : ""}: ${typeText(member.type, member)}`;
}

function parameterText(parameter: ts.ParameterDeclaration): string {
  const isOptional = parameter.questionToken !== undefined || parameter.initializer !== undefined;
  return `${parameter.name.getText()}${isOptional ? "?" : ""}: ${typeText(parameter.type)}`;
}

/** A property without a type has that of its initial value, a number. */
function typeText(
  type: ts.TypeNode | undefined,
  property?: ts.PropertySignature | ts.PropertyDeclaration,
): string {
  if (type)
    return type
      .getText()
      .replaceAll(/readonly |Readonly<(.*?)>(?=$|[^>])/g, "$1")
      .replaceAll(/\s+/g, " ");
  if (
    property &&
    ts.isPropertyDeclaration(property) &&
    property.initializer?.kind === ts.SyntaxKind.NumericLiteral
  )
    return "number";
  throw new Error(`${property?.name.getText() ?? "A member"} has no type`);
}

function declaration(file: string, name: string): ts.DeclarationStatement {
  const path = `${folder}/${file}.ts`;
  const source = ts.createSourceFile(join(repository, path), readPage(path), ts.ScriptTarget.Latest, true);
  const found = source.statements.find((statement): statement is ts.DeclarationStatement => {
    return (
      (ts.isInterfaceDeclaration(statement) ||
        ts.isClassDeclaration(statement) ||
        ts.isFunctionDeclaration(statement)) &&
      statement.name?.text === name
    );
  });
  if (!found) throw new Error(`${path} declares no ${name}.`);
  return found;
}

function docOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(comment?.comment) ?? "";
  return linked(text.replaceAll(/\s*\n\s*/g, " "));
}
