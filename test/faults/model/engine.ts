/**
 * What the engine does with a provider, as far as the fate of its resources goes: which operation it calls when, and
 * what it records of the results. Written after step_generator.go, step.go and deployment_executor.go of engine 3.250.
 */
import { ModelRun, type Conditions, type Outcome } from "./run";
import { overTheWire, partOf, providerOf, type Declared, type Recorded } from "./records";

export class ModelEngine {
  #records: Recorded[] = [];

  get records(): readonly Recorded[] {
    return this.#records;
  }

  /** `pulumi up`: after a failure nothing more begins, deletions least of all, unless it is to continue. */
  up(program: readonly Declared[], conditions: Conditions = {}): Promise<Outcome> {
    return this.#run(conditions, async (run) => {
      for (const declared of program) if (run.goesOn) await this.#register(declared, run);
      if (!run.goesOn) return;
      const names = new Set(program.map(({ name }) => name));
      for (const record of [...this.#records].reverse())
        if (record.standing === "replaced" || !names.has(record.name)) await this.#remove(record, run);
    });
  }

  /** `pulumi refresh`: one that fails doesn't keep the others from being recorded. */
  refresh(conditions: Conditions = {}): Promise<Outcome> {
    return this.#run(conditions, (run) => this.#readAll(run));
  }

  /** `pulumi destroy`, or with `isRefreshing` `pulumi destroy --refresh`. */
  destroy(conditions: Conditions & { isRefreshing?: boolean } = {}): Promise<Outcome> {
    return this.#run(conditions, async (run) => {
      if (conditions.isRefreshing) await this.#readAll(run);
      if (run.failures.length > 0) return;
      for (const record of [...this.#records].reverse()) await this.#remove(record, run);
    });
  }

  /** Whatever ends a run, what it has recorded stays, unless it kept all of that to itself until it was killed. */
  async #run(conditions: Conditions, work: (run: ModelRun) => Promise<void>): Promise<Outcome> {
    const before = this.#records;
    const outcome = await ModelRun.start(conditions, work);
    if (outcome.wasKilled && conditions.death?.forgets === "the run") this.#records = before;
    return outcome;
  }

  async #register(declared: Declared, run: ModelRun): Promise<void> {
    const old = this.#records.find(({ name, standing }) => name === declared.name && standing !== "replaced");
    const inputs = await this.#check(old?.inputs ?? {}, declared, run);
    if (!inputs) return;
    if (!old) return this.#create(declared, inputs, run);
    const diff = await run.call("diff", old, () => providerOf(old).diff(old.id, old.outputs, inputs));
    if (!diff) return;
    if (old.standing === "deleted" || diff.replaces?.length)
      return this.#replace(old, declared, diff.deleteBeforeReplace ?? false, run);
    if (diff.changes || old.initErrors.length > 0) return this.#update(old, inputs, run);
    this.#put(old, { ...old, inputs });
  }

  async #check(olds: object, declared: Declared, run: ModelRun): Promise<object | undefined> {
    const news = overTheWire(declared.args);
    const checked = await run.call("check", declared, () => providerOf(declared).check(olds, news));
    if (checked?.failures?.length) run.fail("check", declared, new Error(JSON.stringify(checked.failures)));
    return checked?.failures?.length === 0 ? overTheWire(checked.inputs) : undefined;
  }

  async #replace(old: Recorded, declared: Declared, isDeletedFirst: boolean, run: ModelRun): Promise<void> {
    const inputs = await this.#check({}, declared, run);
    if (!inputs) return;
    if (!isDeletedFirst) return this.#create(declared, inputs, run, { ...old, standing: "replaced" }, old);
    const deleted: Recorded = { ...old, standing: "deleted" };
    if (old.standing === "live") {
      if (!(await this.#delete(old, run))) return;
      this.#put(old, deleted);
    }
    return this.#create(declared, inputs, run, undefined, old.standing === "live" ? deleted : old);
  }

  /** `left` is what is left of the record `old`, whose place the new one takes. */
  async #create(
    { name, provider }: Declared,
    inputs: object,
    run: ModelRun,
    left?: Recorded,
    old?: Recorded,
  ): Promise<void> {
    const subject = { name, provider, inputs, standing: "live" as const };
    const created = await run.call("create", subject, () => providerOf(subject).create(inputs), partOf);
    if (!created) return;
    const made =
      "reasons" in created
        ? { ...subject, id: created.id, outputs: created.outputs, initErrors: created.reasons }
        : { ...subject, id: created.id, outputs: overTheWire(created.outs), initErrors: [] };
    this.#records = this.#records.filter((record) => record !== old);
    this.#records = [...this.#records, made, ...(left ? [left] : [])];
  }

  async #update(old: Recorded, inputs: object, run: ModelRun): Promise<void> {
    const update = () => providerOf(old).update(old.id, old.outputs, inputs);
    const updated = await run.call("update", old, update, partOf);
    if (!updated) return;
    const [outputs, initErrors] =
      "reasons" in updated ? [updated.outputs, updated.reasons] : [overTheWire(updated.outs), []];
    this.#put(old, { ...old, inputs, outputs, initErrors });
  }

  async #readAll(run: ModelRun): Promise<void> {
    for (const record of this.#records) if (record.standing !== "deleted") await this.#read(record, run);
  }

  async #read(record: Recorded, run: ModelRun): Promise<void> {
    const read = await run.call("read", record, () => providerOf(record).read(record.id, record.outputs));
    if (!read) return;
    const outputs = overTheWire(read.props);
    this.#put(record, { ...record, outputs, inputs: overTheWire(read.inputs), initErrors: [] });
    await run.call("diff", record, () => providerOf(record).diff(record.id, outputs, record.inputs));
  }

  async #remove(record: Recorded, run: ModelRun): Promise<void> {
    const isGone = record.standing === "deleted" || (await this.#delete(record, run));
    if (isGone) this.#records = this.#records.filter((other) => other !== record);
  }

  async #delete(record: Recorded, run: ModelRun): Promise<boolean> {
    const deletion = async () => {
      await providerOf(record).delete(record.id, record.outputs);
      return true;
    };
    return (await run.call("delete", record, deletion)) ?? false;
  }

  #put(old: Recorded, now: Recorded): void {
    this.#records = this.#records.map((record) => (record === old ? now : record));
  }
}
