/** A history while it happens: program, somebody else, service and engine, and the invariants after each step. */
import type { Account, Emulator } from "../../provider/src/testing";
import type { Tokens } from "../model/groups";
import type { Choices } from "./choices";
import { type Driver, type Result, type Run, type Settings, apart, idsIn } from "./driver";
import { type Scope, checkAlways, checkOutcome } from "./invariants";
import { Program } from "./historyProgram";
import { Provenance } from "./provenance";
import { Remedies } from "./remedies";
import { checkRun } from "./runInvariants";
import { serviceFaults } from "./serviceFaults";
import { SomebodyElse } from "./somebodyElse";
import type { Disturbance, EngineStep, Step } from "./steps";

export class HistoryRunner implements Scope {
  readonly program: Program;
  readonly provenance: Provenance;
  readonly taken: Step[] = [];
  readonly #settings: Settings;
  readonly #remedies: Remedies;
  readonly #somebodyElse: SomebodyElse;

  /** `timeout`: how many seconds one operation may take. */
  constructor(
    readonly choices: Choices,
    readonly emulator: Emulator,
    readonly tokens: Tokens,
    readonly driver: Driver,
    timeout: number,
    readonly otherAccount?: Account,
  ) {
    this.program = new Program(choices);
    this.provenance = new Provenance(choices, emulator, this.program);
    const { changes } = choices;
    // One connection, so that the same history takes the same course each time.
    const { baseUrl, apiToken } = emulator;
    const settings = { baseUrl, apiToken, changes, maxConnections: "1", timeout: String(timeout) };
    this.#settings = {
      ...settings,
      ...ofConnection("main", settings),
      ...(otherAccount && ofConnection("apart", { ...settings, apiToken: otherAccount.apiToken })),
    };
    this.#somebodyElse = new SomebodyElse(this);
    this.#remedies = new Remedies(this.program, (userGroupId) => {
      this.#somebodyElse.delete(userGroupId);
    });
  }

  async take(step: Step): Promise<Result | undefined> {
    this.taken.push(step);
    const result = await this.#take(step);
    await checkAlways(this);
    return result;
  }

  async #take(step: Step): Promise<Result | undefined> {
    if (step.do === "up" || step.do === "refresh" || step.do === "destroy") return this.#run(step);
    const { existing, changes } = this.choices;
    // On a service that updates, a lookup would overwrite a managed group; that is a mistake of the program.
    const isMistake = step.do === "look up" && existing === "update" && changes === "replace";
    if (step.do === "taint") await this.driver.taint(step.resource);
    else if (!isMistake) await this.#declareOrMeddle(step);
    return undefined;
  }

  async #declareOrMeddle(step: Step): Promise<void> {
    const isRecorded = "id" in step && idsIn(await this.driver.resources()).has(step.id);
    if (!this.program.take(step)) this.#somebodyElse.take(step, isRecorded);
    else if (step.do === "declare somebody else's") this.#somebodyElse.createAsDeclared(step.id, isRecorded);
  }

  async #run(step: EngineStep): Promise<Result | undefined> {
    const before = { groups: new Map(this.emulator.groups), resources: await this.driver.resources() };
    if (step.do === "up") this.provenance.noteMoves(step, before.resources);
    this.emulator.clearRequests();
    this.#order(step.disturbance);
    const program = [...this.program.resources, ...(this.otherAccount ? [apart] : [])];
    const result = await this.driver.run(step, program, this.#settings);
    this.emulator.clearFaults();
    const run: Run = { step, before, after: await this.driver.resources(), result };
    checkRun(this, run);
    this.provenance.noteRun(run);
    checkOutcome(this, run);
    this.#remedies.apply(result.errors);
    return result;
  }

  #order(disturbance: Disturbance): void {
    if (disturbance.kind !== "fault") return;
    const times = { once: 1, twice: 2, lasting: Infinity }[disturbance.times];
    this.emulator.fault({
      ...serviceFaults(this.emulator)[disturbance.fault],
      skip: disturbance.skip,
      times,
    });
  }
}

/** The same service by its other name. */
function ofConnection(connection: string, settings: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      `${connection}.${name}`,
      value.replace("127.0.0.1", "localhost"),
    ]),
  );
}
