import { userGroupArguments } from "../core/arguments";
import type { Deployment, Lifecycle } from "../core/lifecycle";
import { userGroupLifecycle } from "../core/userGroup/lifecycle";
import { userGroupsLifecycle } from "../core/userGroups/lifecycle";
import { nameOf, UserGroupError } from "../errors";
import { jsonText } from "../validation";
import type { JsonObject } from "../values";
import { previewUserGroup, previewUserGroups, type Preview } from "./preview";

export interface Kind {
  readonly lifecycleOf: (deployment: Deployment) => Lifecycle;
  readonly preview: Preview;
  /** Returns the ID and the values of the group in an import ID. Error: argument-invalid. */
  readonly parseImportId: (importId: string, isLookup: boolean) => { id: string; state: JsonObject };
}

const userGroup = { lifecycleOf: userGroupLifecycle, preview: previewUserGroup, parseImportId };
const userGroups = {
  lifecycleOf: userGroupsLifecycle,
  preview: previewUserGroups,
  parseImportId: refuseImport,
};

/** A URN ends in `::<types of the parents>$<type>::<name>`. */
export function kindOf(urn: string): Kind {
  const type = urn.split("::")[2]?.split("$").at(-1);
  if (type === "user-groups:index:UserGroup") return userGroup;
  if (type === "user-groups:index:UserGroups") return userGroups;
  throw new Error(`The plugin has no resource of type ${type}.`);
}

function refuseImport(): never {
  const reason = "UserGroups can't be imported or looked up.";
  throw invalid(`${reason} Declare it with its groups, and it adopts the existing ones.`);
}

const json = jsonText("isn't JSON").pipe(userGroupArguments.omit({ adopt: true, connection: true }));

/** `acme=Acme`, split at the first `=`, or JSON of an object. `isLookup`: it is the ID of a lookup without a name. */
function parseImportId(importId: string, isLookup: boolean) {
  if (isLookup)
    throw invalid(
      `Cannot look up ${nameOf({ userGroupId: importId })}: its name is missing, or a preview doesn't know it yet. The ` +
        "service can't read a group without its name. Pass a name that the preview knows.",
    );
  const [, id = "", name = ""] = /^([^={][^=]*)=(.+)$/s.exec(importId) ?? [];
  const { userGroupId, ...state } = json.safeParse(importId).data ?? { userGroupId: id, name };
  if (userGroupId === "")
    throw invalid(
      "The import ID must be <userGroupId>=<name>, such as 'acme=Acme', because the service can't read a group without " +
        'its name. JSON is possible as well: {"userGroupId":"…","name":"…"}, with mapping, properties and dataSourceProvidedId if you know them.',
    );
  return { id: userGroupId, state };
}

function invalid(sentence: string): UserGroupError {
  return new UserGroupError("argument-invalid", sentence);
}
