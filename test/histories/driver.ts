/** What runs the engine in a history: the model of it, or the real one. */
import { ModelEngine } from "../faults/model/engine";
import type { Declared, Recorded } from "../faults/model/records";
import type { Conditions, Death, Outcome } from "../faults/model/run";
import type { Place } from "../faults/place";
import type { Disturbance, Step } from "./steps";

export type EngineStep = Extract<Step, { disturbance: Disturbance }>;
export type Kill = Extract<Disturbance, { kind: "kill" }>;

/** What came of a run of the engine. */
export interface Result {
  /** What it printed of each failure. */
  readonly errors: readonly string[];
  readonly wasKilled: boolean;
  /** How many operations changed something or read. */
  readonly operations: number;
  /** What the providers printed. */
  readonly printed: string;
}

export interface Driver {
  /** What the state holds. */
  records(): Promise<readonly Recorded[]>;
  run(step: EngineStep, program: readonly Declared[]): Promise<Result>;
}

/** Kills by throwing the result away, after a request from which on the service knows the provider no more. */
export class ModelDriver implements Driver {
  readonly #engine = new ModelEngine();
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  records(): Promise<readonly Recorded[]> {
    return Promise.resolve(this.#engine.records);
  }

  async run(step: EngineStep, program: readonly Declared[]): Promise<Result> {
    const { emulator, scene } = this.#place;
    const { apiToken } = emulator;
    scene.printed.length = 0;
    scene.failedAttempts = 0;
    const death = step.disturbance.kind === "kill" ? this.#plan(step.disturbance) : undefined;
    const { failures, wasKilled, steps } = await this.#start(step, program, death ? { death } : {});
    this.#place.onRequest = () => undefined;
    emulator.rotateApiToken(apiToken);
    const errors = failures.map(({ message }) => message);
    return { errors, wasKilled, operations: steps.length, printed: scene.printed.join("") };
  }

  #plan({ after, forgets }: Kill): Death {
    const death: Death = { hasCome: false, forgets };
    let requests = 0;
    this.#place.onRequest = () => {
      if (++requests !== after) return;
      death.hasCome = true;
      this.#place.emulator.rotateApiToken();
    };
    return death;
  }

  #start(step: EngineStep, program: readonly Declared[], conditions: Conditions): Promise<Outcome> {
    if (step.do === "refresh") return this.#engine.refresh(conditions);
    if (step.do === "destroy")
      return this.#engine.destroy({ ...conditions, isRefreshing: step.isRefreshing });
    return this.#engine.up(program, { ...conditions, continuesOnError: step.continuesOnError });
  }
}
