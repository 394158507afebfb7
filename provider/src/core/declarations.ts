/** Compares the declarations of a program with each other, for `check`. */
import { namesOf, UserGroupError } from "../errors";
import type { PartialSettings } from "../settings/readSettings";
import type { ValidationIssue } from "../validation";
import type { JsonObject } from "../values";
import type { GroupKey, KeyedGroups } from "./deploymentTracker";
import type { Dependencies } from "./lifecycle";
import { keyOf } from "./services";

type NamedGroups = readonly (readonly [userGroupId: string, values: JsonObject])[];

export interface DeclaredGroups {
  /** Identifies the resource of the program. */
  readonly resource: string | undefined;
  readonly groups: NamedGroups;
  /** The groups in the recorded inputs; none for a new resource. */
  readonly recorded: NamedGroups;
}

interface Context extends Pick<Dependencies, "tracker" | "logger"> {
  readonly settings: PartialSettings;
  readonly connection: string | undefined;
}

/** Passes a declaration to the tracker. Returns an issue for groups that another resource declares, and logs warnings. */
export function declarationIssues(
  { resource, groups, recorded }: DeclaredGroups,
  { tracker, logger, settings, connection }: Context,
): ValidationIssue[] {
  const ids = new Map<GroupKey, string>();
  const keyed = (named: NamedGroups): KeyedGroups =>
    new Map(
      named.map(([userGroupId, values]) => {
        const key = keyOf(settings, connection, userGroupId);
        ids.set(key, userGroupId);
        return [key, values];
      }),
    );
  const findings = tracker.declare({
    resource,
    groups: keyed(groups),
    recorded: recorded.length > 0 ? keyed(recorded) : undefined,
  });
  const namesFor = (keys: readonly GroupKey[]) =>
    namesOf(keys.map((key) => ({ userGroupId: ids.get(key) ?? "", connection })));
  const { deletedEarlier, movedWithChanges, declaredTwice, lost } = findings;
  if (deletedEarlier.length > 0)
    logger.warn(deletedEarlierSentence(namesFor(deletedEarlier), deletedEarlier.length > 1));
  if (movedWithChanges.length > 0)
    logger.warn(movedSentence(namesFor(movedWithChanges), movedWithChanges.length > 1));
  return [
    ...(declaredTwice.length > 0 ? [declaredTwiceIssue(namesFor(declaredTwice))] : []),
    ...(lost.length > 0 ? [lostIssue(namesFor(lost))] : []),
  ];
}

function declaredTwiceIssue(names: string): ValidationIssue {
  const sentence =
    `Another resource of this program also declares ${names}, at the same address. Both resources would have the same ` +
    "token, and one mapping would be wrong. Declare the group once, and read it elsewhere by UserGroup.get.";
  return { path: "", reason: new UserGroupError("declared-twice", sentence).message };
}

/** After an update that failed during a move, both resources have the group. */
function lostIssue(names: string): ValidationIssue {
  const sentence =
    `Another resource of this program deletes ${names} in the same update, but this resource would keep the former token. ` +
    "Both have the same group since an update that failed, perhaps with different mappings. Let the other resource depend on " +
    "this one (option " +
    'dependsOn), or set its removed to "retain". If a group is already deleted, run pulumi refresh, which creates it again.';
  return { path: "", reason: new UserGroupError("mapping-conflict", sentence).message };
}

/** An update of a `UserGroups` deletes removed groups at once. The engine deletes removed resources at the end. */
function deletedEarlierSentence(names: string, isPlural: boolean): string {
  const [them, result, tokens] = isPlural
    ? ["them", "They get new tokens", "the tokens"]
    : ["it", "It gets a new token", "the token"];
  return (
    `Another resource of this program deletes ${names} in the same update, before this resource can adopt ${them}. ` +
    `${result}. To keep ${tokens}, let the other resource depend on this one (option dependsOn), or set its removed ` +
    'to "retain".'
  );
}

function movedSentence(names: string, isPlural: boolean): string {
  const [move, result] = isPlural
    ? ["move", "The groups are deleted and created again with new tokens"]
    : ["moves", "The group is deleted and created again with a new token"];
  return (
    `${names} ${move} to another resource of this program, with a different name, mapping or properties. ${result}. If ` +
    "the engine creates the new resource first, the deletion from the former one can fail instead (mapping-conflict)."
  );
}
