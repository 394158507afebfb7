/** The ID with which a group is imported. The service reads a group only with its name, so the ID contains the name. */
import { userGroupArguments } from "../core/arguments";
import { nameOf, UserGroupError } from "../errors";
import { jsonText } from "../validation";
import type { JsonObject } from "../values";

export interface ImportTarget {
  readonly id: string;
  /** The values of the group in the import ID. */
  readonly state: JsonObject;
}

const json = jsonText("isn't JSON").pipe(userGroupArguments.omit({ adopt: true, connection: true }));

/**
 * `acme=Acme`, split at the first `=`, or JSON of an object with userGroupId and name. `isLookup`: it is the ID of a lookup
 * without a name. Error: argument-invalid.
 */
export function parseImportId(importId: string, isLookup: boolean): ImportTarget {
  if (isLookup)
    throw new UserGroupError(
      "argument-invalid",
      `Cannot look up ${nameOf({ userGroupId: importId })}: its name is missing, or a preview doesn't know it yet. The ` +
        "service can't read a group without its name. Pass a name that the preview knows.",
    );
  const { userGroupId, ...state } = json.safeParse(importId).data ?? pairIn(importId);
  return { id: userGroupId, state };
}

function pairIn(importId: string): { userGroupId: string; name: string } {
  const separator = importId.indexOf("=");
  const [userGroupId, name] = [importId.slice(0, Math.max(separator, 0)), importId.slice(separator + 1)];
  if (userGroupId === "" || name === "" || importId.startsWith("{")) throw invalidId();
  return { userGroupId, name };
}

function invalidId(): UserGroupError {
  return new UserGroupError(
    "argument-invalid",
    "The import ID must be <userGroupId>=<name>, such as 'acme=Acme', because the service can't read a group without " +
      'its name. JSON is possible as well: {"userGroupId":"…","name":"…"}, with mapping, properties and dataSourceProvidedId if you know them.',
  );
}
