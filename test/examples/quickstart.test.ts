import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { lexer, type MarkedToken, type Tokens } from "marked";
import { newFixture, succeeds } from "../engine/harness";
import { example } from "./example";

interface Variant {
  /** The name of the file with the program. */
  readonly main: "index.ts" | "index.js";
  /** A last line of the program. */
  readonly addition?: string;
}

/** Heading of the README → variant. */
const variants: Readonly<Record<string, Variant>> = {
  "Quickstart: two groups": { main: "index.ts" },
  JavaScript: { main: "index.js" },
  "JavaScript, ECMAScript modules": { main: "index.js" },
  "TypeScript, ECMAScript modules": { main: "index.ts", addition: "await Promise.resolve();\n" },
};

describe("examples/quickstart", () => {
  const changes = changesByHeading();

  it("has the variants of its README", () => {
    assert.deepEqual([...changes.keys()], Object.keys(variants));
  });

  for (const [heading, variant] of Object.entries(variants))
    describe(heading, () => {
      const fixture = newFixture(() => ({ program: filesOf(variant, changes.get(heading) ?? []) }));

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

interface Change {
  readonly file: string;
  /** Undefined: the file is new. */
  readonly former: string | undefined;
  readonly text: string;
}

/** The blocks of the README that name a file. */
function changesByHeading(): Map<string, Change[]> {
  const readme = readFileSync(resolve(__dirname, "../../examples/quickstart/README.md"), "utf8");
  const changes = new Map<string, Change[]>();
  let current: Change[] = [];
  for (const token of lexer(readme) as MarkedToken[]) {
    if (token.type === "heading") changes.set(token.text, (current = []));
    else if (token.type === "code") current.push(...changeIn(token));
  }
  return changes;
}

function changeIn({ lang = "", text }: Tokens.Code): Change[] {
  const [language, file] = lang.split(" ");
  if (file === undefined) return [];
  if (language !== "diff") return [{ file, former: undefined, text }];
  const marked = (mark: string) => text.split("\n").filter((line) => line.startsWith(mark));
  const [former, later] = ["-", "+"].map((mark) => marked(mark).map((line) => line.slice(1)));
  return [{ file, former: former?.join("\n"), text: later?.join("\n") ?? "" }];
}

function filesOf({ main, addition = "" }: Variant, changes: readonly Change[]): Record<string, string> {
  const { "index.ts": program = "", ...others } = example("quickstart");
  const files: Record<string, string> = { ...others, [main]: program + addition };
  for (const { file, former, text } of changes) {
    const found = files[file];
    const isThere = former === undefined ? found === undefined : found?.includes(`${former}\n`);
    assert(isThere, `The README's change of ${file} doesn't fit: ${former ?? "it exists"}`);
    files[file] = former === undefined ? text : (found?.replace(former, text) ?? "");
  }
  return files;
}
