/** A history while it happens: program, somebody else, service and engine, and the laws that hold after each step. */
import type { Emulator, FaultKind } from "../../provider/src/testing";
import { groupsIn } from "../faults/model/held";
import type { Recorded } from "../faults/model/records";
import type { Tokens } from "../faults/model/tokens";
import type { Choices } from "./choices";
import type { Driver, EngineStep, Result } from "./driver";
import { checkAfterRun, checkAlways, type Scope } from "./laws";
import { Program } from "./program";
import type { Disturbance, Step } from "./steps";

export type Figures = ReturnType<typeof newFigures>;

export function newFigures(): Record<
  "steps" | "runs" | "operations" | "requests" | "faults" | "kills",
  number
> {
  return { steps: 0, runs: 0, operations: 0, requests: 0, faults: 0, kills: 0 };
}

export class World implements Scope {
  readonly program: Program;
  /** Groups that somebody else made and no record holds. */
  readonly foreign = new Set<string>();
  /** Groups that a creation may have made which couldn't be recorded, as its error said, or since it was killed. */
  readonly loose = new Set<string>();
  /** Groups of which somebody else may have set values that the service doesn't show. */
  readonly touched = new Set<string>();
  readonly taken: Step[] = [];

  constructor(
    readonly choices: Choices,
    readonly emulator: Emulator,
    readonly tokens: Tokens,
    readonly driver: Driver,
    readonly figures: Figures,
  ) {
    this.program = new Program(choices.deleteNeeds === "all");
  }

  async take(step: Step): Promise<void> {
    this.figures.steps += 1;
    this.taken.push(step);
    if ("disturbance" in step) await this.#run(step);
    else if (!this.program.take(step)) await this.#meddle(step);
    await checkAlways(this);
  }

  /** What somebody else does to a group. */
  async #meddle(step: Step): Promise<void> {
    if (!("id" in step)) return;
    const exists = this.emulator.groups.has(step.id);
    if (step.do === "create outside" && !exists) {
      this.emulator.putGroup({ userGroupId: step.id, name: "Theirs", properties: { region: "us" } });
      const records = groupsIn(await this.driver.records());
      if (!records.some(({ userGroupId }) => userGroupId === step.id)) this.foreign.add(step.id);
    }
    if (step.do === "rename outside" && exists) this.emulator.renameGroup(step.id, "Renamed");
    if (step.do === "rotate token outside" && exists) this.emulator.rotateToken(step.id);
    if (step.do === "delete outside" && this.emulator.removeGroup(step.id)) this.#forget(step.id);
    if (step.do.endsWith("outside")) this.touched.add(step.id);
    this.tokens.note(this.emulator);
  }

  async #run(step: EngineStep): Promise<void> {
    const before = { groups: new Map(this.emulator.groups), records: await this.driver.records() };
    if (step.do === "up") this.#noteTakeovers(before.records);
    this.emulator.clearRequests();
    this.#order(step.disturbance);
    const result = await this.driver.run(step, this.program.resources);
    this.emulator.clearFaults();
    this.#count(result);
    await this.#noteLoose(result);
    await checkAfterRun(this, step, before, result);
  }

  /** A group that another resource takes over may keep what it was made with, whatever the answer shows. */
  #noteTakeovers(records: readonly Recorded[]): void {
    for (const { resource, userGroupId } of this.program.groups) {
      const others = groupsIn(records.filter(({ name }) => name !== resource));
      if (others.some((group) => group.userGroupId === userGroupId)) this.touched.add(userGroupId);
    }
  }

  #order(disturbance: Disturbance): void {
    if (disturbance.kind !== "fault") return;
    const times = { once: 1, twice: 2, lasting: Infinity }[disturbance.times];
    this.emulator.fault({ ...faults[disturbance.fault], skip: disturbance.skip, times });
  }

  #count({ wasKilled, operations }: Result): void {
    const { requests } = this.emulator;
    this.figures.runs += 1;
    this.figures.operations += operations;
    this.figures.requests += requests.length;
    this.figures.faults += requests.filter(({ fault }) => fault).length;
    this.figures.kills += wasKilled ? 1 : 0;
  }

  /** A group that a run made and no record holds. */
  async #noteLoose({ errors, wasKilled }: Result): Promise<void> {
    const recorded = new Set(groupsIn(await this.driver.records()).map(({ userGroupId }) => userGroupId));
    for (const userGroupId of recorded) this.#forget(userGroupId);
    for (const { userGroupId = "", effect } of this.emulator.requests) {
      if (effect !== "created" || recorded.has(userGroupId)) continue;
      const announcement = new RegExp(`Cannot create user group "${userGroupId}": .*may exist by now`);
      if (wasKilled || announcement.test(errors.join("\n"))) this.loose.add(userGroupId);
    }
    if (errors.length > 0) this.#noteLeftOver(recorded);
    for (const userGroupId of this.loose)
      if (!this.emulator.groups.has(userGroupId)) this.#forget(userGroupId);
    for (const userGroupId of this.loose) this.touched.add(userGroupId);
  }

  /** A group that a resource was to take over and couldn't: kept for it, though its former record is gone. */
  #noteLeftOver(recorded: ReadonlySet<string>): void {
    for (const { userGroupId } of this.program.groups)
      if (!recorded.has(userGroupId) && !this.foreign.has(userGroupId)) this.loose.add(userGroupId);
  }

  #forget(userGroupId: string): void {
    this.foreign.delete(userGroupId);
    this.loose.delete(userGroupId);
  }
}

const faults: Record<Extract<Disturbance, { kind: "fault" }>["fault"], FaultKind> = {
  "500": { kind: "status", status: 500 },
  refused: { kind: "refuse" },
  "lost before": { kind: "loseAnswer", when: "before" },
  "lost after": { kind: "loseAnswer", when: "after" },
  "cut off": { kind: "cutOff" },
  "no token": { kind: "field", field: "user_group.token" },
  "another group's": { kind: "wrongGroup" },
};
