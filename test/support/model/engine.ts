/**
 * What the engine does with a provider, as far as the state of its resources goes: which operation it calls when, and
 * what it records of the results. Written after step_generator.go, step.go and deployment_executor.go of engine 3.259.
 */
import { z } from "zod";
import type { Providers } from "../harness/product";
import { deletable, dependentsOf, diffOfDependent } from "./dependencies";
import {
  fromProgram,
  overTheWire,
  unknownValue,
  urnOf,
  type Declared,
  type ResourceState,
} from "./resources";
import { markedOf, noteMarks } from "./secrets";
import { ModelRun, type Command, type Conditions, type Outcome } from "./run";
import { ModelState, optionsOf } from "./state";

export interface UpConditions extends Conditions {
  /** `--replace`: names of resources. */
  readonly replaces?: readonly string[];
  /** Names of resources whose option `replacementTrigger` has another value. */
  readonly triggers?: readonly string[];
  /** Names of resources with the option `replaceOnChanges` for all properties. */
  readonly replacesOnChanges?: readonly string[];
  /** Whether the program declares all resources before the first of them is created or updated. */
  readonly isDeclaredFirst?: boolean;
}

/** Applies what was planned for one resource. */
type Apply = () => Promise<void>;

export class ModelEngine {
  readonly #state = new ModelState();

  constructor(private readonly startProviders: () => Providers | Promise<Providers>) {}

  get resources(): readonly ResourceState[] {
    return this.#state.resources;
  }

