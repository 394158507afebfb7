/** The program of a history: which resource declares which group, each group once, unless a step says otherwise. */
import type { Declared } from "../model/resources";
import type { Choices } from "./choices";
import { again, lookup, manyGroups, oneGroup, type DeclaredGroup } from "./declarations";
import { argsOf, withSource, type GroupArgs } from "./groupArgs";
import type { Resource, Step, Values } from "./steps";

/** The groups of a burst: each in a resource of its own. */
export const burstIds = Array.from({ length: 8 }, (_, index) => `burst-${index + 1}`);

export class Program {
  /** Whether each group names the data source that the service wants with its deletion. */
  readonly #namesSources: boolean;
  readonly burstRefusesAdoption: boolean;
  #groups: DeclaredGroup[] = [];
  readonly #withoutAdoption = new Set<Resource>();
  readonly #retained = new Set<Resource>();
  readonly #connected = new Set<Resource>();
  /** Declared a second time. */
  duplicate: DeclaredGroup | undefined;
  /** The ID of the group that `UserGroup.get` reads. */
  lookedUp: string | undefined;
  hasBurst = false;

  constructor({ deleteNeeds, changes }: Pick<Choices, "deleteNeeds" | "changes">) {
    this.#namesSources = deleteNeeds === "all";
    this.burstRefusesAdoption = changes === "replace";
  }

  get groups(): readonly DeclaredGroup[] {
    return this.#groups;
  }

  refusesAdoption(resource: Resource): boolean {
    return this.#withoutAdoption.has(resource);
  }

  /** The resources, in the order in which their groups were declared. */
  get resources(): Declared[] {
    const options = (resource: Resource) => ({
      adopts: !this.#withoutAdoption.has(resource),
      isRetained: this.#retained.has(resource),
      isConnected: this.#connected.has(resource),
    });
    const many = this.#groups.filter(({ resource }) => resource === "many");
    const others = this.#groups.filter(({ resource }) => resource !== "many");
    const { duplicate, lookedUp } = this;
    return [
      ...(lookedUp === undefined ? [] : [lookup(lookedUp)]),
      ...others.map((group) => oneGroup(group.resource, group, options(group.resource))),
      ...(many.length > 0 ? [manyGroups("many", many, options("many"))] : []),
      ...this.#burst,
      ...(duplicate ? [again(duplicate, options(duplicate.resource))] : []),
    ];
  }

  get #burst(): Declared[] {
    const args = this.#newArgs({ name: "Alpha", mapping: "small", properties: "none" });
    const options = { adopts: !this.burstRefusesAdoption, isRetained: false, isConnected: false };
    const ids = this.hasBurst ? burstIds : [];
    return ids.map((userGroupId) => oneGroup(userGroupId, { userGroupId, args }, options));
  }

  /** Whether the step was one of the program, and was possible. */
  take(step: Step): boolean {
    switch (step.do) {
      case "declare":
        return this.#declare({ ...step, userGroupId: step.id });
      case "declare among many":
        return this.#declare({ ...step, userGroupId: step.id, resource: "many" });
      case "declare somebody else's":
        return (
          this.#declare({ ...step, userGroupId: step.id }) &&
          toggle(this.#withoutAdoption, step.resource, true)
        );
      case "change":
        return this.#change(step.id, ({ keepers }) => ({
          ...this.#newArgs(step.values),
          ...keep({ keepers }),
        }));
      case "change keepers":
        return this.setKeepers(step.id, step.keepers);
      case "change ID":
        return !this.#has(step.to) && this.#put(step.id, { userGroupId: step.to });
      case "swap IDs":
        return this.#swap(step.id, step.to);
      case "move":
        return this.#isFree(step.to) && this.#put(step.id, { resource: step.to });
      case "remove":
        return this.#put(step.id, undefined);
      default:
        return this.#setOption(step);
    }
  }

  /** `keepers`: "none", or any other string. */
  setKeepers(userGroupId: string, keepers: string): boolean {
    return this.#change(userGroupId, ({ keepers: before, ...args }) => {
      return keepers === "none" ? args : { ...args, keepers: { rotation: keepers } };
    });
  }

  /** Nothing that makes an up fail by itself. */
  simplify(): void {
    this.duplicate = undefined;
    this.#withoutAdoption.clear();
    this.#retained.clear();
    this.lookedUp = undefined;
  }

  allowAdoption(): void {
    this.#withoutAdoption.clear();
  }

  #setOption(step: Step): boolean {
    switch (step.do) {
      case "declare twice":
        if (!this.#has(step.id)) return false;
        this.duplicate = { resource: step.resource, userGroupId: step.id, args: this.#newArgs(step.values) };
        return true;
      case "declare once":
        this.duplicate = undefined;
        return true;
      case "look up":
        this.lookedUp = step.id === "none" ? undefined : step.id;
        return true;
      case "set adopt":
        return toggle(this.#withoutAdoption, step.resource, !step.adopt);
      case "set retainOnDelete":
        return toggle(this.#retained, step.resource, step.retains);
      case "set connection":
        return toggle(this.#connected, step.resource, step.isNamed);
      default:
        return false;
    }
  }

  #declare(group: { resource: Resource; userGroupId: string; values: Values }): boolean {
    const { resource, userGroupId, values } = group;
    if (this.#has(userGroupId) || !this.#isFree(resource)) return false;
    this.#groups.push({ resource, userGroupId, args: this.#newArgs(values) });
    return true;
  }

  #swap(one: string, other: string): boolean {
    if (one === other || !this.#has(one) || !this.#has(other)) return false;
    const swapped = new Map([
      [one, other],
      [other, one],
    ]);
    this.#groups = this.#groups.map((group) => {
      return { ...group, userGroupId: swapped.get(group.userGroupId) ?? group.userGroupId };
    });
    return true;
  }

  #change(userGroupId: string, change: (args: GroupArgs) => GroupArgs): boolean {
    const group = this.#groups.find((each) => each.userGroupId === userGroupId);
    return group !== undefined && this.#put(userGroupId, { args: change(group.args) });
  }

  /** Changes the group, or takes it away. */
  #put(userGroupId: string, change: Partial<DeclaredGroup> | undefined): boolean {
    if (!this.#has(userGroupId)) return false;
    this.#groups = this.#groups.flatMap((group) => {
      if (group.userGroupId !== userGroupId) return [group];
      return change ? [{ ...group, ...change }] : [];
    });
    if (this.duplicate && !this.#has(this.duplicate.userGroupId)) this.duplicate = undefined;
    return true;
  }

  #has(userGroupId: string): boolean {
    return this.#groups.some((group) => group.userGroupId === userGroupId);
  }

  #isFree(resource: Resource): boolean {
    return resource === "many" || !this.#groups.some((group) => group.resource === resource);
  }

  #newArgs(values: Values): GroupArgs {
    return this.#namesSources ? withSource(values) : argsOf(values);
  }
}

function keep({ keepers }: { keepers: object | undefined }): Pick<GroupArgs, "keepers"> {
  return keepers ? { keepers } : {};
}

function toggle(set: Set<Resource>, resource: Resource, isIn: boolean): boolean {
  if (isIn) set.add(resource);
  else set.delete(resource);
  return true;
}
