/** How each operation ends with each fault: one line for each operation, with the faults of each outcome. */
import * as fs from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Persistence } from "../harness/context";
import type { Case } from "./case";

/** `MATRIX_WRITES=true npm run test:faults` stores the outcomes instead of comparing them. */
export const isWriting = process.env["MATRIX_WRITES"] === "true";

const file = join(__dirname, "outcomes.json");
/** An outcome is that of one hit, or two with a slash between them: that of one hit, and of a fault that lasts. */
const row = z.object({
  resource: z.string(),
  operation: z.string(),
  outcomes: z.record(z.string(), z.array(z.string())),
});
type Row = z.infer<typeof row>;

export function committedOutcome(
  resource: string,
  { operation, fault, persistence }: Case,
): string | undefined {
  const own = committed().find((each) => each.resource === resource && each.operation === operation.name);
  const [outcome] =
    Object.entries(own?.outcomes ?? {}).find(([, faults]) => faults.includes(fault.name)) ?? [];
  const [once, lasting = once] = outcome?.split(" / ") ?? [];
  return { once, lasting }[persistence];
}

/** Stores all outcomes of a whole run. */
export function keep(resource: string, outcomes: ReadonlyMap<Case, string>): void {
  const rows = new Map<string, Row>();
  const cells = new Map<string, [Case, string][]>();
  for (const [tested, outcome] of outcomes) {
    const cell = `${tested.operation.name}\n${tested.fault.name}`;
    cells.set(cell, [...(cells.get(cell) ?? []), [tested, outcome]]);
  }
  for (const [cell, found] of cells) {
    const [operation = "", fault = ""] = cell.split("\n");
    const of = (wanted: Persistence) => found.find(([{ persistence }]) => persistence === wanted)?.[1];
    const words = new Set([of("once"), of("lasting")].filter((word) => word !== undefined));
    const stored = rows.get(operation)?.outcomes ?? {};
    const outcome = [...words].join(" / ");
    const faults = [...(stored[outcome] ?? []), fault].sort();
    rows.set(operation, { resource, operation, outcomes: { ...stored, [outcome]: faults } });
  }
  const others = committed().filter((each) => each.resource !== resource);
  const lines = [...others, ...rows.values()].map((each) => JSON.stringify(each));
  fs.writeFileSync(file, `[\n${lines.join(",\n")}\n]\n`);
}

function committed(): Row[] {
  return z.array(row).parse(JSON.parse(fs.readFileSync(file, "utf8")));
}
