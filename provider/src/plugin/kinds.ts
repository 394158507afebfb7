/** The two kinds of resources of the plugin, and the IDs with which they are imported. */
import { userGroupArguments } from "../core/arguments";
import type { Deployment, Lifecycle } from "../core/lifecycle";
import { userGroupLifecycle } from "../core/userGroup/lifecycle";
import { userGroupsLifecycle } from "../core/userGroups/lifecycle";
import { nameOf, UserGroupError } from "../errors";
import { jsonText } from "../validation";
import type { JsonObject } from "../values";
import { previewUserGroup, previewUserGroups, type Preview } from "./preview";

interface ImportTarget {
  readonly id: string;
  /** The values of the group in the import ID. */
  readonly state: JsonObject;
}

export interface Kind {
  readonly lifecycleOf: (deployment: Deployment) => Lifecycle;
  readonly preview: Preview;
  /** Error: argument-invalid. */
  readonly parseImportId: (importId: string, isLookup: boolean) => ImportTarget;
}

const kinds = new Map<string, Kind>([
  [
    "user-groups:index:UserGroup",
    { lifecycleOf: userGroupLifecycle, preview: previewUserGroup, parseImportId },
  ],
  [
    "user-groups:index:UserGroups",
    { lifecycleOf: userGroupsLifecycle, preview: previewUserGroups, parseImportId: refuseImport },
  ],
]);

/** The kind of the resource with this URN, which ends in `::<types of the parents>$<type>::<name>`. */
export function kindOf(urn: string): Kind {
  const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
  const kind = kinds.get(type);
  if (!kind) throw new Error(`The plugin has no resource of type ${type}.`);
  return kind;
}

function refuseImport(): never {
  throw new UserGroupError(
    "argument-invalid",
    "UserGroups can't be imported or looked up. Declare it with its groups, and it adopts the existing ones.",
  );
}

const json = jsonText("isn't JSON").pipe(userGroupArguments.omit({ adopt: true, connection: true }));

/**
 * `acme=Acme`, split at the first `=`, or JSON of an object with userGroupId and name. `isLookup`: it is the ID of a lookup
 * without a name. Error: argument-invalid.
 */
function parseImportId(importId: string, isLookup: boolean): ImportTarget {
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
