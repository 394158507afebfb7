import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodes } from "../../provider/src/errors";
import { emulatorTest } from "../harness/emulatorTest";
import { contextOf, providersOf, unresolvable } from "../harness/providers";
import { errorTriggers } from "./errorTriggers";
import { repository, snippetsOf } from "./pages";

const file = "docs/errors.md";
const page = readFileSync(join(repository, file), "utf8");

describe(file, () => {
  it("has a section for each code, and for no other", () => {
    const sections = [...page.matchAll(/^### `([a-z-]+)`$/gm)].map(([, code]) => code);
    assert.deepEqual(sections.sort(), [...errorCodes].sort());
  });

  for (const code of errorCodes) {
    const { trigger, service = {}, ...dependencies } = errorTriggers[code];
    emulatorTest(`shows the message of ${code}`, service, async (emulator) => {
      const providers = providersOf(contextOf(emulator, dependencies));
      const message = await messageOf(() => trigger({ emulator, ...providers }));
      assert.match(message, new RegExp(`\\[${code}\\]`));
      assert.equal(sampleOf(code), likeTheSample(message, emulator.baseUrl));
    });
  }
});

/** The sample whose first code is `code`. Lines may be wrapped anywhere. */
function sampleOf(code: string): string | undefined {
  const samples = snippetsOf(file, "text").map((sample) => sample.replaceAll("\n", " "));
  return samples.find((sample) => /\[([a-z-]+)\]/.exec(sample)?.[1] === code);
}

/** The port, the number of attempts and the line of a bug differ from run to run. */
function likeTheSample(message: string, baseUrl: string): string {
  return message
    .replaceAll(baseUrl, "https://analytics.example.com")
    .replaceAll(unresolvable, "nowhere")
    .replace(/, \d+ attempts/, ", 9 attempts")
    .replace(/ at [\w.]+:\d+/, " at client.js:12")
    .replaceAll("\n", " ");
}

/** The message that the engine prints. */
async function messageOf(trigger: () => Promise<unknown>): Promise<string> {
  try {
    const message = await trigger();
    assert(typeof message === "string", "There was no error");
    return message;
  } catch (error) {
    assert(error instanceof Error);
    return "reasons" in error && Array.isArray(error.reasons) ? error.reasons.join("\n") : error.message;
  }
}
