/** Warnings about groups: one line for each kind, however many groups it is about. */
import { namesOf, type GroupName } from "../errors";
import type { Logger } from "./lifecycle";

/** The words of each kind, for one group and for several. */
const sentences = {
  adopted: [
    "existed before and is adopted with its token. Its mapping can't be verified, because the service never returns it; a change of keepers recreates the group and makes its mapping certain",
    "existed before and are adopted with their tokens. Their mappings can't be verified, because the service never returns them; a change of keepers recreates a group and makes its mapping certain",
  ],
  "adopted with other values": [
    "has another name or other properties in the service than in the program; the next preview shows the difference",
    "have other names or properties in the service than in the program; the next preview shows the differences",
  ],
  "stored with other values": [
    "is stored by the service with another name or other properties than were sent. The state keeps both, and this is no drift",
    "are stored by the service with other names or properties than were sent. The state keeps both, and this is no drift",
  ],
  "possibly created": [
    "existed when a request was repeated whose first response was lost. If that request didn't create it, its mapping is another",
    "existed when requests were repeated whose first responses were lost. If those requests didn't create them, their mappings are others",
  ],
  "created again": [
    "was gone. It has been created again and has a new token",
    "were gone. They have been created again and have new tokens",
  ],
  recreated: [
    "existed, with other values in this stack's state. It has been deleted and created again, and has a new token",
    "existed, with other values in this stack's state. They have been deleted and created again, and have new tokens",
  ],
  "mapping not verified": [
    "has a new mapping by an update that can't be verified, because the service never returns a mapping",
    "have new mappings by updates that can't be verified, because the service never returns a mapping",
  ],
  kept: [
    "is kept, with its token: another resource of this program holds it (an alias avoids this for a renamed resource)",
    "are kept, with their tokens: another resource of this program holds them",
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
