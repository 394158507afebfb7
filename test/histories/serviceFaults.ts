/** The faults of the service that a step can order. */
import type { FaultKind } from "../../provider/src/testing";
import { unusualValues } from "../faults/fields";
import type { Disturbance, Fault } from "./steps";

export const serviceFaults: Record<Fault, FaultKind> = {
  "500": { kind: "status", status: 500 },
  refused: { kind: "refuse" },
  "lost before": { kind: "loseAnswer", when: "before" },
  "lost after": { kind: "loseAnswer", when: "after" },
  "cut off": { kind: "cutOff" },
  "no token": { kind: "field", field: "user_group.token" },
  "another group's": { kind: "wrongGroup" },
  "empty name": { kind: "field", ...unusualValues["an empty name"] },
  "long name": { kind: "field", ...unusualValues["a name of 100,000 characters"] },
  "lone surrogate": { kind: "field", ...unusualValues["a lone surrogate in the name"] },
  "empty properties": { kind: "field", ...unusualValues["empty properties"] },
  "unusual properties": { kind: "field", ...unusualValues["unusual properties"] },
  "unknown field": { kind: "field", ...unusualValues["an unknown field"] },
  "no team": { kind: "field", field: "user_group.team_id" },
};

/** Faults after which a request is sent again. */
export const passingFaults: ReadonlySet<Fault> = new Set<Fault>([
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
export function isPassing(disturbance: Disturbance): boolean {
  if (disturbance.kind !== "fault") return disturbance.kind === "none";
  if (harmlessFaults.has(disturbance.fault)) return true;
  return disturbance.times !== "lasting" && passingFaults.has(disturbance.fault);
}
