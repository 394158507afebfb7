/** Carries the plan of a change out, and keeps the ledger true at each step. */
import type { Group, UserGroupsArguments } from "../schema";
import type { Service } from "./configuration";
import { eachGroup, type Failures } from "./eachGroup";
import { createGroup, deleteGroup, updateGroup } from "./group";
import type { Ledger } from "./ledger";
import { withNotices, type Notify } from "./notices";
import { planSteps, type Step } from "./plan";

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
  return withNotices((notify) =>
    eachGroup(steps, maxConnections, (step) => take(step, { ledger, wanted, service, notify })),
  );
}

async function take({ userGroupId, fate, fields }: Step, change: Change): Promise<void> {
  const { ledger, wanted, service, notify } = change;
  const old = ledger.group(userGroupId);
  const properties = wanted.groups[userGroupId];
  const isCreatedAgain = fate === "delete and create again with another token";
  if (old && (fate === "delete" || isCreatedAgain))
    await deleteGroup(service.client("delete", old), old, notify, isCreatedAgain);
  if (fate === "forget" || fate === "delete" || isCreatedAgain) ledger.remove(userGroupId);
  if (fate === "forget" || fate === "delete" || !properties) return;

  const group: Group = { ...properties, userGroupId };
  const adopted = ledger.isAdopted(userGroupId);
  if (old && fate === "update")
    ledger.put(await updateGroup(service.client("update", old), group, fields, notify), adopted);
  else if (old && !isCreatedAgain) ledger.put({ ...group, token: old.token }, adopted);
  else await create(group, change);
}

async function create(wantedGroup: Group, { ledger, wanted, service, notify }: Change): Promise<void> {
  const client = service.client("create", wantedGroup);
  const { group, adopted } = await createGroup(client, wantedGroup, wanted.adopt ?? true, notify);
  ledger.put(group, adopted);
}
