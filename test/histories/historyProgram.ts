/** The program of a history: which resource declares which group, each group once, unless a step says otherwise. */
import type { Declared } from "../model/resources";
import type { Choices } from "./choices";
import {
  type DeclaredGroup,
  type GroupArgs,
  type Options,
  argsOf,
  lookup,
  manyGroups,
  oneGroup,
  withSource,
} from "./declarations";
import { isMany, many, type Resource, type Step, type Values } from "./steps";

export class Program {
  /** Whether each group names the data source that the service wants with its deletion. */
  readonly #namesSources: boolean;
  #groups: DeclaredGroup[] = [];
  readonly #options = new Map<Resource, Partial<Options>>();
  /** The ID of the group that `UserGroup.get` reads. */
  lookedUp: string | undefined;
  /** How the declared groups were at a former step. */
  #former: readonly DeclaredGroup[] | undefined;

  constructor({ deleteNeeds }: Pick<Choices, "deleteNeeds">) {
    this.#namesSources = deleteNeeds === "all";
  }

  get groups(): readonly DeclaredGroup[] {
    return this.#groups;
  }

  refusesAdoption(resource: Resource): boolean {
    return this.#optionsOf(resource).adopts === false;
  }

  /** The resources, in the order in which their groups were declared. */
  get resources(): Declared[] {
    const sets = many.options.flatMap((name) => {
      const groups = this.#groups.filter(({ resource }) => resource === name);
      return groups.length > 0 ? [manyGroups(name, groups, this.#optionsOf(name))] : [];
    });
    const others = this.#groups.filter(({ resource }) => !isMany(resource));
    const { lookedUp } = this;
    return [
      ...(lookedUp === undefined ? [] : [lookup(lookedUp)]),
      ...others.map((group) => oneGroup(group.resource, group, this.#optionsOf(group.resource))),
      ...sets,
    ];
  }

  /** Whether the step was one of the program, and was possible. */
  take(step: Step): boolean {
    switch (step.do) {
      case "declare":
      case "declare among many":
        return this.#declare(step);
      case "declare somebody else's":
        return this.#declare(step) && this.#set(step.resource, { adopts: false });
      case "change":
        return this.#change(step.id, ({ keepers }) => ({
          ...this.#newArgs(step.values),
          ...(keepers && { keepers }),
        }));
      case "change keepers":
        return this.setKeepers(step.id, step.keepers);
      case "change ID":
        return !this.#has(step.to) && this.#put(step.id, { userGroupId: step.to });
      case "remember program":
        this.#former = this.#groups;
        return true;
      case "restore program":
        if (this.#former) this.#groups = [...this.#former];
        return true;
      case "swap IDs":
        return this.#swap(step.id, step.to);
      case "move":
        return this.#isFree(step.to) && this.#put(step.id, { resource: step.to });
      case "remove":
        return this.remove(step.id);
      default:
        return this.#setOption(step);
    }
  }

  remove(userGroupId: string): boolean {
    return this.#put(userGroupId, undefined);
  }

  /** `keepers`: "none", or any other string. */
  setKeepers(userGroupId: string, keepers: string): boolean {
    return this.#change(userGroupId, ({ keepers: before, ...args }) => {
      return keepers === "none" ? args : { ...args, keepers: { rotation: keepers } };
    });
  }

  /** Nothing that makes an up fail by itself. */
  simplify(): void {
    for (const resource of this.#options.keys()) this.#set(resource, { adopts: true, isRetained: false });
    this.lookedUp = undefined;
  }

  allowAdoption(): void {
    for (const resource of this.#options.keys()) this.#set(resource, { adopts: true });
  }

  #setOption(step: Step): boolean {
    switch (step.do) {
      case "look up":
        this.lookedUp = step.id === "none" ? undefined : step.id;
        return true;
      case "set adopt":
        return this.#set(step.resource, { adopts: step.adopt });
      case "set retainOnDelete":
        return this.#set(step.resource, { isRetained: step.retains });
      case "set connection":
        return this.#set(step.resource, { isConnected: step.isNamed });
      default:
        return false;
    }
  }

  #optionsOf(resource: Resource): Partial<Options> {
    return this.#options.get(resource) ?? {};
  }

  #set(resource: Resource, options: Partial<Options>): boolean {
    this.#options.set(resource, { ...this.#optionsOf(resource), ...options });
    return true;
  }

  #declare({
    resource,
    id: userGroupId,
    values,
  }: {
    resource: Resource;
    id: string;
    values: Values;
  }): boolean {
    if (this.#has(userGroupId) || !this.#isFree(resource)) return false;
    this.#groups.push({ resource, userGroupId, args: this.#newArgs(values) });
    return true;
  }

  #swap(one: string, other: string): boolean {
    if (one === other || !this.#has(one) || !this.#has(other)) return false;
    const swapped: Record<string, string> = { [one]: other, [other]: one };
    this.#groups = this.#groups.map((group) => {
      return { ...group, userGroupId: swapped[group.userGroupId] ?? group.userGroupId };
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
    return true;
  }

  #has(userGroupId: string): boolean {
    return this.#groups.some((group) => group.userGroupId === userGroupId);
  }

  #isFree(resource: Resource): boolean {
    return isMany(resource) || !this.#groups.some((group) => group.resource === resource);
  }

  #newArgs(values: Values): GroupArgs {
    return this.#namesSources ? withSource(values) : argsOf(values);
  }
}
