import * as fs from "node:fs/promises";
import { z } from "zod";

/** What the engine does, or in a preview would do, with one resource. */
export interface Step {
  /** Such as "create", "same", "update", "delete-replaced". */
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** The properties that differ, where the engine says. */
  readonly diffs: readonly string[];
}

export interface Diagnostic {
  readonly severity: string;
  readonly message: string;
  /** The resource that it is about, where it is about one. */
  readonly urn: string | undefined;
}

export interface Summary {
  /** How many resources by operation, as the engine sums it up: `{ create: 2, same: 1 }`. */
  readonly changes: Readonly<Record<string, number>>;
  readonly steps: readonly Step[];
  /** Warnings, errors and notes, without debug lines. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The lines of an event log; none where the engine stopped before it began. */
export async function readEvents(file: string): Promise<string[]> {
  const text = await fs.readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  });
  return text.split("\n").filter((line) => line !== "" && !isDebugLine(parsed(line)));
}

export function summaryOf(lines: readonly string[]): Summary {
  const events = lines.map(parsed);
  return {
    changes: events.map((each) => each.summaryEvent?.resourceChanges).find(Boolean) ?? {},
    steps: events.flatMap((each) => each.resourcePreEvent?.metadata ?? []).map(stepOf),
    diagnostics: events.flatMap((each) => each.diagnosticEvent ?? []),
  };
}

function parsed(line: string): z.infer<typeof event> {
  return event.parse(JSON.parse(line));
}

/** The SDK logs each response of the engine, with tokens in plain text. The engine shows these lines with --debug only. */
function isDebugLine({ diagnosticEvent }: z.infer<typeof event>): boolean {
  return diagnosticEvent?.severity === "debug";
}

const metadata = z.object({
  op: z.string(),
  urn: z.string(),
  type: z.string(),
  diffs: z.array(z.string()).nullish(),
});

const event = z.object({
  resourcePreEvent: z.object({ metadata }).optional(),
  summaryEvent: z.object({ resourceChanges: z.record(z.string(), z.number()).nullish() }).optional(),
  diagnosticEvent: z
    .object({ severity: z.string(), message: z.string(), urn: z.string().optional() })
    .transform(({ urn, ...rest }) => ({ ...rest, urn }))
    .optional(),
});

function stepOf({ op, urn, type, diffs }: z.infer<typeof metadata>): Step {
  return { op, urn, type, name: nameOf(urn), diffs: diffs ?? [] };
}

/** The last part of a URN. */
export function nameOf(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}
