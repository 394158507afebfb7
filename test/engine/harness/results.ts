/** What the engine says of an operation: its event log, and what tests ask of it. */
import * as fs from "node:fs/promises";
import { z } from "zod";
import type { Emulator } from "../../../provider/src/testing";
import type { Ended } from "../../harness/run";

/** What an operation printed, and what its event log says. */
export interface Result extends Ended, Summary {}

/** What the engine does, or in a preview would do, with one resource. */
interface Step {
  /** Such as "create", "same", "update", "delete-replaced". */
  readonly op: string;
  readonly name: string;
}

interface Diagnostic {
  readonly severity: string;
  readonly message: string;
  /** Of the resource, if it is about one. */
  readonly urn: string;
}

interface Summary {
  /** How many resources by operation, as the engine sums it up: `{ create: 2, same: 1 }`. */
  readonly changes: Readonly<Record<string, number>>;
  readonly steps: readonly Step[];
  /** Warnings, errors and notes, without debug lines. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The lines of an event log; none if the engine stopped before it began. */
export async function readEvents(file: string): Promise<string[]> {
  const text = await fs.readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  });
  // The SDK logs each response of the engine, with tokens in plain text. The engine shows these lines with --debug only.
  const isNote = (line: string) => parsed(line).diagnosticEvent?.severity === "debug";
  return text.split("\n").filter((line) => line !== "" && !isNote(line));
}

export function summaryOf(lines: readonly string[]): Summary {
  const events = lines.map(parsed);
  return {
    changes: events.map((each) => each.summaryEvent?.resourceChanges).find(Boolean) ?? {},
    steps: events.flatMap((each) => each.resourcePreEvent?.metadata ?? []),
    diagnostics: events.flatMap((each) => each.diagnosticEvent ?? []),
  };
}

function parsed(line: string): z.infer<typeof event> {
  return event.parse(JSON.parse(line));
}

const event = z.object({
  resourcePreEvent: z
    .object({
      metadata: z
        .object({ op: z.string(), urn: z.string() })
        .transform(({ op, urn }) => ({ op, name: nameOf(urn) })),
    })
    .optional(),
  summaryEvent: z.object({ resourceChanges: z.record(z.string(), z.number()).nullish() }).optional(),
  diagnosticEvent: z
    .object({ severity: z.string(), message: z.string(), urn: z.string().default("") })
    .optional(),
});

/** The last part of a URN. */
export function nameOf(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}

/** The product's warnings, each without the word itself. A dynamic provider prints them, and the plugin logs them. */
export function warningsOf({ diagnostics }: Result): string[] {
  return diagnostics.flatMap(({ message, severity, urn }) => {
    if (severity === "warning" && urn.includes("user-groups:index:")) return message.trim();
    const lines = message.split("\n").filter((line) => line.startsWith(mark));
    return lines.map((line) => line.slice(mark.length));
  });
}

const mark = "warning: ";

/** The engine's errors, in one text: of all resources, or of one. */
export function errorOf({ diagnostics }: Result, name?: string): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const own = name === undefined ? errors : errors.filter(({ urn }) => nameOf(urn) === name);
  return own.map(({ message }) => message).join("\n");
}

/** What the engine does, or would do, with a resource: such as `["delete-replaced", "replace", "create-replacement"]`. */
export function stepsOf({ steps }: Result, name: string): string[] {
  return steps.filter((step) => step.name === name).map(({ op }) => op);
}

/** The requests and their effects, a line for each, such as `GET "acme" created 200`. */
export function requestsTo({ requests }: Emulator, userGroupId?: string): string[] {
  return requests
    .filter((request) => userGroupId === undefined || request.userGroupId === userGroupId)
    .map(String);
}
