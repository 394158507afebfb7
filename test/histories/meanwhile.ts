/** What somebody else does in the service of a history, without the stack. */
import type { ResourceState } from "../support/model/resources";
import type { History, Plan } from "./history";
import { claimsIn, isCurrent } from "./oracle/claims";
import { idsOf, valuesOf, victimOf } from "./program";
import type { Service } from "./service";

/** What happened before the step. */
export const meanwhiles = [
  "nothing",
  /** Somebody else deleted the group that the step is about. */
  "deleted",
  /** Somebody else deleted it and created it with another mapping; `otherwise`: also with another name and properties. */
  "recreated",
  "recreated otherwise",
  /** It has another token; or another name and properties. */
  "rotated",
  "changed",
  /** The same with its former groups (`overlap`). */
  "former deleted",
  "former recreated",
  /** Somebody else created the groups that the change is going to create, in the same two ways. */
  "existing",
  "existing otherwise",
  /** Somebody else had created all groups before the first `up`. */
  "adopted",
  /** The step runs with the API token of another account, which has the same IDs, or none. */
  "other account",
  "empty account",
] as const;

export type Meanwhile = (typeof meanwhiles)[number];

/** Before the first `up`. */
export function meddleFirst({ meanwhile, differs }: History, { former }: Plan, service: Service): void {
  if (meanwhile !== "adopted") return;
  for (const id of former.flatMap(idsOf)) service.create(id, foreignValues(meanwhile, differs));
}

/** Before the step. Returns the IDs, in the service, of the groups of the stack that have changed. */
export function meddle(
  { meanwhile, differs }: History,
  plan: Plan,
  states: readonly ResourceState[],
  service: Service,
): readonly string[] {
  const values = foreignValues(meanwhile, differs);
  const claims = states.flatMap(claimsIn);
  const former = plan.former.flatMap(idsOf);
  const added = plan.changed.flatMap(idsOf).filter((id) => !former.includes(id));
  if (meanwhile.startsWith("existing")) for (const id of added) service.create(id, values);
  if (meanwhile === "other account")
    for (const id of [...added, ...claims.map(({ providedId }) => providedId)])
      service.create(id, values, service.other);

  if (!/deleted|recreated|rotated|changed/.test(meanwhile)) return [];
  const victim = victimOf(plan);
  const isFormer = meanwhile.startsWith("former");
  const own = claims.filter((claim) => claim.userGroupId === victim && isCurrent(claim) !== isFormer);
  const ids = own.map(({ providedId }) => providedId);
  for (const id of ids) {
    if (meanwhile.endsWith("deleted")) service.delete(id);
    else if (meanwhile === "rotated") service.rotate(id);
    else if (meanwhile === "changed") service.change(id, values);
    else service.create(id, values);
  }
  return ids;
}

export const foreignTexts = ["somebody's name", "somebody's mapping", "somebody's properties"] as const;

/** Only the mapping is another one, so that nothing shows the difference; or everything. */
function foreignValues(meanwhile: Meanwhile, differs: History["differs"]) {
  const [name, mapping, properties] = foreignTexts;
  const isOther = meanwhile.endsWith("otherwise") || meanwhile === "changed";
  const own = valuesOf("A1", differs);
  if (!isOther) return { ...own, mapping: { sales: mapping } };
  return { name, mapping: { sales: mapping }, properties: { tier: properties } };
}
