/** What the engine says of an operation: its event log, and what tests ask of it. */
import * as fs from "node:fs/promises";
import { z } from "zod";
import type { Emulator } from "../../../provider/testing";
import type { Ended } from "../harness/run";

/** What an operation printed, and what its event log says. */
export interface Result extends Ended {
  /** How many resources by operation, as the engine sums it up: `{ create: 2, same: 1 }`. */
  readonly changes: Readonly<Record<string, number>>;
  /** What the engine does, or in a preview would do, with each resource; `op`: such as "create", "same", "delete-replaced". */
  readonly steps: readonly { readonly op: string; readonly name: string }[];
  /** Warnings, errors and notes, without debug lines; `urn`: of the resource, if it is about one. */
  readonly diagnostics: readonly {
    readonly severity: string;
    readonly message: string;
    readonly urn: string;
    /** Whether a later line takes its place. */
    readonly ephemeral: boolean;
  }[];
}

const event = z.object({
  resourcePreEvent: z.object({ metadata: z.object({ op: z.string(), urn: z.string() }) }).optional(),
  summaryEvent: z.object({ resourceChanges: z.record(z.string(), z.number()).nullish() }).optional(),
  diagnosticEvent: z
    .object({
      severity: z.string(),
      message: z.string(),
      urn: z.string().default(""),
      ephemeral: z.boolean().default(false),
    })
    .optional(),
});

/** The result, and the text of the event log without debug lines, in which the SDK logs tokens; the engine shows these with --debug only. */
export async function resultOf(ended: Ended, file: string): Promise<{ result: Result; log: string }> {
  // The engine writes none if it stops before it begins.
  const text = await fs.readFile(file, "utf8").catch(() => "");
  const lines = text.split("\n").filter((line) => line !== "");
  const logged = lines
    .map((line) => ({ line, ...event.parse(JSON.parse(line)) }))
    .filter(({ diagnosticEvent }) => diagnosticEvent?.severity !== "debug");
  const changes = logged.map(({ summaryEvent }) => summaryEvent?.resourceChanges).find(Boolean) ?? {};
  const steps = logged.flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? []);
  return {
    result: {
      ...ended,
      changes,
      steps: steps.map(({ op, urn }) => ({ op, name: nameOf(urn) })),
      diagnostics: logged.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []),
    },
    log: logged.map(({ line }) => line).join("\n"),
  };
}

/** The last part of a URN. */
export function nameOf(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}

/** The product's warnings, which end with a code. */
export function warningsOf({ diagnostics }: Result): string[] {
  const warnings = diagnostics.filter(({ severity }) => severity === "warning");
  return warnings.map(({ message }) => message.trim()).filter((message) => / \[[a-z-]+\]$/.test(message));
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
