import { z } from "zod";
import { nameOf } from "./events";

/** A resource as the state records it. */
export type Resource = z.infer<typeof resource>;

/** The resources of a state file, the stack itself among them. */
export function readState(text: string): Resource[] {
  return stateFile.parse(JSON.parse(text)).checkpoint.latest?.resources ?? [];
}

/** Whether a recorded value is encrypted. */
export function isSecret(value: unknown): boolean {
  return encrypted.safeParse(value).success;
}

const properties = z.record(z.string(), z.unknown()).default({});

const resource = z
  .object({
    urn: z.string(),
    type: z.string(),
    id: z.string().optional(),
    inputs: properties,
    outputs: properties,
    protect: z.boolean().default(false),
    external: z.boolean().default(false),
    initErrors: z.array(z.string()).default([]),
  })
  .transform((recorded) => ({ ...recorded, name: nameOf(recorded.urn) }));

const stateFile = z.object({
  checkpoint: z.object({
    latest: z.object({ resources: z.array(resource).nullish() }).nullish(),
  }),
});

/** Pulumi's mark of a special value, and that of a secret among them. */
const encrypted = z.object({
  "4dabf18193072939515e22adb298388d": z.literal("1b47061264138c4ac30d75fd1eb44270"),
  ciphertext: z.string(),
});
