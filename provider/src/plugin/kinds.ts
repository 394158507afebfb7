/** The two kinds of resources of the plugin. */
import type { Deployment, Lifecycle } from "../core/lifecycle";
import { userGroupLifecycle } from "../core/userGroup/lifecycle";
import { userGroupsLifecycle } from "../core/userGroups/lifecycle";
import { UserGroupError } from "../errors";
import { parseImportId, type ImportTarget } from "./importId";
import { previewUserGroup, previewUserGroups, type Preview } from "./preview";

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

function refuseImport(): never {
  throw new UserGroupError(
    "argument-invalid",
    "UserGroups can't be imported or looked up. Declare it with its groups, and it adopts the existing ones.",
  );
}

/** The kind of the resource with this URN, which ends in `::<types of the parents>$<type>::<name>`. */
export function kindOf(urn: string): Kind {
  const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
  const kind = kinds.get(type);
  if (!kind) throw new Error(`The plugin has no resource of type ${type}.`);
  return kind;
}
