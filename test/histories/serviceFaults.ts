/** The faults of the service that a step can order. */
import type { Emulator, FaultKind } from "../../provider/src/testing";
import { unusualValues } from "../faults/fields";
import type { Disturbance, Fault } from "./steps";
import { changedField, cutOff, otherGroup } from "../harness/responseFaults";

export const serviceFaults = (emulator: Emulator): Record<Fault, FaultKind> => ({
  "500": { kind: "status", status: 500 },
  refused: { kind: "refuse" },
  "lost before": { kind: "drop", when: "before" },
  "lost after": { kind: "drop", when: "after" },
  "cut off": cutOff(),
  "no token": changedField("user_group.token"),
  "another group's": otherGroup(emulator),
  "empty name": unusual("an empty name"),
  "long name": unusual("a name of 100,000 characters"),
  "lone surrogate": unusual("a lone surrogate in the name"),
  "empty properties": unusual("empty properties"),
  "unusual properties": unusual("unusual properties"),
  "unknown field": unusual("an unknown field"),
  "no team": changedField("user_group.team_id"),
});

function unusual(name: keyof typeof unusualValues): FaultKind {
  const { field, value } = unusualValues[name];
  return changedField(field, value);
}

/** Faults after which a request is sent again. */
export const retryableFaults: ReadonlySet<Fault> = new Set<Fault>([
  "500",
  "lost before",
  "lost after",
  "cut off",
]);

/** Faults after which the operation succeeds all the same. */
const harmlessFaults: ReadonlySet<Fault> = new Set<Fault>([
  "empty name",
  "long name",
  "empty properties",
  "unusual properties",
  "unknown field",
  "no team",
]);

/** Whether the disturbance stops nothing. */
export function stopsNothing(disturbance: Disturbance): boolean {
  if (disturbance.kind !== "fault") return disturbance.kind === "none";
  if (harmlessFaults.has(disturbance.fault)) return true;
  return disturbance.times !== "lasting" && retryableFaults.has(disturbance.fault);
}
