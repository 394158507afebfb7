/** Invariant 6: with `overlap`, the tokens that applications have belong to groups. */
import type { Declared } from "../../model/resources";
import { idsOf } from "../program";
import type { Service } from "../service";
import { claimsIn, isCurrent, type Claim } from "./claims";
import { breaks, isSuccess, type Step } from "./step";

const hour = 3_600_000;

/** 6. Of a customer with `overlap`, an `up` deletes neither the current group nor a former one within its time. */
export function checkOverlap(step: Step, service: Service): void {
  if (step.command !== "up") return;
  for (const declared of step.program) {
    const hours = overlapHoursOf(declared);
    if (hours === undefined) continue;
    const own = step.before
      .filter((each) => [declared.name, ...(declared.aliases ?? [])].includes(each.name))
      .filter(({ status }) => status === "live")
      .flatMap(claimsIn);
    const isOver = ({ formerSince }: Claim) =>
      formerSince !== undefined && formerSince + hours * hour <= step.time;
    const isReplaced = step.outcome.changes[declared.name] === "replace";
    const valid = idsOf(declared).flatMap((userGroupId) => {
      const isOf = (claim: Claim) => claim.userGroupId === userGroupId;
      const claims = own.filter(isOf);
      const isValid = (claim: Claim) => isCurrent(claim) || !isOver(claim);
      // Until this resource has a group of the customer, applications have the tokens of the one that had it.
      // A replacement ends the time of former groups.
      if (claims.length === 0)
        return step.before.flatMap((each) => {
          const isWaiting = (claim: Claim) => isCurrent(claim) || (isValid(claim) && each.status === "live");
          return claimsIn(each).filter(isOf).filter(isWaiting);
        });
      return claims.filter((claim) => isCurrent(claim) || (isValid(claim) && !isReplaced));
    });
    checkValid(valid, step, service);
    if (isSuccess(step)) checkOver(own.filter(isOver), step);
  }
}

function checkValid(valid: readonly Claim[], { requests }: Step, service: Service): void {
  const instances = valid.flatMap(({ providedId, token }) => service.instancesOf(providedId, token));
  const lost = requests.find(
    ({ entry, instance }) => entry.effect === "deleted" && instance && instances.includes(instance),
  );
  if (lost) breaks(6, `"${lost.userGroupId}" was deleted while applications have its token`);
}

function checkOver(over: readonly Claim[], { after }: Step): void {
  const formers = after.flatMap(claimsIn).filter((claim) => !isCurrent(claim));
  const kept = over.find(({ token }) => formers.some((claim) => claim.token === token));
  if (kept) breaks(6, `up kept the former group "${kept.providedId}", whose time is over`);
}

function overlapHoursOf({ args }: Declared): number | undefined {
  return "overlapHours" in args ? Number(args.overlapHours) : undefined;
}

/** A refresh asks for no former group. */
export function checkRefresh({ command, requests, before }: Step): void {
  if (command !== "refresh") return;
  const claims = before.flatMap(claimsIn);
  const lookups = before.filter(({ isExternal }) => isExternal).map(({ id }) => id);
  const current = new Set([...claims.filter(isCurrent).map(({ providedId }) => providedId), ...lookups]);
  const asked = claims.find(
    ({ providedId }) => !current.has(providedId) && requests.some((each) => each.userGroupId === providedId),
  );
  if (asked) breaks(6, `a refresh asked for the former group "${asked.providedId}"`);
}
