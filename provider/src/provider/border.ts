/** Where arguments and records come in: parsed once, with errors that name the place and never the value. */
import type { dynamic } from "@pulumi/pulumi";
import type { z } from "zod";
import { UserGroupError } from "../errors";
import { findFlaws, given, parse } from "../schema";

/** More than these would drown the rest of a preview. */
const mostFailures = 20;

/**
 * The failures of `check`, each against its property. The engine prints the value of a property that it finds among
 * the arguments, secret or not, so that such a one is named in the reason instead.
 */
export function failuresOf(schema: z.ZodType, inputs: object): dynamic.CheckFailure[] {
  const failures = findFlaws(schema, inputs).map(({ place, reason }) =>
    place in inputs ? { property: "", reason: `property ${place} ${reason}` } : { property: place, reason },
  );
  const more = failures.length - mostFailures;
  if (more <= 0) return failures;
  return [...failures.slice(0, mostFailures), { property: "", reason: `${more} more properties are wrong` }];
}

/** Arguments that `check` has passed. Error: argument-invalid, as for a value that wasn't known then. */
export function parseArguments<Arguments>(schema: z.ZodType<Arguments>, inputs: unknown): Arguments {
  return parse(schema, given(inputs), ({ place, reason }) => {
    return new UserGroupError("argument-invalid", `The argument ${place} ${reason}.`);
  });
}

/** A record of the state. Error: record-invalid. */
export function parseRecord<Recorded>(
  schema: z.ZodType<Recorded>,
  subject: string,
  props: unknown,
): Recorded {
  return parse(schema, given(props), ({ place, reason }) => {
    return recordError(subject, `its ${place} ${reason}`);
  });
}

/** Error: record-invalid. */
export function recordError(subject: string, flaw: string): UserGroupError {
  return new UserGroupError(
    "record-invalid",
    `The state of ${subject} can't be used: ${flaw}. Import one that was exported before (pulumi stack import), or ` +
      "take the resource out (pulumi state delete) and run pulumi up, which adopts what is there.",
  );
}
