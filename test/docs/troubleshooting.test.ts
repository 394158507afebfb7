import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodes } from "../../provider/src/errors";
import { inContext, unresolvable } from "./context";
import { repository, snippetsOf } from "./pages";
import { problems } from "./problems";

const file = "docs/troubleshooting.md";
const page = readFileSync(join(repository, file), "utf8");

describe(file, () => {
  it("has an entry for each code, in their order, and for no other", () => {
    assert.deepEqual(
      entries().map(({ code }) => code),
      [...errorCodes],
    );
  });

  for (const { code, text } of entries())
    it(`has the cause of ${code}, and what to do`, () => {
      assert.match(text, /^\n```text\n[^]+?\n```\n\n\*\*Cause:\*\* \S[^]+\n\n\*\*Remedy:\*\* \S/);
    });

  for (const code of errorCodes)
    it(`shows ${code} as it is`, async () => {
      const problem = problems[code];
      const { message, baseUrl } = await inContext(problem, async (context) => ({
        message: await messageOf(() => problem.meet(context)),
        baseUrl: context.emulator.baseUrl,
      }));
      assert.match(message, new RegExp(`\\[${code}\\]`));
      assert.equal(sampleOf(code), likeTheSample(message, baseUrl));
    });
});

interface Entry {
  readonly code: string;
  /** The text below its heading. */
  readonly text: string;
}

function entries(): Entry[] {
  const parts = page.split(/^(?=#+ )/m).map((part) => /^### `([a-z-]+)`\n([^]*)$/.exec(part));
  return parts.flatMap((part) => (part ? { code: part[1] ?? "", text: part[2] ?? "" } : []));
}

/** The sample whose first code it is; lines may be wrapped anywhere. */
function sampleOf(code: string): string | undefined {
  const samples = snippetsOf(file, "text").map((sample) => sample.replaceAll("\n", " "));
  return samples.find((sample) => /\[([a-z-]+)\]/.exec(sample)?.[1] === code);
}

/** The port, the number of attempts and the place of a defect differ from run to run. */
function likeTheSample(message: string, baseUrl: string): string {
  return message
    .replaceAll(baseUrl, "https://analytics.example.com")
    .replaceAll(unresolvable, "nowhere")
    .replace(/, \d+ attempts/, ", 9 attempts")
    .replace(/ at [\w.]+:\d+/, " at client.js:12")
    .replaceAll("\n", " ");
}

/** The message that the engine prints. */
async function messageOf(meet: () => Promise<unknown>): Promise<string> {
  try {
    const message = await meet();
    assert(typeof message === "string", "There was no error");
    return message;
  } catch (error) {
    assert(error instanceof Error);
    return "reasons" in error && Array.isArray(error.reasons) ? error.reasons.join("\n") : error.message;
  }
}
