/** Histories that violated an invariant once, and must never do so again. */
import * as fs from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { choices, type Choices } from "./choices";
import { step, type Step } from "./steps";

const regression = z.object({
  /** The first line of the failure, for people. */
  violated: z.string(),
  choices,
  steps: z.array(step),
});

const file = join(__dirname, "regressions.json");

export function readRegressions(): z.infer<typeof regression>[] {
  return z.array(regression).parse(JSON.parse(fs.readFileSync(file, "utf8")));
}

/** Stores a history, to be committed with what fixes it. In CI, where nobody would, it is only printed. */
export function addRegression(chosen: Choices, steps: readonly Step[], violated: string): void {
  const added = { violated, choices: chosen, steps };
  console.error(`A history for test/histories/regressions.json:\n${JSON.stringify(added)}`);
  if (process.env["CI"] === "true") return;
  const lines = [...readRegressions(), added].map((regression) => JSON.stringify(regression));
  fs.writeFileSync(file, `[\n${lines.join(",\n")}\n]\n`);
}
