/** What the interface leaves open ("not shown"), and what the user has chosen. */
import { z } from "zod";
import type { DeleteField, EmulatorBehaviour } from "../../provider/src/testing";

export const choices = z.object({
  existing: z.enum(["keep", "update"]),
  answer: z.enum(["stored", "requested"]),
  emptyProperties: z.enum(["absent", "null"]),
  deleteNeeds: z.enum(["token and ID", "token", "ID", "all"]),
  changes: z.enum(["replace", "update"]),
});
export type Choices = z.infer<typeof choices>;

/** In-place updates are for services that update. */
export const allChoices: readonly Choices[] = choices.shape.existing.options.flatMap((existing) =>
  choices.shape.answer.options.flatMap((answer) =>
    choices.shape.emptyProperties.options.flatMap((emptyProperties) =>
      choices.shape.deleteNeeds.options.flatMap((deleteNeeds) =>
        choices.shape.changes.options
          .filter((changes) => existing === "update" || changes === "replace")
          .map((changes) => ({ existing, answer, emptyProperties, deleteNeeds, changes })),
      ),
    ),
  ),
);

export function behaviourOf({ deleteNeeds, changes, ...rest }: Choices): EmulatorBehaviour {
  return { ...rest, deleteNeeds: fieldsNeeded[deleteNeeds] };
}

const fieldsNeeded: Record<Choices["deleteNeeds"], readonly DeleteField[]> = {
  "token and ID": ["current_token", "user_group_id"],
  token: ["current_token"],
  ID: ["user_group_id"],
  all: ["current_token", "user_group_id", "data_source_provided_id"],
};
