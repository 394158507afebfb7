import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";

const sources = resolve(__dirname, "../../provider/src");

/** What becomes of an error that has no code of its own, by the file that makes it. */
const explained = new Map([
  ["provider/carryOut.ts: Error", "a fault of ours, which should show its stack"],
  ["resource.ts: RunError", "the SDK's, for its printing without a stack; has its code in its text"],
  ["send.ts: Error", "taken for a TransportError by transport.ts"],
  ["transport.ts: TransportError", "taken by client.ts, which makes a UserGroupError of it"],
  ["transportError.ts: TransportError", "the same"],
]);

describe("every error that a program can meet", () => {
  it("has a code, or is explained here", () => {
    const made = filesOfPrograms().flatMap((file) =>
      [...readFileSync(join(sources, file), "utf8").matchAll(/new (?:\w+\.)?(\w*Error)\(/g)].map(
        ([, kind = ""]) => `${file}: ${kind}`,
      ),
    );
    const uncoded = made.filter((each) => !/: (UserGroupError|UnfinishedError)$/.test(each));
    assert.deepEqual([...new Set(uncoded)].sort(), [...explained.keys()]);
  });
});

/** The commands have errors of their own, and the emulator is a tool for tests. */
function filesOfPrograms(): string[] {
  return readdirSync(sources, { recursive: true, encoding: "utf8" })
    .map((file) => file.split(sep).join("/"))
    .filter((file) => /^(?!cli[./]|testing\/).*\.ts$/.test(file));
}
