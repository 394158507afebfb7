/** The operations of the matrix: the initial state, the planned change, and the request that the fault is to hit. */
import type { EmulatorOptions, GroupValues } from "../../provider/src/testing";
import type { Aim, Persistence } from "../harness/context";
import type { ModelEngine } from "../model/engine";
import type { Declared } from "../model/resources";
import type { Conditions, Operation, Outcome } from "../model/run";

export interface OperationCase {
  readonly name: string;
  /** The program before. */
  readonly before: readonly Declared[];
  /** A group that somebody else has created. */
  readonly foreign?: GroupValues;
  /** The program with which all is well again after the fault. */
  readonly after: readonly Declared[];
  readonly act: (engine: ModelEngine, conditions: Conditions) => Promise<Outcome>;
  /** The operation that the fault hits, which of its requests, and the group. */
  readonly hits: Operation;
  readonly aim: Aim;
  readonly userGroupId: string;
  /** The method of that request. */
  readonly method: "GET" | "DELETE";
  /** Of so many faults it meets one: those that are like another operation needn't meet them all. */
  readonly sampling: Record<Persistence, number>;
  /** Whether the program says `adopt: false`. */
  readonly refusesAdoption: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly service: EmulatorOptions;
}

/** A service may trim this name. */
const acme = { name: " Acme ", mapping: { sales: "warehouse" }, properties: { seat: "front row" } };
const renamed = { ...acme, name: "Acme Ltd" };
const remapped = { ...acme, mapping: { sales: "warehouse", stock: 2 } };
const rotated = { ...acme, keepers: { rotation: "1" } };
/** All that the service shows of it is as the program says. */
const theirs = { userGroupId: "acme", name: acme.name, properties: acme.properties };
const others = { beta: { name: "Beta" }, gamma: { name: "Gamma", properties: { seat: "middle row" } } };

const none: readonly Declared[] = [];
const one = (args: object, userGroupId = "acme"): readonly Declared[] => [
  { name: "tenant", provider: "userGroup", args: { userGroupId, ...args } },
];
const many = (groups: object, args: object = {}): readonly Declared[] => [
  { name: "tenants", provider: "userGroups", args: { groups: { ...groups, ...others }, ...args } },
];
const withoutAdoption = { adopt: false };

export const operationsOfOne: readonly OperationCase[] = [
  up("create", none, one(acme), "create", "GET"),
  refusing(
    up("create with adopt false", none, one({ ...acme, ...withoutAdoption }), "create", "GET"),
    one(acme),
  ),
  refusing(
    up("create with adopt false, group exists", none, one({ ...acme, ...withoutAdoption }), "create", "GET"),
    none,
    theirs,
  ),
  refresh("read", one(acme)),
  inPlace(up("update", one(acme), one(renamed), "update", "GET")),
  sampled(inPlace(up("update of the mapping", one(acme), one(remapped), "update", "GET"))),
  up("replace: its deletion", one(acme), one(renamed), "delete", "DELETE"),
  up("replace: its creation", one(acme), one(renamed), "create", "GET"),
  sampled(inPlace(up("keepers: its creation", one(acme), one(rotated), "create", "GET"))),
  { ...up("new ID: its creation", one(acme), one(acme, "acme-2"), "create", "GET"), userGroupId: "acme-2" },
  up("new ID: its deletion", one(acme), one(acme, "acme-2"), "delete", "DELETE"),
  destroy("delete", one(acme)),
];

/** Always of one group among others. */
export const operationsOfMany: readonly OperationCase[] = [
  up("create", none, many({ acme }), "create", "GET"),
  refusing(
    up("create with adopt false", none, many({ acme }, withoutAdoption), "create", "GET"),
    many({ acme }),
  ),
  refusing(
    up("create with adopt false, group exists", none, many({ acme }, withoutAdoption), "create", "GET"),
    many({}),
    theirs,
  ),
  refresh("read", many({ acme })),
  inPlace(up("update", many({ acme }), many({ acme: renamed }), "update", "GET")),
  sampled(inPlace(up("update of the mapping", many({ acme }), many({ acme: remapped }), "update", "GET"))),
  up("replace: its deletion", many({ acme }), many({ acme: renamed }), "update", "DELETE"),
  { ...up("replace: its creation", many({ acme }), many({ acme: renamed }), "update", "GET"), aim: aimAt(1) },
  sampled(inPlace(up("keepers: its deletion", many({ acme }), many({ acme: rotated }), "update", "DELETE"))),
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
  return {
    name,
    before,
    after,
    act: (engine, conditions) => engine.up(after, conditions),
    hits,
    method,
    aim: aimAt(0),
    userGroupId: "acme",
    sampling: { once: 1, lasting: 1 },
    refusesAdoption: false,
    settings: {},
    service: {},
  };
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

function sampled(operation: OperationCase): OperationCase {
  return { ...operation, sampling: { once: 3, lasting: 3 } };
}

/** With `adopt: false`, a group that exists stays refused, whoever created it: another program is needed. */
function refusing(
  operation: OperationCase,
  after: readonly Declared[],
  foreign?: GroupValues,
): OperationCase {
  const aim = { ...operation.aim, userGroupId: operation.userGroupId };
  const sampling = { once: 1, lasting: 3 };
  return { ...operation, aim, after, sampling, refusesAdoption: true, ...(foreign && { foreign }) };
}

/** The group of the new ID counts as well. */
function aimAt(skip: number): Aim {
  return { skip };
}
