/** The state of a stack, and what operations of the providers make of it. */
import { fromProgram, overTheWire, partOf, type Declared, type ResourceState } from "./resources";
import { allDone, type ModelRun } from "./run";

export class ModelState {
  #resources: readonly ResourceState[] = [];

  get resources(): readonly ResourceState[] {
    return this.#resources;
  }

  restore(resources: readonly ResourceState[]): void {
    this.#resources = resources;
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
      return { id, outputs: overTheWire(outs), reasons: [] };
    };
    const created = await run.call("create", declared, creation, partOf);
    if (!created) return;
    const { id, outputs, reasons: initErrors } = created;
    this.#add({ ...newResource(declared), id, inputs, outputs, initErrors }, old);
    if (left) this.#add(left);
  }

  async update(old: ResourceState, declared: Declared, inputs: object, run: ModelRun): Promise<void> {
    const change = async () => {
      const { outs } = await run.providerOf(old).update(old.id, old.outputs, inputs);
      return { outputs: overTheWire(outs), reasons: [] };
    };
    const updated = await run.call("update", old, change, partOf);
    if (!updated) return;
    const { outputs, reasons: initErrors } = updated;
    this.put(old, { ...old, inputs, outputs, initErrors, ...optionsOf(declared) });
  }

  async lookUp(declared: Declared, run: ModelRun): Promise<void> {
    const inputs = fromProgram(declared);
    const id = "userGroupId" in inputs ? String(inputs.userGroupId) : "";
    const outputs = await run.call("read", declared, async () =>
      overTheWire((await run.providerOf(declared).read(id, inputs)).props),
    );
    if (!outputs) return;
    const old = this.#resources.find(({ name, isExternal }) => name === declared.name && isExternal);
    this.#add({ ...newResource(declared), id, inputs, outputs, initErrors: [], isExternal: true }, old);
  }

  /** The engine reads all resources at the same time. */
  async readAll(run: ModelRun): Promise<void> {
    const read = this.#resources.filter(({ status }) => status !== "pending replacement");
    await allDone(read.map((resource) => this.#read(resource, run)));
  }

  /** Deletes the resource, or only its state if it is gone. */
  async remove(resource: ResourceState, run: ModelRun): Promise<void> {
    const isGone = resource.status === "pending replacement" || (await this.delete(resource, run));
    if (isGone) this.#resources = this.#resources.filter((other) => other !== resource);
  }

  /** With `retainOnDelete` the deletion succeeds without the provider. */
  async delete(resource: ResourceState, run: ModelRun): Promise<boolean> {
    if (resource.retainOnDelete || resource.isExternal) return true;
    const deletion = async () => {
      await run.providerOf(resource).delete(resource.id, resource.outputs);
      return true;
    };
    return (await run.call("delete", resource, deletion)) ?? false;
  }

  async #read(resource: ResourceState, run: ModelRun): Promise<void> {
    const provider = run.providerOf(resource);
    const read = await run.call("read", resource, async () => {
      const { props, inputs } = await provider.read(resource.id, resource.outputs);
      return { outputs: overTheWire(props), inputs: inputs ? overTheWire(inputs) : resource.inputs };
    });
    if (!read) return;
    this.put(resource, { ...resource, ...read, initErrors: [] });
    if (!resource.isExternal)
      await run.call("diff", resource, () => provider.diff(resource.id, read.outputs, resource.inputs));
  }

  #add(resource: ResourceState, old?: ResourceState): void {
    this.#resources = [...this.#resources.filter((other) => other !== old), resource];
  }
}

/** The options that the state keeps for a later deletion. */
export function optionsOf({ retainOnDelete = false }: Declared): Pick<ResourceState, "retainOnDelete"> {
  return { retainOnDelete };
}

function newResource(declared: Declared): Omit<ResourceState, "id" | "inputs" | "outputs" | "initErrors"> {
  const { name, provider } = declared;
  return {
    name,
    provider,
    status: "live",
    isTainted: false,
    isExternal: false,
    ...optionsOf(declared),
  };
}
