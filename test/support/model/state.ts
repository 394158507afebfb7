/** The state of a stack, and what operations of the providers make of it. */
import { fromProgram, overTheWire, partOf, urnOf, type Declared, type ResourceState } from "./resources";
import type { ModelRun } from "./run";

export class ModelState {
  #resources: readonly ResourceState[] = [];

  get resources(): readonly ResourceState[] {
    return this.#resources;
  }

  /** After a program: the order in which it declares its resources, and then the others. */
  sort(names: readonly string[]): void {
    const rank = ({ name, status }: ResourceState) => {
      const index = status === "pending delete" ? -1 : names.indexOf(name);
      return index < 0 ? names.length : index;
    };
    this.#resources = [...this.#resources].sort((one, other) => rank(one) - rank(other));
  }

  /** What remains of a resource with a former URN gets the name that the alias has given it. */
  rename(formerUrns: readonly string[], name: string): void {
    this.#resources = this.#resources.map((resource) =>
      resource.status === "pending delete" && formerUrns.includes(urnOf(resource))
        ? { ...resource, name }
        : resource,
    );
  }

  put(old: ResourceState, now: ResourceState): void {
    this.#resources = this.#resources.map((resource) => (resource === old ? now : resource));
  }

  /** `left` is what stays of the resource `old`, whose place the new one takes. */
  async create(
    declared: Declared,
    inputs: object,
    run: ModelRun,
    { left, old }: { left?: ResourceState; old?: ResourceState } = {},
  ): Promise<void> {
    const creation = async () => {
      const { id, outs } = await run.providerOf(declared).create(inputs);
      return { id, outputs: overTheWire(outs, inputs), reasons: [] };
    };
    const created = await run.call("create", declared, creation, (error) => partOf(error, inputs));
    if (!created) return;
    const { id, outputs, reasons: initErrors } = created;
    this.#add({ ...newResource(declared), id, inputs, outputs, initErrors }, old);
    if (left) this.#add(left);
  }

  async update(old: ResourceState, declared: Declared, inputs: object, run: ModelRun): Promise<void> {
    const change = async () => {
      const { outs } = await run.providerOf(old).update(old.id, old.outputs, inputs);
      return { outputs: overTheWire(outs, inputs), reasons: [] };
    };
    const updated = await run.call("update", declared, change, (error) => partOf(error, inputs));
    if (!updated) return;
    const { outputs, reasons: initErrors } = updated;
    // After a partial failure, the engine keeps the former inputs.
    const kept = initErrors.length > 0 ? old.inputs : inputs;
    this.put(old, { ...old, inputs: kept, outputs, initErrors, ...optionsOf(declared) });
  }

  async lookUp(declared: Declared, run: ModelRun): Promise<void> {
    const inputs = fromProgram(declared);
    const id = "userGroupId" in inputs ? String(inputs.userGroupId) : "";
    const outputs = await run.call("read", declared, async () =>
      overTheWire((await run.providerOf(declared).read(id, inputs, urnOf(declared))).props),
    );
    if (!outputs) return;
    const old = this.#resources.find(({ name, isExternal }) => name === declared.name && isExternal);
    this.#add({ ...newResource(declared), id, inputs, outputs, initErrors: [], isExternal: true }, old);
  }

  /** The engine reads all resources at the same time. */
  async readAll(run: ModelRun): Promise<void> {
    const read = this.#resources.filter(({ status }) => status !== "pending replacement");
    const results = await Promise.allSettled(read.map((resource) => this.#read(resource, run)));
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  /** Deletes the resource, or only its state if it is gone. */
  forget(resource: ResourceState): void {
    this.#resources = this.#resources.filter((other) => other !== resource);
  }

  async remove(resource: ResourceState, run: ModelRun): Promise<void> {
    const isGone = resource.status === "pending replacement" || (await this.delete(resource, run));
    if (isGone) this.forget(resource);
  }

  /** With `retainOnDelete` the deletion succeeds without the provider. */
  async delete(resource: ResourceState, run: ModelRun): Promise<boolean> {
    if (resource.retainOnDelete || resource.isExternal) return true;
    const deletion = async () => {
      await run.providerOf(resource).delete(resource.id, resource.outputs, urnOf(resource));
      return true;
    };
    return (await run.call("delete", resource, deletion)) ?? false;
  }

  async #read(resource: ResourceState, run: ModelRun): Promise<void> {
    const provider = run.providerOf(resource);
    const read = await run.call("read", resource, async () => {
      const { props, inputs } = await provider.read(resource.id, resource.outputs, urnOf(resource));
      return {
        outputs: overTheWire(props, resource.outputs),
        inputs: inputs ? overTheWire(inputs, resource.inputs) : resource.inputs,
      };
    });
    if (!read) return;
    this.put(resource, { ...resource, ...read, initErrors: [] });
    if (!resource.isExternal)
      await run.call("diff", resource, () => provider.diff(resource.id, read.outputs, resource.inputs));
  }

  #add(resource: ResourceState, old?: ResourceState): void {
    if (old && this.#resources.includes(old)) this.put(old, resource);
    else this.#resources = [...this.#resources, resource];
  }
}

/** What the state keeps beside values, for a later command. A resource with an alias gets its new name. */
export function optionsOf(declared: Declared) {
  const { name, retainOnDelete = false, dependsOn = [], valuesFrom = {} } = declared;
  const propertyDependencies: Record<string, string[]> = {};
  for (const [path, from] of Object.entries(valuesFrom)) {
    const [property = ""] = path.split(".");
    propertyDependencies[property] = [...(propertyDependencies[property] ?? []), from];
  }
  const dependencies = [...new Set([...dependsOn, ...Object.values(valuesFrom)])];
  return { name, retainOnDelete, dependencies, propertyDependencies };
}

function newResource(declared: Declared): Omit<ResourceState, "id" | "inputs" | "outputs" | "initErrors"> {
  return {
    provider: declared.provider,
    status: "live",
    isExternal: false,
    ...optionsOf(declared),
  };
}
