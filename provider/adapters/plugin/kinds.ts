/** The two kinds of resources by their type in a URN, and the IDs with which they are imported. */
import { derivedEnd, groupArguments } from "../../core/arguments";
import { userGroupShape, userGroupsShape, type Shape } from "../../core/state/shapes";
import { errorOf, nameOf } from "../../errors";
import { message } from "../../messages/message";
import { hasProtoKey, jsonText } from "../../validation";
import type { JsonObject } from "../../values";

export interface ResourceKind {
  readonly shape: Shape;
  /** Returns the ID and the values of the group in an import ID. Error: argument-invalid. */
  readonly parseImportId: (importId: string, reading: Reading) => { id: string; state: JsonObject };
}

/** `isLookup`: without a name in the ID. `isKept`: the group enters a state. Otherwise it is only read or deleted, by `pulumi do`. */
export interface Reading {
  readonly isLookup: boolean;
  readonly isKept: boolean;
}

const userGroup: ResourceKind = { shape: userGroupShape, parseImportId };
const userGroups: ResourceKind = { shape: userGroupsShape, parseImportId: refuseImport };

/** A URN ends in `::<types of the parents>$<type>::<name>`. */
export function kindInUrn(urn: string): ResourceKind {
  const type = urn.split("::")[2]?.split("$").at(-1);
  if (type === "user-groups:index:UserGroup") return userGroup;
  if (type === "user-groups:index:UserGroups") return userGroups;
  throw new Error(`The plugin has no resource of type ${type}.`);
}

function refuseImport(): never {
  throw errorOf(message("import-of-many"));
}

const json = jsonText("isn't JSON").pipe(groupArguments);

/** `acme=Acme`, split at the first `=`, or JSON of an object. */
function parseImportId(importId: string, { isLookup, isKept }: Reading) {
  if (isLookup) throw errorOf(message("lookup-without-name", { group: nameOf({ userGroupId: importId }) }));
  const [, id = "", name = ""] = /^([^={][^=]*)=(.+)$/s.exec(importId) ?? [];
  if (hasProtoKey(importId)) throw errorOf(message("import-with-proto"));
  const { userGroupId, ...state } = json.safeParse(importId).data ?? { userGroupId: id, name };
  if (userGroupId === "")
    throw errorOf(
      message("import-without-name", {
        group: nameOf({ userGroupId: importId }),
        json: '{"userGroupId":"…","name":"…"}',
      }),
    );
  if (isKept && derivedEnd.test(userGroupId))
    throw errorOf(message("import-of-derived", { group: nameOf({ userGroupId }) }));
  return { id: userGroupId, state };
}
