import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import ts from "typescript";

const folder = resolve(__dirname, "../../provider/src");

/**
 * The layers that a file may import from, beside its own folder: those to its right in
 * program → resources → (state) → dynamic or plugin → core → service → http.
 */
const layers: Record<string, readonly string[]> = {
  resources: [],
  dynamic: ["core", "service", "service/http"],
  plugin: ["core", "service", "service/http"],
  core: ["service", "service/http"],
  service: ["service/http"],
  "service/http": [],
  settings: [],
};

/** The modules that serve all layers, and those that they need themselves. */
const shared: Record<string, readonly string[]> = {
  "errors.ts": [],
  "validation.ts": ["values.ts"],
  "values.ts": [],
  "version.ts": [],
};

/** The packages that a layer may import beside Node.js and zod. */
const packages: Record<string, readonly string[]> = {
  resources: ["@pulumi/pulumi"],
  dynamic: ["@pulumi/pulumi"],
  plugin: ["@pulumi/pulumi", "@grpc/grpc-js", "google-protobuf"],
  core: ["p-map"],
  "service/http": ["node-fetch", "https-proxy-agent", "proxy-from-env", "is-retry-allowed"],
};

/** What the outside of a process is. The core gets what it needs of it as parameters. */
const outside = /^(process|console|performance|Date|fetch|setTimeout)$/;

const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .map((file) => file.split(sep).join("/"))
  .filter((file) => file.endsWith(".ts"));

function parsed(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(join(folder, file), "utf8"), ts.ScriptTarget.Latest, true);
}

/** The modules that a file imports, statically, dynamically, for a type or by require. */
function importsOf(source: ts.SourceFile): string[] {
  const modules: string[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier && ts.isStringLiteralLike(specifier)) modules.push(specifier.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return modules;
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  const isLoad =
    ts.isCallExpression(node) &&
    (node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText() === "require");
  return isLoad ? node.arguments[0] : undefined;
}

/** The file that a relative import names, such as `core/storedGroup.ts`. */
function targetOf(file: string, module: string): string {
  const path = relative(folder, resolve(folder, dirname(file), module))
    .split(sep)
    .join("/");
  if (path.endsWith(".json")) return path;
  return existsSync(join(folder, `${path}.ts`)) ? `${path}.ts` : `${path}/index.ts`;
}

/** The imports that break the rule. */
function violations(file: string, source: ts.SourceFile): string[] {
  const layer = file.includes("/") ? dirname(file) : file;
  return importsOf(source).filter((module) => {
    if (!module.startsWith(".")) return !(/^(node:|zod$)/.test(module) || isAllowedPackage(layer, module));
    const target = targetOf(file, module);
    if (target in shared) return layer in shared && !shared[layer]?.includes(target);
    if (layer in shared) return true;
    const from = dirname(target);
    return from !== layer && from !== "settings" && !layers[layer]?.includes(from);
  });
}

function isAllowedPackage(layer: string, module: string): boolean {
  return packages[layer]?.some((name) => module === name || module.startsWith(`${name}/`)) ?? false;
}

describe("the files of the package", () => {
  const ruled = files.filter((file) => dirname(file) in layers || file in shared);

  it("import from their own folder and from layers below only", () => {
    assert(ruled.length > 30);
    for (const file of ruled) assert.deepEqual(violations(file, parsed(file)), [], file);
  });

  it("belong to a layer, or to the commands, the emulator and the entry points", () => {
    const others = files.filter((file) => !ruled.includes(file) && !/^(cli|testing)[/.]/.test(file));
    assert.deepEqual(others.sort(), ["index.ts", "provider/index.ts"]);
    assert.deepEqual(importsOf(parsed("provider/index.ts")), [
      "@pulumi/pulumi",
      "../dynamic/dynamicProviders",
    ]);
    assert(importsOf(parsed("index.ts")).every((module) => module.startsWith("./resources/")));
  });

  it("of the core import no Pulumi package and use nothing of the process", () => {
    for (const file of files.filter((each) => each.startsWith("core/"))) {
      const source = parsed(file);
      const used: string[] = importsOf(source).filter((module) => /pulumi|^node:(?!crypto$)/.test(module));
      const visit = (node: ts.Node): void => {
        const isProperty = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
        if (ts.isIdentifier(node) && !isProperty && outside.test(node.text)) used.push(node.text);
        ts.forEachChild(node, visit);
      };
      ts.forEachChild(source, visit);
      assert.deepEqual(used, [], file);
    }
  });
});

describe("the start of the package", () => {
  it("doesn't load node-fetch, which only a request needs", () => {
    const loading = files.filter((file) =>
      parsed(file).statements.some(
        (statement) =>
          ts.isImportDeclaration(statement) &&
          statement.moduleSpecifier.getText() === '"node-fetch"' &&
          statement.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword,
      ),
    );
    assert.deepEqual(loading, []);
  });
});

describe("the check of imports", () => {
  const of = (file: string, text: string) =>
    violations(file, ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));

  it("finds every kind of import that breaks the rule", () => {
    for (const text of [
      'import { userGroup } from "../dynamic/dynamicProviders";',
      'import type { UserGroup } from "../resources/userGroup";',
      'export * from "../dynamic/dynamicProvider";',
      'import pulumi = require("@pulumi/pulumi");',
      'const pulumi = require("@pulumi/pulumi/resource");',
      'const later = import("../dynamic/dynamicProvider");',
      'let later: import("../dynamic/dynamicProvider").DynamicProvider;',
    ])
      assert.equal(of("core/x.ts", text).length, 1, text);
    assert.equal(of("service/http/x.ts", 'import { newGroupClient } from "../client";').length, 1);
    assert.equal(of("values.ts", 'import { parse } from "./validation";').length, 1);
    assert.equal(of("settings/x.ts", 'import { send } from "../service/http/attempt";').length, 1);
  });

  it("accepts what the rule allows", () => {
    for (const [file, text] of [
      [
        "core/x.ts",
        'import { newGroupClient } from "../service/client"; import { group } from "./storedGroup";',
      ],
      [
        "dynamic/x.ts",
        'import * as pulumi from "@pulumi/pulumi"; import { readSettings } from "../settings/readSettings";',
      ],
      ["service/http/x.ts", 'import { version } from "../../version"; import fetch from "node-fetch";'],
    ] as const)
      assert.deepEqual(of(file, text), [], text);
  });
});
