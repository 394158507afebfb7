/** Reads one user group: for a refresh, and for a lookup of a group that the stack doesn't manage. Both by get-or-create. */
import type { ReturnedGroup } from "../../service/client";
import type { GroupContext } from "../deployment/context";
import * as errors from "../messages/groupErrors";
import { asSent, requestFor, storedAsRead, type Group, type StoredGroup } from "../state/storedGroup";

/** A missing group is created again. Former groups (`overlap`) aren't read. */
export async function readGroup(stored: StoredGroup, { client, warn }: GroupContext): Promise<StoredGroup> {
  const result = await client.getOrCreate(requestFor(asSent(stored)));
  if (result.isNew) warn("created-again", client.subject);
  else if (result.group.token !== stored.token) warn("token-changed", client.subject);
  return storedAsRead(stored, result);
}

/** The group must exist: one that the request creates is deleted again. Error: no-such-group. */
export async function lookUpGroup(group: Group, context: GroupContext): Promise<ReturnedGroup> {
  const { client, settings, warn } = context;
  // A service that updates existing groups would store a request without these as none.
  const isComplete = group.mapping !== undefined && group.properties !== undefined;
  if (settings.changes === "update" && !isComplete) throw errors.settingConflict(client.subject, "import");
  const { group: found, isNew, isPossiblyApplied } = await client.getOrCreate(group);
  if (isNew) {
    const { dataSourceProvidedId, userGroupId: providedId } = group;
    const isCleanedUp = await client.cleanUp({ providedId, token: found.token, dataSourceProvidedId });
    throw errors.noSuchGroup(client.subject, isCleanedUp);
  }
  if (isPossiblyApplied) warn("adopted-after-lost-response", client.subject);
  return found;
}
