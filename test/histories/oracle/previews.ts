/** Invariant 4: a preview says what an `up` does, or the `up` fails; and what happens in another account isn't silent. */
import { urnOf, type Declared } from "../../support/model/resources";
import type { Change } from "../../support/model/run";
import { idsOf } from "../program";
import type { Service } from "../service";
import { claimsIn, isCurrent } from "./claims";
import { hasToken } from "./deletions";
import { breaks, isSuccess, messagesOf, namedIn, type Preview, type Step } from "./step";

export function checkPreview(step: Step, service: Service): void {
  const { preview, pauses } = step;
  if (!preview) return;
  if (preview.requests > 0) breaks(4, "the preview sent requests");
  const hasFailed = preview.outcome.failures.length > 0;
  // With --skip-preview, a program that pauses may declare a group after it has left a UserGroups.
  if (hasFailed && isSuccess(step) && !pauses)
    breaks(4, "the preview failed, and up with --skip-preview didn't");
  if (hasFailed ? !pauses : isSuccess(step)) checkTokens(step, preview, service);
  if (!hasFailed && isSuccess(step)) checkChanges(step, preview);
}

/** Each resource is changed as the preview said. */
function checkChanges({ outcome }: Step, { outcome: { changes, unknown } }: Preview): void {
  for (const [name, change] of Object.entries(outcome.changes))
    if (!unknown.has(name) && !isAsSaid(changes[name], change))
      breaks(4, `the preview said ${changes[name]} of ${name}; up did ${change}`);
}

function isAsSaid(said: Change | undefined, done: Change): boolean {
  return said === done || (said === undefined && done === "delete");
}

/**
 * The preview names each customer of whom a group is deleted. It says that a customer whom the program declares gets a new token, as a
 * replacement of the `UserGroup` does, too.
 */
function checkTokens(step: Step, preview: Preview, service: Service): void {
  const { program, before, living, replaced } = step;
  const { changes, unknown } = preview.outcome;
  const declared = new Map(program.flatMap((each) => idsOf(each).map((id) => [id, each] as const)));
  // A list names the first few.
  const isUnknown = preview.printed.some(
    (line) => (unknown.size > 0 && /possibly|known/.test(line)) || / and \d+ more/.test(line),
  );
  const named = new Set(preview.printed.flatMap(namedIn));
  const renewed = new Set(preview.printed.filter((line) => line.includes("new token")).flatMap(namedIn));
  for (const { resource, userGroupId, providedId, token, until } of before.flatMap(claimsIn)) {
    const instance = service.instancesOf(providedId, token).find((each) => living.has(each));
    if (!instance || instance.isAlive || isUnknown) continue;
    const owner = declared.get(userGroupId);
    const { name } = program.find(({ aliases = [] }) => aliases.includes(resource.name)) ?? resource;
    const isReplaced = [name, owner?.name ?? ""].some(
      (each) => changes[each] === "replace" || replaced.includes(each),
    );
    // The engine itself shows the resources that it deletes.
    const isSaid = changes[name] === "delete" || resource.status !== "live" || isReplaced;
    const hasOther = before.some(
      (other) =>
        other.name === owner?.name &&
        claimsIn(other).some((claim) => claim.userGroupId === userGroupId && claim.token !== token),
    );
    const isStaying = owner !== undefined && !hasOther && until === undefined && resource.status === "live";
    const isRenewed = renewed.has(userGroupId) || (resource.provider === "userGroup" && isReplaced);
    if (isStaying ? isRenewed : isSaid || named.has(userGroupId)) continue;
    const what = isStaying ? "gets a new token" : "is deleted";
    breaks(4, `the preview didn't say that "${userGroupId}" of ${resource.name} ${what}`);
  }
}

/** An `up` that succeeded has what its program declares. */
export function checkDone({ program, after }: Step): void {
  for (const declared of program.filter(({ isLookup }) => !isLookup)) {
    const state = after.find((each) => urnOf(each) === urnOf(declared) && each.status === "live");
    const ids = state
      ? claimsIn(state)
          .filter(isCurrent)
          .map(({ userGroupId }) => userGroupId)
      : [];
    const missing = idsOf(declared).find((id) => !ids.includes(id));
    if (missing !== undefined) breaks(4, `up succeeded, but ${declared.name} has no group "${missing}"`);
  }
}

/**
 * With the API token of another account, a command that sends requests fails or warns. Only a resource that is declared before all whose
 * states the engine shows may get a group there, and a message names it.
 */
export function checkElsewhere(step: Step, service: Service): void {
  const { isElsewhere, requests, printed, program, before, after, replaced, outcome } = step;
  if (!isElsewhere) return;
  const names = program.map(({ name }) => name);
  const isShown = ({ name, aliases = [] }: Declared) =>
    !replaced.includes(name) &&
    name in outcome.changes &&
    before.some((each) => [name, ...aliases].includes(each.name));
  const first = program.findIndex(isShown);
  if (first < 0 && !outcome.steps.some((each) => each.startsWith("delete "))) return;
  if (requests.length > 0 && isSuccess(step) && !printed.some((line) => line.startsWith("warning:")))
    breaks(4, `${step.title} sent requests to another account without a word`);
  const unchecked = first < 0 ? names : names.slice(0, first);
  const messages = messagesOf(step).join("\n");
  for (const instance of service.instances.filter(({ account }) => account === service.other)) {
    const { userGroupId, isByOthers, isAlive } = instance;
    // A lookup has no group.
    const resources = after.filter(({ isExternal }) => !isExternal);
    const holders = resources.filter((each) => hasToken([each], instance)).map(({ name }) => name);
    if (holders.length === 0 && (isByOthers || !isAlive)) continue;
    if (!namedIn(messages).includes(userGroupId.replace(/~.*/, "")))
      breaks(4, `nothing names "${userGroupId}" in another account`);
    const holder = holders.find((name) => !unchecked.includes(name));
    if (holder !== undefined)
      breaks(4, `${holder} got "${userGroupId}" in another account, after a state was shown`);
  }
}

/** A lost state: the same program finds the same groups again. */
export function checkFoundAgain({ findsAgain, requests }: Step): void {
  const created = requests.find(({ entry }) => entry.effect === "created");
  if (findsAgain && created)
    breaks(6, `after the loss of the state, "${created.userGroupId}" was created again`);
}
