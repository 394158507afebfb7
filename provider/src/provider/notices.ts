/** What a run did that its outcome doesn't show, as one line for each kind, however many groups it is about. */
import { namesOf, warn, type Named } from "../errors";

/** Each kind's words for one group and for several. */
const sentences = {
  adopted: [
    "was there before and is adopted with its token; its mapping can't be confirmed, since the service never shows it",
    "were there before and are adopted with their tokens; their mappings can't be confirmed, since the service never shows them",
  ],
  "adopted with other values": [
    "has another name or other properties in the service than in the program: the next preview shows what follows",
    "have other names or properties in the service than in the program: the next preview shows what follows",
  ],
  "created with other values": [
    "was created with another name or other properties than were asked for: the next preview shows what follows",
    "were created with other names or properties than were asked for: the next preview shows what follows",
  ],
  "perhaps created": [
    "was there when a request whose answer was lost was repeated; if that didn't create it, its mapping is another",
    "were there when a request whose answer was lost was repeated; if that didn't create them, their mappings are others",
  ],
  "created again": [
    "was gone; it has been created again and has a new token",
    "were gone; they have been created again and have new tokens",
  ],
  "mapping not confirmed": [
    "has got its new mapping by an update that can't be confirmed, since the service never shows a mapping",
    "have got their new mappings by an update that can't be confirmed, since the service never shows a mapping",
  ],
  kept: [
    "is kept, with its token: another resource of this program holds it (with an alias, a renamed resource moves without this)",
    "are kept, with their tokens: another resource of this program holds them",
  ],
} as const satisfies Record<string, readonly [one: string, several: string]>;

export type Notice = keyof typeof sentences;

/** Takes notices while an operation runs. */
export type Notify = (notice: Notice, group: Named) => void;

/** Runs an operation, and prints its notices when it has ended, whether well or not. */
export async function withNotices<Outcome>(
  operation: (notify: Notify) => Promise<Outcome>,
): Promise<Outcome> {
  const noticed = new Map<Notice, Named[]>();
  try {
    return await operation((notice, group) => {
      const groups = noticed.get(notice);
      if (groups) groups.push(group);
      else noticed.set(notice, [group]);
    });
  } finally {
    for (const [notice, groups] of noticed) warn(sentenceFor(notice, groups));
  }
}

function sentenceFor(notice: Notice, groups: readonly Named[]): string {
  const [one, several] = sentences[notice];
  return `${namesOf(groups)} ${groups.length > 1 ? several : one}.`;
}
