/** Histories that broke a law once, and must never do so again. */
import * as fs from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { choices, type Choices } from "./choices";
import { step, type Step } from "./steps";

const regression = z.object({
  /** What went wrong, for people. */
  broke: z.string(),
  choices,
  steps: z.array(step),
});

const file = join(__dirname, "regressions.json");

export function readRegressions(): z.infer<typeof regression>[] {
  return z.array(regression).parse(JSON.parse(fs.readFileSync(file, "utf8")));
}

/** Keeps a history to be committed with what mends it. In CI, where nobody would, it is only printed. */
export function keepRegression(chosen: Choices, steps: readonly Step[], broke: string): void {
  const kept = { broke, choices: chosen, steps };
  console.error(`A history to be kept in test/histories/regressions.json:\n${JSON.stringify(kept)}`);
  if (process.env["CI"] === "true") return;
  fs.writeFileSync(file, `${JSON.stringify([...readRegressions(), kept], undefined, 2)}\n`);
}
