/** Validates options. */
import { randomUUID } from "node:crypto";
import * as z from "zod";
import { escaped } from "../text";

/** An option has a wrong value, or (then `option` is empty) isn't known. `reason` never contains the value. */
export class OptionError extends TypeError {
  constructor(
    readonly option: string,
    readonly reason: string,
  ) {
    super(escaped(`Emulator option${option && ` ${option}`}: ${reason}`));
  }
}

/** Throws an `OptionError` that names the first wrong option. */
export function parseOptions<Parsed>(schema: z.ZodType<Parsed>, options: unknown): Parsed {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new OptionError(String(issue?.path[0] ?? ""), issue?.message ?? "");
}

/** Default: a random one. */
export const apiTokenSchema = z
  .string()
  .regex(/^[!-~]+$/, "must be printable ASCII without blanks")
  .default(() => randomUUID());
