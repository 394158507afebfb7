/** What is done to one user group, whichever resource declares it. Nothing here is recorded by itself. */
import type { Client, GotOrCreated, ShownGroup } from "../client";
import { cannot, UserGroupError, type Subject } from "../errors";
import type { Group } from "../schema";
import { isEqual } from "./changes";
import { currentRun } from "./claims";
import type { Notify } from "./notices";

/** A group as the service holds it, as far as it shows it, with whatever else is recorded of it. */
export type HeldGroup<Recorded extends Group = Group> = Recorded & { readonly token: string };

export interface CreatedGroup<Recorded extends Group> {
  readonly group: HeldGroup<Recorded>;
  /** Whether the group was there before. */
  readonly adopted: boolean;
}

/** Creates the group, or takes over the one that is there. If this fails, nothing must be recorded. */
export async function createGroup<Wanted extends Group>(
  client: Client,
  group: Wanted,
  adopt: boolean,
  notify: Notify,
): Promise<CreatedGroup<Wanted>> {
  const got = await client.getOrCreate(group);
  const others = differences(group, got.group);
  const adopted = wasThereBefore(got, others);
  if (adopted && !adopt) throw adoptionRefused(client.subject);
  currentRun()?.noteCreated(client.address);
  if (!got.isNew) notify(adopted ? "adopted" : "perhaps created", client.subject);
  if (others.length > 0) notify(`${adopted ? "adopted" : "created"} with other values`, client.subject);
  return { group: held(group, got.group), adopted };
}

/** Reads by get-or-create, the service's only read: a group that was gone is there again. */
export async function readGroup<Recorded extends Group>(
  client: Client,
  recorded: Recorded,
  notify: Notify,
): Promise<{ group: HeldGroup<Recorded>; isNew: boolean }> {
  const { group, isNew } = await client.getOrCreate(recorded);
  if (isNew) notify("created again", client.subject);
  return { group: held(recorded, group), isNew };
}

/** Updates in place by get-or-create, for services known to do so. Fails if the answer shows that it didn't. */
export async function updateGroup<Wanted extends Group>(
  client: Client,
  group: Wanted,
  changes: readonly string[],
  notify: Notify,
): Promise<{ group: HeldGroup<Wanted>; isNew: boolean }> {
  const { group: shown, isNew } = await client.getOrCreate(group);
  const lost = differences(group, shown);
  if (lost.length > 0) throw updateNotApplied(client.subject, lost);
  if (isNew) notify("created again", client.subject);
  else if (changes.includes("mapping")) notify("mapping not confirmed", client.subject);
  return { group: held(group, shown), isNew };
}

/**
 * Deletes the group. A refusal may mean that it is gone already: by an earlier attempt whose answer was lost, or by
 * somebody else. Get-or-create tells: a group that it had to make was gone, and is deleted again. One that is there
 * stays, and the refusal is the error; but where the group is to be created again, it goes whatever token it has:
 * an earlier run that was killed may have done that already.
 */
export async function deleteGroup(
  client: Client,
  { token, ...group }: HeldGroup,
  notify: Notify,
  isCreatedAgain = currentRun()?.isRewritten(client.address) ?? false,
): Promise<void> {
  if (!isCreatedAgain && currentRun()?.isDeclaredElsewhere(client.address)) {
    notify("kept", client.subject);
    return;
  }
  try {
    await client.deleteGroup(group, token);
  } catch (error) {
    const found = mayBeGone(error) ? await client.getOrCreate(group).catch(() => undefined) : undefined;
    if (!found || !(found.isNew || isCreatedAgain)) throw error;
    await client.deleteGroup(group, found.group.token);
  }
}

/** What is recorded: the service's word where it gives one, ours where it gives none. */
function held<Recorded extends Group>(
  group: Recorded,
  { token, name, properties }: ShownGroup,
): HeldGroup<Recorded> {
  const shown =
    properties === undefined || isSameProperties(group.properties, properties) ? {} : { properties };
  return { ...group, name, ...shown, token };
}

/** The arguments that the service shows with another value. It never shows `mapping`. */
function differences(group: Group, shown: ShownGroup): string[] {
  const others = [];
  if (shown.name !== group.name) others.push("name");
  if (shown.properties !== undefined && !isSameProperties(group.properties, shown.properties))
    others.push("properties");
  return others;
}

/** An empty object is as good as none: the contract doesn't say how a group without properties is shown. */
function isSameProperties(one: Group["properties"], other: Group["properties"]): boolean {
  return isEqual(one ?? {}, other ?? {});
}

/** A group that this call may have made by an attempt whose answer was lost counts as made by it. */
function wasThereBefore({ isNew, answerLost }: GotOrCreated, others: readonly string[]): boolean {
  return !isNew && (!answerLost || others.length > 0);
}

function mayBeGone(error: unknown): boolean {
  return error instanceof UserGroupError && (error.code === "service-refused" || error.code === "not-found");
}

function adoptionRefused(subject: Subject): UserGroupError {
  return cannot(
    subject,
    "adoption-refused",
    "it is there already, and adopt is false",
    "Nothing was recorded. Set adopt to true to take it over, or choose another userGroupId.",
  );
}

function updateNotApplied(subject: Subject, lost: readonly string[]): UserGroupError {
  return cannot(
    subject,
    "update-not-applied",
    `the service still shows ${another(lost)}`,
    'The record is as it was. This service doesn\'t update: set user-groups:changes to "replace".',
  );
}

/** `another name and other properties` */
function another(fields: readonly string[]): string {
  return fields.map((field) => (field === "name" ? "another name" : `other ${field}`)).join(" and ");
}
