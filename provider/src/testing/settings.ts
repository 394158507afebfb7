import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { GroupValues } from "./group";
import type { DeleteField, EmulatorOptions } from "./options";

/** An option has a wrong value, or (then `option` is empty) isn't known. */
export class OptionError extends TypeError {
  readonly option: string;
  /** What is wrong with it; never its value. */
  readonly reason: string;

  constructor(option: string, reason: string) {
    super(`Emulator option${option && ` ${option}`}: ${reason}`);
    this.option = option;
    this.reason = reason;
  }
}

/** The options with nothing left open. */
export interface Settings extends Required<Omit<EmulatorOptions, "tls" | "log">> {
  readonly tls: EmulatorOptions["tls"] | undefined;
  readonly log: EmulatorOptions["log"] | undefined;
}

const deleteFields: readonly DeleteField[] = ["current_token", "user_group_id", "data_source_provided_id"];

const portRule = "must be an integer from 0 to 65535";
const latencyRule = "must be a number of milliseconds, 0 or more";
const pem = z.union([z.string(), z.instanceof(Uint8Array)]);

const schema = z.strictObject({
  existing: z.enum(["keep", "update"]).default("keep"),
  response: z.enum(["stored", "requested"]).default("stored"),
  normalize: z
    .custom<(values: GroupValues) => GroupValues>(
      (value) => typeof value === "function",
      "must be a function",
    )
    .default(() => (values: GroupValues) => values),
  emptyProperties: z.enum(["absent", "null"]).default("absent"),
  deleteNeeds: z.array(z.enum(deleteFields)).default(["current_token", "user_group_id"]),
  deleteTokenMayBeId: z.boolean().default(false),
  latency: z.number(latencyRule).min(0, latencyRule).default(0),
  port: z.int(portRule).min(0, portRule).max(65_535, portRule).default(0),
  apiToken: z
    .string()
    .regex(/^[!-~]+$/, "must be printable ASCII without blanks")
    .default(() => randomUUID()),
  basePath: z
    .string()
    .regex(/^(\/[\w.~:@%-]+)*$/, 'must be "" or a path such as "/tenant/v1"')
    .default(""),
  tls: z.object({ key: pem, cert: pem }).optional(),
  keepRequests: z.boolean().default(true),
  log: z
    .custom<EmulatorOptions["log"]>((value) => value === undefined || typeof value === "function")
    .optional(),
});

/** Checks options and fills in the defaults; throws an `OptionError` that names the first wrong one. */
export function settingsFrom(options: unknown): Settings {
  const parsed = schema.safeParse(options);
  if (parsed.success) return { ...parsed.data, tls: parsed.data.tls, log: parsed.data.log };
  const [issue] = parsed.error.issues;
  throw new OptionError(String(issue?.path[0] ?? ""), issue?.message ?? "");
}
