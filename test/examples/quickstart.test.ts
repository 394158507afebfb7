import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { lexer, type MarkedToken, type Tokens } from "marked";
import { newFixture, succeeds } from "../engine/harness";
import { example } from "./example";

/** Heading of the README → the name of the file with the program, and a last line of it. */
const variants: Readonly<Record<string, readonly [main: string, addition?: string]>> = {
  "Quickstart: two groups": ["index.ts"],
  JavaScript: ["index.js"],
  "JavaScript, ECMAScript modules": ["index.js"],
  "TypeScript, ECMAScript modules": ["index.ts", "await Promise.resolve();\n"],
};

describe("examples/quickstart", () => {
  const changes = changesByHeading();

  it("has the variants of its README", () => {
    assert.deepEqual([...changes.keys()], Object.keys(variants));
  });

  for (const [heading, [main, addition = ""]] of Object.entries(variants))
    describe(heading, () => {
      const fixture = newFixture(() => ({ program: filesOf(main, addition, changes.get(heading) ?? []) }));

      it("creates both groups, exports the token of one as a secret, and deletes the groups with the stack", async () => {
        const { stack, emulator } = fixture;
        const up = succeeds(await stack.up());
        assert.deepEqual(up.changes, { create: 3 });
        const { acme, globex } = Object.fromEntries(emulator.groups);
        assert.deepEqual(
          [acme?.name, acme?.mapping, acme?.properties, globex?.name],
          ["Acme Corporation", { sales: "acme-warehouse" }, { region: "eu", seats: 25 }, "Globex"],
        );
        assert.deepEqual(await stack.plainOutputs(), { acmeToken: acme?.token });
        assert.match(up.output, /acmeToken: \[secret\]/);
        assert.deepEqual(succeeds(await stack.preview()).changes, { same: 3 });
        succeeds(await stack.destroy());
        assert.equal(emulator.groups.size, 0);
      });
    });
});

/** The blocks of the README that name a file. */
function changesByHeading(): Map<string, Tokens.Code[]> {
  const readme = readFileSync(resolve(__dirname, "../../examples/quickstart/README.md"), "utf8");
  const changes = new Map<string, Tokens.Code[]>();
  let current: Tokens.Code[] = [];
  for (const token of lexer(readme) as MarkedToken[]) {
    if (token.type === "heading") changes.set(token.text, (current = []));
    else if (token.type === "code" && token.lang?.includes(" ")) current.push(token);
  }
  return changes;
}

/** A block is a new file, or the difference of one. */
function filesOf(main: string, addition: string, changes: readonly Tokens.Code[]): Record<string, string> {
  const { "index.ts": program = "", ...others } = example("quickstart");
  const files: Record<string, string> = { ...others, [main]: program + addition };
  for (const { lang = "", text } of changes) {
    const [language, file = ""] = lang.split(" ");
    const linesWith = (mark: string) =>
      [...text.matchAll(/^(.)(.*)$/gm)].flatMap(([, each, line = ""]) => (each === mark ? line : []));
    const former = language === "diff" ? linesWith("-").join("\n") : undefined;
    const isThere = former === undefined ? !(file in files) : files[file]?.includes(`${former}\n`);
    assert(isThere, `The README's change of ${file} doesn't fit: ${former ?? "it exists"}`);
    files[file] =
      former === undefined ? text : (files[file] ?? "").replace(former, linesWith("+").join("\n"));
  }
  return files;
}
