/** The two kinds of resources by their type in a URN, and the IDs with which they are imported. */
import { derivedEnd, groupArguments } from "../core/arguments";
import { userGroupShape, userGroupsShape, type Shape } from "../core/state/shapes";
import { nameOf, UserGroupError } from "../errors";
import { hasProtoKey, jsonText } from "../validation";
import type { JsonObject } from "../values";

export interface Kind {
  readonly shape: Shape;
  /** Returns the ID and the values of the group in an import ID. Error: argument-invalid. */
  readonly parseImportId: (importId: string, reading: Reading) => { id: string; state: JsonObject };
}

/** `isLookup`: without a name in the ID. `isKept`: the group enters a state. Otherwise it is only read or deleted, by `pulumi do`. */
export interface Reading {
  readonly isLookup: boolean;
  readonly isKept: boolean;
}

const userGroup: Kind = { shape: userGroupShape, parseImportId };
const userGroups: Kind = { shape: userGroupsShape, parseImportId: refuseImport };

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

const json = jsonText("isn't JSON").pipe(groupArguments);

/** `acme=Acme`, split at the first `=`, or JSON of an object. */
function parseImportId(importId: string, { isLookup, isKept }: Reading) {
  if (isLookup)
    throw invalid(
      `Cannot look up ${nameOf({ userGroupId: importId })}: its name is missing, or a preview doesn't know it yet. The ` +
        "service can't read a group without its name. Pass a name that the preview knows; without a program, use the ID " +
        "<userGroupId>=<name>, such as 'acme=Acme'.",
    );
  const [, id = "", name = ""] = /^([^={][^=]*)=(.+)$/s.exec(importId) ?? [];
  if (hasProtoKey(importId))
    throw invalid(
      "Cannot read the user group: mapping and properties of the ID can't have the key __proto__.",
    );
  const { userGroupId, ...state } = json.safeParse(importId).data ?? { userGroupId: id, name };
  if (userGroupId === "")
    throw invalid(
      `Cannot read ${nameOf({ userGroupId: importId })}: the ID must be <userGroupId>=<name>, such as 'acme=Acme', because the service ` +
        "can't read a group without " +
        'its name. JSON is possible as well: {"userGroupId":"…","name":"…"}, with mapping, properties and dataSourceProvidedId if you know them.',
    );
  if (isKept && derivedEnd.test(userGroupId))
    throw invalid(
      `Cannot import ${nameOf({ userGroupId })}: overlap gives such an ID to a group of another customer. Import that customer's group ` +
        "with npx --no pulumi-user-groups import-file.",
    );
  return { id: userGroupId, state };
}

function invalid(sentence: string): UserGroupError {
  return new UserGroupError("argument-invalid", sentence);
}
