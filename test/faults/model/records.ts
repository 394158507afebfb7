/** What a program declares and what a state records, and how values get from one to the other. */
import type { dynamic } from "@pulumi/pulumi";
import { z } from "zod";
import { userGroup, userGroups } from "../../../provider/src/provider";

const providers = { userGroup, userGroups };

/** A resource as a program declares it. */
export interface Declared {
  readonly name: string;
  readonly provider: keyof typeof providers;
  readonly args: object;
}

/** A resource as a state records it. */
export interface Recorded {
  readonly name: string;
  readonly provider: keyof typeof providers;
  readonly id: string;
  readonly inputs: object;
  readonly outputs: object;
  /** Why it isn't finished; the next up calls update even where nothing changed. */
  readonly initErrors: readonly string[];
  /** "replaced": another stands in its place and it is yet to be deleted; "deleted": another is yet to be created. */
  readonly standing: "live" | "replaced" | "deleted";
}

export type Provider = Required<dynamic.ResourceProvider<unknown, unknown>>;

export function providerOf({ provider }: Pick<Declared, "provider">): Provider {
  return providers[provider];
}

/** What is left of a value that went over the engine's wire; the SDK adds the provider to what it gets back. */
export function overTheWire(value: unknown): object {
  return {
    ...z.record(z.string(), z.unknown()).parse(JSON.parse(JSON.stringify(value))),
    __provider: "text",
  };
}

/** What an error says that has the resource recorded all the same. */
export function partOf(error: unknown): { id: string; outputs: object; reasons: string[] } | undefined {
  const { data } = partial.safeParse(error);
  return data && { id: data.id, outputs: overTheWire(data.properties), reasons: data.reasons };
}

const partial = z.object({
  id: z.string().min(1),
  properties: z.record(z.string(), z.unknown()),
  reasons: z.array(z.string()),
});
