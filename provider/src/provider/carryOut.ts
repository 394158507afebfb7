/** Carries the plan of a change out, and keeps the ledger true at each step. */
import type { Group, UserGroupsArguments } from "../schema";
import type { Service } from "./configuration";
import { eachGroup, type Failures } from "./eachGroup";
import { createGroup, deleteGroup, updateGroup, type HeldGroup } from "./group";
import type { Ledger } from "./ledger";
import { withNotices, type Notify } from "./notices";
import { planSteps, type Fate, type Step } from "./plan";

interface Change {
  readonly ledger: Ledger;
  readonly wanted: UserGroupsArguments;
  readonly service: Service;
  readonly notify: Notify;
}

/** Makes the groups of the ledger those that are wanted. What fails stays in the ledger as the service holds it. */
export async function carryOut(
  ledger: Ledger,
  wanted: UserGroupsArguments,
  service: Service,
): Promise<Failures> {
  const olds = Object.fromEntries(ledger.groups.map((group) => [group.userGroupId, group]));
  const { changes, maxConnections } = service.settings;
  const steps = planSteps(olds, wanted.groups, { changes, removed: wanted.removed });
  for (const step of steps.filter(({ fate }) => silentFates.has(fate))) note(step, ledger, wanted);
  const asking = steps.filter(({ fate }) => !silentFates.has(fate));
  return withNotices((notify) =>
    eachGroup(asking, maxConnections, (step) => take(step, { ledger, wanted, service, notify })),
  );
}

/** Those of the record only. */
const silentFates = new Set<Fate>(["keep", "record", "forget"]);

function note({ userGroupId, fate }: Step, ledger: Ledger, wanted: UserGroupsArguments): void {
  const old = ledger.group(userGroupId);
  if (fate === "forget") ledger.remove(userGroupId);
  else if (old)
    ledger.put({ ...wantedGroup(userGroupId, wanted), token: old.token }, ledger.isAdopted(userGroupId));
}

async function take({ userGroupId, fate, fields }: Step, change: Change): Promise<void> {
  const old = change.ledger.group(userGroupId);
  if (old && fate === "update") return update(old, fields, change);
  if (old) await remove(old, fate !== "delete", change);
  if (fate !== "delete") await create(userGroupId, change);
}

async function update(old: HeldGroup, fields: readonly string[], change: Change): Promise<void> {
  const { ledger, wanted, service, notify } = change;
  const group = wantedGroup(old.userGroupId, wanted);
  const updated = await updateGroup(service.client("update", old), group, fields, notify);
  ledger.put(updated.group, ledger.isAdopted(old.userGroupId) && !updated.isNew);
}

async function remove(old: HeldGroup, isCreatedAgain: boolean, change: Change): Promise<void> {
  const { ledger, service, notify } = change;
  await deleteGroup(service.client("delete", old), old, notify, isCreatedAgain);
  ledger.remove(old.userGroupId);
}

async function create(userGroupId: string, change: Change): Promise<void> {
  const { ledger, wanted, service, notify } = change;
  const client = service.client("create", { userGroupId });
  const asked = wantedGroup(userGroupId, wanted);
  const { group, adopted } = await createGroup(client, asked, wanted.adopt ?? true, notify);
  ledger.put(group, adopted);
}

function wantedGroup(userGroupId: string, { groups }: UserGroupsArguments): Group {
  const group = groups[userGroupId];
  if (!group) throw new Error(`The plan is about a user group that isn't wanted: "${userGroupId}".`);
  return { ...group, userGroupId };
}
