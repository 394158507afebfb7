/** Runs the engine in a history: the model of it, or the real one. */
import assert from "node:assert/strict";
import type { Account, Emulator, StoredGroup } from "../../provider/src/testing";
import type { Context } from "../harness/context";
import type { ModelEngine } from "../model/engine";
import { groupsIn, groupsOf } from "../model/groups";
import type { Declared, ResourceState } from "../model/resources";
import type { Conditions, Kill, Outcome } from "../model/run";
import type { Disturbance, EngineStep } from "./steps";

/** The outcome of a run of the engine. */
export interface Result {
  /** What it printed of each failure. */
  readonly errors: readonly string[];
  readonly wasKilled: boolean;
}

export type Settings = Readonly<Record<string, string>>;

export interface Driver {
  /** The resources in the state. */
  resources(): Promise<readonly ResourceState[]>;
  /** `pulumi state taint` */
  taint(name: string): Promise<void>;
  /** `settings` are all settings, without `user-groups:`. */
  run(step: EngineStep, program: readonly Declared[], settings: Settings): Promise<Result>;
}

/** In another account, with the ID of a group of the other resources. */
export const apart: Declared = {
  name: "apart",
  provider: "userGroup",
  args: {
    ...{ userGroupId: "a", name: "Apart", mapping: { sales: "warehouse", stock: 3 } },
    ...{ dataSourceProvidedId: "warehouse", connection: "apart" },
  },
};

/** The requests to the account of the other resources. */
export function requestsTo({ requests }: Emulator) {
  return requests.filter(({ account }) => account !== 1);
}

/** Kills by throwing the result away, after a request from which on the service knows the provider no more. */
export class ModelDriver implements Driver {
  readonly #engine: ModelEngine;

  /** `isPlugin`: the providers run in a process, and have no argument `connection`. */
  constructor(
    private readonly context: Context,
    private readonly isPlugin = false,
  ) {
    this.#engine = context.engine;
  }

  resources(): Promise<readonly ResourceState[]> {
    return Promise.resolve(this.#engine.resources.filter(({ name }) => name !== apart.name));
  }

  /** The other account has the group of its resource, and no other. */
  checkApart({ groups }: Account): void {
    const resources = this.#engine.resources.filter(({ name }) => name === apart.name);
    const [one, ...others] = groupsIn(resources).map(({ token, mapping }) => ({ token, mapping }));
    const { token, mapping } = groups.get("a") ?? {};
    assert.deepEqual([one, others.length, groups.size], [{ token, mapping }, 0, 1], "the other account");
  }

  taint(name: string): Promise<void> {
    this.#engine.taint(name);
    return Promise.resolve();
  }

  async run(step: EngineStep, declared: readonly Declared[], settings: Settings): Promise<Result> {
    const program = this.isPlugin ? declared.map(withoutConnection) : declared;
    const { emulator, clock } = this.context;
    const { apiToken } = emulator;
    this.context.configure(settings);
    clock.pauses.length = 0;
    const { disturbance } = step;
    const kill = disturbance.kind === "kill" ? this.#plan(disturbance) : undefined;
    const { failures, wasKilled } = await this.#start(step, program, kill ? { kill } : {});
    this.context.onRequest = () => undefined;
    emulator.rotateApiToken(apiToken);
    return {
      errors: failures.map(({ message }) => message),
      wasKilled,
    };
  }

  #plan({ after, loses }: Extract<Disturbance, { kind: "kill" }>): Kill {
    const kill: Kill = { hasHappened: false, loses };
    let requests = 0;
    this.context.onRequest = () => {
      if (++requests !== after) return;
      kill.hasHappened = true;
      this.context.emulator.rotateApiToken();
    };
    return kill;
  }

  #start(step: EngineStep, program: readonly Declared[], conditions: Conditions): Promise<Outcome> {
    if (step.do === "refresh") return this.#engine.refresh(conditions);
    if (step.do === "destroy")
      return this.#engine.destroy({ ...conditions, isRefreshing: step.isRefreshing });
    const { continuesOnError, isParallel, replaces } = step;
    return this.#engine.up(program, {
      ...conditions,
      continuesOnError,
      isParallel,
      replaces: replaces === "none" ? [] : [replaces],
    });
  }
}

function withoutConnection({ args, ...declared }: Declared): Declared {
  return { ...declared, args: { ...args, connection: undefined } };
}

/** What there was before a run. */
export interface Before {
  readonly groups: ReadonlyMap<string, StoredGroup>;
  readonly resources: readonly ResourceState[];
}

/** A run of the engine and what came of it. */
export interface Run {
  readonly step: EngineStep;
  readonly before: Before;
  readonly after: readonly ResourceState[];
  readonly result: Result;
}

/** Whether the engine replaces the resource without asking the product. */
export function isTargeted(step: EngineStep, { name, isTainted }: ResourceState): boolean {
  return isTainted || (step.do === "up" && step.replaces === name);
}

/** IDs of the groups that resources hold, lookups included. */
export function idsIn(resources: readonly ResourceState[]): Set<string> {
  const external = resources.filter(({ isExternal }) => isExternal);
  return new Set(
    [...groupsIn(resources), ...external.flatMap(groupsOf)].map(({ userGroupId }) => userGroupId),
  );
}

/** Whether the resource has the group in the service. */
export function holds(resource: ResourceState, userGroupId: string): boolean {
  return (
    resource.status !== "pending replacement" &&
    groupsOf(resource).some((group) => group.userGroupId === userGroupId)
  );
}
