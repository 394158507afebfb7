/** Invariant 6: with `overlap`, the tokens that applications have belong to groups. */
import { z } from "zod";
import type { Declared } from "../../support/model/resources";
import { idsOf } from "../program";
import type { Service } from "../service";
import { claimsIn, isCurrent, isOver, type Claim } from "./claims";
import { breaks, isSuccess, type Step } from "./step";

/** 6. Of a customer whom the program declares, an `up` deletes neither the current group nor a former one within its time. */
export function checkOverlap(step: Step, service: Service): void {
  if (step.command !== "up") return;
  for (const declared of step.program) {
    const isEnded = endsFormer(declared);
    const own = step.before
      .filter(({ status }) => status === "live")
      .filter(({ name }) => [declared.name, ...(declared.aliases ?? [])].includes(name))
      .flatMap(claimsIn);
    const valid = idsOf(declared).flatMap((userGroupId) => {
      const claims = step.before.flatMap(claimsIn).filter((claim) => claim.userGroupId === userGroupId);
      const formers = claims.filter(
        (claim) => !isCurrent(claim) && !isOver(claim, { time: step.time, isEnded }),
      );
      return [...formers, ...currentOf(claims, own)];
    });
    checkValid(valid, step, service);
    const over = own.filter((claim) => isOver(claim, { time: step.time, isEnded }));
    if (isSuccess(step)) checkOver(over, step);
  }
}

/** Until the resource has a group of the customer, applications have the tokens of those that had it. */
function currentOf(claims: readonly Claim[], own: readonly Claim[]): readonly Claim[] {
  const current = claims.filter(({ resource }) => overlaps(resource.outputs)).filter(isCurrent);
  const ofOwn = current.filter((claim) => own.some((each) => isCurrent(each) && each.token === claim.token));
  const hasOwn = own.some(({ userGroupId }) => userGroupId === claims[0]?.userGroupId);
  return hasOwn ? ofOwn : current;
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
  const isKept = ({ token, providedId }: Claim) =>
    formers.some((claim) => claim.token === token && claim.providedId === providedId);
  const kept = over.find(isKept);
  if (kept) breaks(6, `up kept the former group "${kept.providedId}", whose time is over`);
}

function overlaps(properties: object): boolean {
  return "overlap" in properties && properties.overlap === true;
}

/** Whether the program ends former groups before their time. */
function endsFormer({ args }: Declared): boolean {
  const { overlap, overlapHours } = hoursSchema.parse(args);
  return overlap === false || overlapHours === 0;
}

const hoursSchema = z.object({ overlap: z.boolean().optional(), overlapHours: z.number().optional() });

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