  /** `pulumi preview`; lookups aren't read. */
  preview(program: readonly Declared[], conditions: UpConditions = {}): Promise<Outcome> {
    return this.#run("preview", { continuesOnError: true }, async (run) => {
      for (const declared of program) if (!declared.isLookup) await this.#plan(declared, run, conditions);
      this.#planDeletions(program, run);
    });
  }

  /** `pulumi up`: after a failure nothing more begins, deletions least of all, unless it is to continue. */
  up(program: readonly Declared[], conditions: UpConditions = {}): Promise<Outcome> {
    return this.#run("up", conditions, async (run) => {
      await this.#register(program, run, conditions);
      for (const declared of program) this.#state.rename(formerUrns(declared), declared.name);
      this.#state.sort(program.map(({ name }) => name));
      if (!run.goesOn) return;
      this.#planDeletions(program, run);
      await this.#removeAll(this.#left(program, run), run);
    });
  }

  /** `pulumi refresh`: a failed read doesn't keep the others from being recorded. */
  refresh(conditions: Conditions = {}): Promise<Outcome> {
    return this.#run("refresh", conditions, (run) => this.#state.readAll(run));
  }

  destroy(conditions: Conditions = {}): Promise<Outcome> {
    return this.#run("destroy", conditions, (run) => this.#removeAll(this.resources, run));
  }

  /** `pulumi state delete`; of two with a name, the user chooses one. */
  forget(name: string, status: ResourceState["status"] = "live"): void {
    const resource = this.resources.find((each) => each.name === name && each.status === status);
    if (resource) this.#state.forget(resource);
  }

  /** `pulumi stack export`, a change of each resource's outputs in JSON, and `pulumi stack import` */
  rewrite(change: (outputs: string) => string): void {
    const rewritten = (outputs: object) =>
      z.looseObject({}).parse(JSON.parse(change(JSON.stringify(outputs))));
    for (const resource of this.resources) {
      const outputs = noteMarks(rewritten(resource.outputs), rewritten(markedOf(resource.outputs)));
      this.#state.put(resource, { ...resource, outputs });
    }
  }

  /** Whatever ends a run, what it has recorded stays. */
  async #run(
    command: Command,
    conditions: Conditions,
    work: (run: ModelRun) => Promise<void>,
  ): Promise<Outcome> {
    const providers = await this.startProviders();
    const outcome = await ModelRun.start(command, conditions, providers, work);
    await providers.end?.();
    return outcome;
  }

  /** What is to be deleted after a program: resources that it doesn't declare, and those of which another has taken the place. */
  #left(program: readonly Declared[], { aliased }: ModelRun): ResourceState[] {
    const urns = new Set([...program.map(urnOf), ...aliased]);
    return this.resources.filter(
      (resource) => resource.status === "pending delete" || !urns.has(urnOf(resource)),
    );
  }

  /** What remains of a resource that was replaced has the name of the one that took its place. */
  #planDeletions(program: readonly Declared[], run: ModelRun): void {
    for (const { name } of this.#left(program, run)) if (!(name in run.changes)) run.changes[name] = "delete";
  }

  /** Deletes dependents first. One on which a resource depends that wasn't created, updated or deleted stays. */
  async #removeAll(resources: readonly ResourceState[], run: ModelRun): Promise<void> {
    for (const resource of [...resources].reverse())
      if (deletable(resource, this.resources, run)) await this.#state.remove(resource, run);
  }

  async #register(program: readonly Declared[], run: ModelRun, conditions: UpConditions): Promise<void> {
    const { isDeclaredFirst = false } = conditions;
    const waiting: { readonly declared: Declared; readonly apply: Apply }[] = [];
    const applyAll = async () => {
      for (const { declared, apply } of waiting.splice(0))
        if (run.finishes) await this.#apply(declared, apply, run);
    };
    for (const declared of program) {
      // A program doesn't declare a resource before those that it depends on are there.
      const { dependencies } = optionsOf(declared);
      if (waiting.some((other) => dependencies.includes(other.declared.name))) await applyAll();
      if (!run.goesOn) break;
      const apply = await this.#plan(declared, run, conditions);
      if (!apply) continue;
      if (isDeclaredFirst) waiting.push({ declared, apply });
      else await this.#apply(declared, apply, run);
    }
    await applyAll();
  }

  /** With `--continue-on-error`, a resource is skipped if one that it depends on failed or was skipped. */
  async #apply(declared: Declared, apply: Apply, run: ModelRun): Promise<void> {
    const { dependencies } = optionsOf(declared);
    if (dependencies.some((name) => run.undone.has(name))) run.skipped.add(declared.name);
    else await apply();
  }

  /** A resource that was asked to be replaced is checked without its state, and isn't compared; nor is one with another trigger. */
  async #plan(declared: Declared, run: ModelRun, conditions: UpConditions): Promise<Apply | undefined> {
    const isNamed = (names: readonly string[] = []) => names.includes(declared.name);
    if (declared.isLookup) return () => this.#state.lookUp(declared, run);
    const old = this.#former(declared);
    if (old) run.aliased.add(urnOf(old));
    const isTargeted = old !== undefined && isNamed(conditions.replaces);
    const isRecreated = old !== undefined && run.deletedEarly.has(old.name);
    const inputs = await this.#check(isTargeted || isRecreated ? {} : (old?.inputs ?? {}), declared, run);
    if (!inputs) return undefined;
    if (!old) return this.#planCreation(declared, inputs, run);
    if (isRecreated) return this.#planRecreation(old, declared, inputs, run);
    run.changes[declared.name] = "same";
    if (isTargeted) {
      this.#noteReplacement(declared, run);
      return () => this.#createBeforeDelete(old, declared, inputs, run);
    }
    if (isNamed(conditions.triggers)) {
      this.#noteReplacement(declared, run);
      return this.#planReplacement(old, declared, false, run);
    }
    const diff = await run.call("diff", declared, () =>
      run.providerOf(old).diff(old.id, old.outputs, inputs),
    );
    if (!diff) return undefined;
    const { changes: differs = false, replaces = [] } = diff;
    const changes = differs || old.initErrors.length > 0;
    const isReplaced = (differs && replaces.length > 0) || (changes && isNamed(conditions.replacesOnChanges));
    if (isReplaced) this.#noteReplacement(declared, run);
    else if (changes) run.changes[declared.name] = "update";
    if (isReplaced || old.status === "pending replacement")
      return this.#planReplacement(old, declared, diff.deleteBeforeReplace ?? false, run);
    if (changes) return () => this.#state.update(old, declared, inputs, run);
    return () => {
      this.#state.put(old, { ...old, inputs, ...optionsOf(declared) });
      return Promise.resolve();
    };
  }

  #former(declared: Declared): ResourceState | undefined {
    return [urnOf(declared), ...formerUrns(declared)].flatMap(
      (urn) =>
        this.resources.find(
          (each) => urnOf(each) === urn && each.status !== "pending delete" && !each.isExternal,
        ) ?? [],
    )[0];
  }

  #planCreation(declared: Declared, inputs: object, run: ModelRun): Apply {
    run.changes[declared.name] = "create";
    run.renewed.add(declared.name);
    return () => this.#state.create(declared, inputs, run);
  }

  /** The resource was deleted because it depends on one that is replaced; it isn't compared. */
  #planRecreation(old: ResourceState, declared: Declared, inputs: object, run: ModelRun): Apply {
    run.deletedEarly.delete(old.name);
    this.#noteReplacement(declared, run);
    return () => this.#state.create(declared, inputs, run, { old: this.#former(declared) ?? old });
  }

  #noteReplacement(declared: Declared, run: ModelRun): void {
    run.changes[declared.name] = "replace";
    run.renewed.add(declared.name);
  }

  async #check(olds: object, declared: Declared, run: ModelRun): Promise<object | undefined> {
    // In an up, a value that is made of the ID of a resource which failed is missing.
    const names = run.isPreview ? run.renewed : run.undone;
    const isUnknown = Object.values(declared.valuesFrom ?? {}).some((name) => names.has(name));
    if (isUnknown) run.unknown.add(declared.name);
    const news = fromProgram(declared, { names, value: run.isPreview ? unknownValue : undefined });
    const checked = await run.call("check", declared, async () => {
      const { inputs, failures = [] } = await run.providerOf(declared).check(olds, news);
      return { inputs: overTheWire(inputs, news), failures };
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
    const dependents = await this.#replacedDependents(old, run);
    if (!dependents) return undefined;
    for (const { name } of dependents) run.deletedEarly.add(name);
    return () => this.#deleteBeforeCreate(old, declared, { inputs, dependents }, run);
  }

  /** The dependents that a replacement of `old` replaces, as far as their diffs with unknown values say. undefined: one failed. */
  async #replacedDependents(old: ResourceState, run: ModelRun): Promise<ResourceState[] | undefined> {
    const replaced = new Set([old.name]);
    const found: ResourceState[] = [];
    for (const dependent of dependentsOf(old, this.resources, run)) {
      const news = diffOfDependent(dependent, replaced);
      if (!news) continue;
      const { id, outputs } = dependent;
      const diff = await run.call("diff", dependent, () => run.providerOf(dependent).diff(id, outputs, news));
      if (!diff) return undefined;
      if (diff.changes !== true || (diff.replaces ?? []).length === 0) continue;
      replaced.add(dependent.name);
      found.push(dependent);
    }
    return found;
  }

  #createBeforeDelete(old: ResourceState, declared: Declared, inputs: object, run: ModelRun): Promise<void> {
    return this.#state.create(declared, inputs, run, { left: { ...old, status: "pending delete" }, old });
  }

  async #deleteBeforeCreate(
    old: ResourceState,
    declared: Declared,
    { inputs, dependents }: { readonly inputs: object; readonly dependents: readonly ResourceState[] },
    run: ModelRun,
  ): Promise<void> {
    for (const dependent of [...dependents].reverse())
      if (!(await this.#deleteFirst(dependent, run))) {
        run.isStuck = true;
        return;
      }
    const deleted = await this.#deleteFirst(old, run);
    if (deleted) await this.#state.create(declared, inputs, run, { old: deleted });
    else run.isStuck = true;
  }

  /** The state of a resource that is deleted and will be created again. */
  async #deleteFirst(old: ResourceState, run: ModelRun): Promise<ResourceState | undefined> {
    if (old.status === "pending replacement") return old;
    if (!(await this.#state.delete(old, run))) return undefined;
    const deleted: ResourceState = { ...old, status: "pending replacement" };
    this.#state.put(old, deleted);
    return deleted;
  }
}

function formerUrns({ aliases = [], provider }: Declared): string[] {
  return aliases.map((name) => urnOf({ name, provider }));
}
