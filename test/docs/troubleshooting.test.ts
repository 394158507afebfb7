import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { problemCodes } from "../../provider/src/errors";
import { userGroup } from "../../provider/src/provider";
import { serveNames } from "../faults/names";
import { inWorld } from "../unit/world";
import { repository, snippetsOf } from "./pages";
import { problems } from "./problems";

const file = "docs/troubleshooting.md";
const page = readFileSync(join(repository, file), "utf8");

describe(file, () => {
  serveNames();
  beforeEach("no configuration", () =>
    userGroup.configure({ config: { get: () => undefined, require: () => assert.fail() } }),
  );

  it("has an entry for each code, in their order, and for no other", () => {
    assert.deepEqual(
      entries().map(({ code }) => code),
      [...problemCodes],
    );
  });

  for (const { code, text } of entries())
    it(`says of ${code} why it comes and what to do`, () => {
      assert.match(text, /^\n```text\n[^]+?\n```\n\n\*\*Cause:\*\* \S[^]+\n\n\*\*Way out:\*\* \S/);
    });

  for (const code of problemCodes) {
    const { world = {}, meet } = problems[code];
    it(
      `shows ${code} as it is`,
      inWorld(world, async ({ emulator }) => {
        const { baseUrl } = emulator;
        const message = await messageOf(() => meet(emulator));
        assert.match(message, new RegExp(`\\[${code}\\]`));
        assert.equal(sampleOf(code), likeTheSample(message, baseUrl));
      }),
    );
  }
});

interface Entry {
  readonly code: string;
  /** What stands below its heading. */
  readonly text: string;
}

function entries(): Entry[] {
  const parts = page.split(/^(?=#+ )/m).map((part) => /^### `([a-z-]+)`\n([^]*)$/.exec(part));
  return parts.flatMap((part) => (part ? { code: part[1] ?? "", text: part[2] ?? "" } : []));
}

/** The sample that ends in the code; lines are wrapped at will. */
function sampleOf(code: string): string | undefined {
  const samples = snippetsOf(file, "text").map((sample) => sample.replaceAll("\n", " "));
  return samples.find((sample) => sample.includes(`[${code}]`));
}

/** How many attempts there were is a matter of chance, and the port too. */
function likeTheSample(message: string, baseUrl: string): string {
  return message
    .replaceAll(baseUrl, "https://analytics.example.com")
    .replace(/, \d+ attempts/, ", 9 attempts")
    .replaceAll("\n", " ");
}

/** What the engine prints of the error. */
async function messageOf(meet: () => Promise<unknown>): Promise<string> {
  try {
    await meet();
  } catch (error) {
    assert(error instanceof Error);
    return "reasons" in error && Array.isArray(error.reasons) ? error.reasons.join("\n") : error.message;
  }
  return assert.fail("There was no error");
}
