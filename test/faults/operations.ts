/** The operations of the matrix: what there was, what is done, and which part of that the fault is to hit. */
import type { EmulatorOptions } from "../../provider/src/testing";
import type { ModelEngine } from "./model/engine";
import type { Declared } from "./model/records";
import type { Conditions, Operation, Outcome } from "./model/run";
import type { Aim } from "./place";

export interface OperationCase {
  readonly name: string;
  /** What was there. */
  readonly before: readonly Declared[];
  /** What the program says now. */
  readonly after: readonly Declared[];
  readonly act: (engine: ModelEngine, conditions: Conditions) => Promise<Outcome>;
  /** The operation that the fault hits, and which of its requests. */
  readonly hits: Operation;
  readonly aim: Aim;
  /** The method of that request. */
  readonly method: "GET" | "DELETE";
  readonly settings: Readonly<Record<string, string>>;
  readonly service: EmulatorOptions;
}

const acme = { name: "Acme", mapping: { sales: "warehouse" }, properties: { seat: "front row" } };
const renamed = { ...acme, name: "Acme Ltd" };
const others = { beta: { name: "Beta" }, gamma: { name: "Gamma", properties: { seat: "middle row" } } };

const none: readonly Declared[] = [];
const one = (args: object, userGroupId = "acme"): readonly Declared[] => [
  { name: "tenant", provider: "userGroup", args: { userGroupId, ...args } },
];
const many = (groups: object): readonly Declared[] => [
  { name: "tenants", provider: "userGroups", args: { groups: { ...groups, ...others } } },
];

export const operationsOfOne: readonly OperationCase[] = [
  up("create", none, one(acme), "create", "GET"),
  refresh("read", one(acme)),
  inPlace(up("update", one(acme), one(renamed), "update", "GET")),
  up("replace: its deletion", one(acme), one(renamed), "delete", "DELETE"),
  up("replace: its creation", one(acme), one(renamed), "create", "GET"),
  up("new ID: its creation", one(acme), one(acme, "acme-2"), "create", "GET"),
  up("new ID: its deletion", one(acme), one(acme, "acme-2"), "delete", "DELETE"),
  destroy("delete", one(acme)),
];

/** Always of one group among others. */
export const operationsOfMany: readonly OperationCase[] = [
  up("create", none, many({ acme }), "create", "GET"),
  refresh("read", many({ acme })),
  inPlace(up("update", many({ acme }), many({ acme: renamed }), "update", "GET")),
  up("rewrite: its deletion", many({ acme }), many({ acme: renamed }), "update", "DELETE"),
  { ...up("rewrite: its creation", many({ acme }), many({ acme: renamed }), "update", "GET"), aim: aimAt(1) },
  up("removal", many({ acme }), many({}), "update", "DELETE"),
  destroy("delete", many({ acme })),
];

function up(
  name: string,
  before: readonly Declared[],
  after: readonly Declared[],
  hits: Operation,
  method: OperationCase["method"],
): OperationCase {
  const act = (engine: ModelEngine, conditions: Conditions) => engine.up(after, conditions);
  return { name, before, after, act, hits, method, aim: aimAt(0), settings: {}, service: {} };
}

function refresh(name: string, program: readonly Declared[]): OperationCase {
  return {
    ...up(name, program, program, "read", "GET"),
    act: (engine, conditions) => engine.refresh(conditions),
  };
}

function destroy(name: string, before: readonly Declared[]): OperationCase {
  return {
    ...up(name, before, none, "delete", "DELETE"),
    act: (engine, conditions) => engine.destroy(conditions),
  };
}

function inPlace(operation: OperationCase): OperationCase {
  return { ...operation, settings: { changes: "update" }, service: { existing: "update" } };
}

/** The group of the new ID counts as well. */
function aimAt(skip: number): Aim {
  return { skip };
}
