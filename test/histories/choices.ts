/** What the interface leaves open ("not shown"), how the service behaves beside that, and what the user has chosen. */
import fc from "fast-check";
import { z } from "zod";
import type { DeleteField, EmulatorBehavior } from "../../provider/src/testing";
import { normalizationNames, normalizations } from "../harness/normalizations";

export const choices = z.object({
  existing: z.enum(["keep", "update"]),
  response: z.enum(["stored", "requested"]),
  emptyProperties: z.enum(["absent", "null"]),
  deleteNeeds: z.enum(["token and ID", "token", "ID", "all"]),
  changes: z.enum(["replace", "update"]),
  /** What the service stores for what it receives. */
  normalization: z.enum(normalizationNames),
  /** Whether a resource has a group "a" in another account at the same address. */
  hasOtherAccount: z.boolean().default(false),
});
export type Choices = z.infer<typeof choices>;

const { shape } = choices;

/** In-place updates are for services that update. */
export const anyChoices: fc.Arbitrary<Choices> = fc
  .record({
    existing: fc.constantFrom(...shape.existing.options),
    response: fc.constantFrom(...shape.response.options),
    emptyProperties: fc.constantFrom(...shape.emptyProperties.options),
    deleteNeeds: fc.constantFrom(...shape.deleteNeeds.options),
    changes: fc.constantFrom(...shape.changes.options),
    normalization: fc.constantFrom(...shape.normalization.options),
    hasOtherAccount: fc.boolean(),
  })
  .filter(({ existing, changes }) => existing === "update" || changes === "replace");

export function behaviorOf({ existing, response, emptyProperties, ...rest }: Choices): EmulatorBehavior {
  return {
    existing,
    response,
    emptyProperties,
    deleteNeeds: fieldsNeeded[rest.deleteNeeds],
    normalize: normalizations[rest.normalization],
  };
}

const fieldsNeeded: Record<Choices["deleteNeeds"], readonly DeleteField[]> = {
  "token and ID": ["current_token", "user_group_id"],
  token: ["current_token"],
  ID: ["user_group_id"],
  all: ["current_token", "user_group_id", "data_source_provided_id"],
};
