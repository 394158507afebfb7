import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import ts from "typescript";
import provider from "../../provider/package.json";

const folder = resolve(__dirname, "../../provider");
const entryPoints = [provider.exports["."], provider.exports["./provider"], provider.exports["./testing"]];

/** What `npm run build` has built; `npm test` begins with it. */
describe("the package's built declarations", () => {
  const reached = new Map<string, string>();
  before(() => {
    for (const { types } of entryPoints) reach(resolve(folder, types), reached);
  });

  it("are reached from its entry points", () => {
    const files = [...reached.keys()].map((file) => relative(resolve(folder, "dist"), file));
    for (const file of [
      "userGroup.d.ts",
      "userGroups.d.ts",
      "provider/userGroup.d.ts",
      "testing/emulator.d.ts",
    ])
      assert(files.includes(file), file);
  });

  it("name no package but @pulumi/pulumi, and so neither zod nor node-fetch", () => {
    for (const [file, text] of reached) {
      const packages = importsOf(text).filter((name) => !name.startsWith(".") && name !== "@pulumi/pulumi");
      assert.deepEqual(packages, [], file);
      assert.doesNotMatch(text, /zod|node-fetch/i, file);
    }
  });
});

/** Collects a declaration and all that it imports, directly or not. */
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
