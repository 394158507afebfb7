/**
 * What the engine does with a provider, as far as the state of its resources goes: which operation it calls when, and
 * what it records of the results. Written after step_generator.go, step.go and deployment_executor.go of engine 3.250.
 */
import type { Providers } from "../harness/product";
import { fromProgram, overTheWire, type Declared, type ResourceState } from "./resources";
import { allDone, ModelRun, type Conditions, type Outcome } from "./run";
import { ModelState, optionsOf } from "./state";

export interface UpConditions extends Conditions {
  /** `--replace`: names of resources. */
  readonly replaces?: readonly string[];
  /** Whether resources are created and updated at the same time, as those that don't depend on each other are. */
  readonly isParallel?: boolean;
}

/** Carries out what was planned for one resource. */
type Apply = () => Promise<void>;

export class ModelEngine {
  readonly #state = new ModelState();

  constructor(private readonly startProviders: () => Providers | Promise<Providers>) {}

  get resources(): readonly ResourceState[] {
    return this.#state.resources;
  }

  /** `pulumi preview`; lookups aren't read. */
  preview(program: readonly Declared[]): Promise<Outcome> {
    return this.#run({ continuesOnError: true }, async (run) => {
      for (const declared of program) if (!declared.isLookup) await this.#plan(declared, run, false);
      const names = new Set(program.map(({ name }) => name));
      for (const { name } of this.resources) if (!names.has(name)) run.plan(name, "delete");
    });
  }

  /** `pulumi up`: after a failure nothing more begins, deletions least of all, unless it is to continue. */
  up(program: readonly Declared[], conditions: UpConditions = {}): Promise<Outcome> {
    return this.#run(conditions, async (run) => {
      await this.#register(program, run, conditions);
      if (!run.goesOn) return;
      const names = new Set(program.map(({ name }) => name));
      for (const resource of [...this.resources].reverse())
        if (resource.status === "pending delete" || !names.has(resource.name))
          await this.#state.remove(resource, run);
    });
  }

  /** `pulumi refresh`: a failed read doesn't keep the others from being recorded. */
  refresh(conditions: Conditions = {}): Promise<Outcome> {
    return this.#run(conditions, (run) => this.#state.readAll(run));
  }

  /** `pulumi destroy`, or with `isRefreshing` `pulumi destroy --refresh`. */
  destroy(conditions: Conditions & { isRefreshing?: boolean } = {}): Promise<Outcome> {
    return this.#run(conditions, async (run) => {
      if (conditions.isRefreshing) await this.#state.readAll(run);
      if (run.failures.length > 0) return;
      for (const resource of [...this.resources].reverse()) await this.#state.remove(resource, run);
    });
  }

  /** `pulumi state taint` */
  taint(name: string): void {
    const resource = this.resources.find((each) => each.name === name && each.status === "live");
    if (resource) this.#state.put(resource, { ...resource, isTainted: true });
  }

  /** Whatever ends a run, what it has recorded stays, unless it kept that to itself until it was killed. */
  async #run(conditions: Conditions, work: (run: ModelRun) => Promise<void>): Promise<Outcome> {
    const before = this.resources;
    const providers = await this.startProviders();
    const outcome = await ModelRun.start(conditions, providers, work);
    await providers.end?.();
    if (outcome.wasKilled && conditions.kill?.loses === "the run") this.#state.restore(before);
    return outcome;
  }

  /** Plans are made one after the other, even if they are carried out at the same time. */
  async #register(program: readonly Declared[], run: ModelRun, conditions: UpConditions): Promise<void> {
    const { replaces = [], isParallel = false } = conditions;
    const applying: Promise<void>[] = [];
    try {
      for (const declared of program) {
        if (!run.goesOn) break;
        const applied = (await this.#plan(declared, run, replaces.includes(declared.name)))?.();
        if (!isParallel) await applied;
        else if (applied) applying.push(applied);
        // A rejection is handled below; until then it must not count as unhandled.
        applied?.catch(() => undefined);
      }
    } finally {
      await allDone(applying);
    }
  }

  /** A resource that was asked to be replaced is checked without its state, and isn't compared. */
  async #plan(declared: Declared, run: ModelRun, isReplaceTarget: boolean): Promise<Apply | undefined> {
    if (declared.isLookup) return () => this.#state.lookUp(declared, run);
    const old = this.resources.find(
      ({ name, status, isExternal }) => name === declared.name && status !== "pending delete" && !isExternal,
    );
    const isTargeted = old !== undefined && (isReplaceTarget || old.isTainted);
    const inputs = await this.#check(isTargeted ? {} : (old?.inputs ?? {}), declared, run);
    if (!inputs) return undefined;
    run.plan(declared.name, old ? "same" : "create");
    if (!old) return () => this.#state.create(declared, inputs, run);
    if (isTargeted) return () => this.#createBeforeDelete(old, declared, inputs, run);
    const diff = await run.call("diff", old, () => run.providerOf(old).diff(old.id, old.outputs, inputs));
    if (!diff) return undefined;
    const isReplaced = diff.changes === true && (diff.replaces ?? []).length > 0;
    if (isReplaced) run.plan(old.name, "replace");
    else if (diff.changes) run.plan(old.name, "update");
    if (isReplaced || old.status === "pending replacement")
      return this.#planReplacement(old, declared, diff.deleteBeforeReplace ?? false, run);
    if (diff.changes || old.initErrors.length > 0)
      return () => this.#state.update(old, declared, inputs, run);
    return () => {
      this.#state.put(old, { ...old, inputs, ...optionsOf(declared) });
      return Promise.resolve();
    };
  }

  async #check(olds: object, declared: Declared, run: ModelRun): Promise<object | undefined> {
    const news = fromProgram(declared);
    const checked = await run.call("check", declared, async () => {
      const { inputs, failures = [] } = await run.providerOf(declared).check(olds, news);
      return { inputs: overTheWire(inputs), failures };
    });
    if (checked?.failures.length)
      run.fail("check", declared, new Error(checked.failures.map(({ reason }) => reason).join("\n")));
    return checked?.failures.length === 0 ? checked.inputs : undefined;
  }

  async #planReplacement(
    old: ResourceState,
    declared: Declared,
    isDeletedFirst: boolean,
    run: ModelRun,
  ): Promise<Apply | undefined> {
    const inputs = await this.#check({}, declared, run);
    if (!inputs) return undefined;
    if (!isDeletedFirst) return () => this.#createBeforeDelete(old, declared, inputs, run);
    return () => this.#deleteBeforeCreate(old, declared, inputs, run);
  }

  #createBeforeDelete(old: ResourceState, declared: Declared, inputs: object, run: ModelRun): Promise<void> {
    return this.#state.create(declared, inputs, run, { left: { ...old, status: "pending delete" }, old });
  }

  async #deleteBeforeCreate(
    old: ResourceState,
    declared: Declared,
    inputs: object,
    run: ModelRun,
  ): Promise<void> {
    if (old.status === "pending replacement") return this.#state.create(declared, inputs, run, { old });
    const deleted: ResourceState = { ...old, status: "pending replacement" };
    if (!(await this.#state.delete(old, run))) return;
    this.#state.put(old, deleted);
    return this.#state.create(declared, inputs, run, { old: deleted });
  }
}
