import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import ts from "typescript";
import provider from "../../package.json";

const folder = resolve(__dirname, "../..");
const { "./package.json": _, ...entryPoints } = provider.exports;

/** `npm run build` makes them; `npm test` begins with it. */
describe("the package's built declarations", () => {
  const reached = new Map<string, string>();
  before(() => {
    for (const { types } of Object.values(entryPoints)) reach(resolve(folder, types), reached);
  });

  it("are reached from its entry points", () => {
    const files = [...reached.keys()].map((file) => relative(resolve(folder, "dist"), file));
    for (const file of ["resources/userGroup.d.ts", "provider/index.d.ts", "testing/emulator.d.ts"])
      assert(files.includes(file), file);
  });

  it("are all in the packed package", () => {
    const packed = provider.files.map((pattern) => expression(pattern));
    for (const file of reached.keys()) {
      const path = relative(folder, file).split(sep).join("/");
      assert(
        packed.some((pattern) => pattern.test(path)),
        path,
      );
    }
  });

  it("name no package but @pulumi/pulumi, and so neither zod nor node-fetch", () => {
    for (const [file, text] of reached) {
      const packages = importsOf(text).filter((name) => !name.startsWith(".") && name !== "@pulumi/pulumi");
      assert.deepEqual(packages, [], file);
      assert.doesNotMatch(text, /zod|node-fetch/i, file);
    }
  });
});

/** A glob of `files` with at most one choice, as an expression. */
function expression(glob: string): RegExp {
  const escaped = glob.replaceAll(".", "\\.").replace("**/*", ".*");
  return new RegExp(
    `^${escaped.replace(/\{(.*)\}/, (_, names: string) => `(${names.replaceAll(",", "|")})`)}$`,
  );
}

/** Collects a declaration and everything that it imports, directly or not. */
function reach(file: string, reached: Map<string, string>): void {
  if (reached.has(file)) return;
  const text = readFileSync(file, "utf8");
  reached.set(file, text);
  for (const name of importsOf(text).filter((name) => name.startsWith("."))) {
    const target = resolve(dirname(file), name);
    reach(existsSync(`${target}.d.ts`) ? `${target}.d.ts` : resolve(target, "index.d.ts"), reached);
  }
}

function importsOf(text: string): string[] {
  const { importedFiles, referencedFiles, typeReferenceDirectives } = ts.preProcessFile(text);
  return [...importedFiles, ...referencedFiles, ...typeReferenceDirectives].map(({ fileName }) => fileName);
}
