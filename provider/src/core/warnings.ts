/** Warnings about groups: one line for each kind, for any number of groups. */
import { namesOf, type GroupName } from "../errors";
import type { Logger } from "./lifecycle";

/** The sentence of each kind, for one group and for several. */
const sentences = {
  adopted: [
    "existed before and is adopted with its token. Its mapping can't be verified, because the service never returns it. To be sure of the mapping, change keepers, which recreates the group and replaces its token",
    "existed before and are adopted with their tokens. Their mappings can't be verified, because the service never returns them. To be sure of a mapping, change keepers, which recreates the group and replaces its token",
  ],
  "adopted with other values": [
    "has a different name or different properties in the service than in the program. The next preview shows the difference",
    "have different names or properties in the service than in the program. The next preview shows the differences",
  ],
  "stored with other values": [
    "is stored by the service with a different name or different properties than were sent. The state has both, and this isn't drift",
    "are stored by the service with different names or properties than were sent. The state has both, and this isn't drift",
  ],
  "possibly created": [
    "was possibly created by an attempt whose response was lost. If it existed before, the service may have a different mapping",
    "were possibly created by attempts whose responses were lost. If they existed before, the service may have different mappings",
  ],
  "created again": [
    "didn't exist in the service. It was created again, with a new token",
    "didn't exist in the service. They were created again, with new tokens",
  ],
  recreated: [
    "existed, and this stack's state has other values for it. It was deleted and created again, with a new token",
    "existed, and this stack's state has other values for them. They were deleted and created again, with new tokens",
  ],
  "mapping not verified": [
    "was updated with a new mapping. The update of the mapping can't be verified, because the service never returns it",
    "were updated with new mappings. The updates of the mappings can't be verified, because the service never returns them",
  ],
  kept: [
    "is kept with its token, because another resource of this program uses it. For a renamed resource, an alias avoids this warning",
    "are kept with their tokens, because other resources of this program use them. For a renamed resource, an alias avoids this warning",
  ],
} as const satisfies Record<string, readonly [one: string, several: string]>;

export type Warning = keyof typeof sentences;

/** Collects warnings while an operation runs. */
export type Warn = (warning: Warning, group: GroupName) => void;

/** Runs an operation, and logs its warnings when it has ended, successfully or not. */
export async function withWarnings<Outcome>(
  logger: Logger,
  operation: (warn: Warn) => Promise<Outcome>,
): Promise<Outcome> {
  const collected = new Map<Warning, GroupName[]>();
  try {
    return await operation((warning, group) => {
      const groups = collected.get(warning);
      if (groups) groups.push(group);
      else collected.set(warning, [group]);
    });
  } finally {
    for (const [warning, groups] of collected) logger.warn(sentenceFor(warning, groups));
  }
}

function sentenceFor(warning: Warning, groups: readonly GroupName[]): string {
  const [one, several] = sentences[warning];
  return `${namesOf(groups)} ${groups.length > 1 ? several : one}.`;
}
