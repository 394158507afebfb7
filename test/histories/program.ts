/** The program of a history: which resource declares which group, each group at most once. */
import type { Declared } from "../faults/model/records";
import type { Resource, Step, Values } from "./steps";

/** A group as the program declares it. */
export interface DeclaredGroup {
  readonly resource: Resource;
  readonly userGroupId: string;
  readonly args: { readonly name: string; readonly mapping?: object; readonly properties?: object };
}

export class Program {
  /** Whether each group names the data source that the service wants with its deletion. */
  readonly #namesSources: boolean;
  #groups: DeclaredGroup[] = [];

  constructor(namesSources: boolean) {
    this.#namesSources = namesSources;
  }

  get groups(): readonly DeclaredGroup[] {
    return this.#groups;
  }

  /** The resources, in the order in which their groups were declared. */
  get resources(): Declared[] {
    const many = this.#groups.filter(({ resource }) => resource === "many");
    const groups = Object.fromEntries(many.map(({ userGroupId, args }) => [userGroupId, args]));
    return [
      ...this.#groups
        .filter(({ resource }) => resource !== "many")
        .map(({ resource, userGroupId, args }): Declared => {
          return { name: resource, provider: "userGroup", args: { userGroupId, ...args } };
        }),
      ...(many.length > 0 ? [{ name: "many", provider: "userGroups" as const, args: { groups } }] : []),
    ];
  }

  /** Whether the step was one of the program, and could be taken. */
  take(step: Step): boolean {
    switch (step.do) {
      case "declare":
        return this.#declare({ ...step, userGroupId: step.id });
      case "declare among many":
        return this.#declare({ ...step, userGroupId: step.id, resource: "many" });
      case "change":
        return this.#put(step.id, { args: this.#argsOf(step.values) });
      case "change ID":
        return !this.#has(step.to) && this.#put(step.id, { userGroupId: step.to });
      case "move":
        return this.#isFree(step.to) && this.#put(step.id, { resource: step.to });
      case "remove":
        return this.#put(step.id, undefined);
      default:
        return false;
    }
  }

  #declare({
    resource,
    userGroupId,
    values,
  }: {
    resource: Resource;
    userGroupId: string;
    values: Values;
  }): boolean {
    if (this.#has(userGroupId) || !this.#isFree(resource)) return false;
    this.#groups.push({ resource, userGroupId, args: this.#argsOf(values) });
    return true;
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
    return resource === "many" || !this.#groups.some((group) => group.resource === resource);
  }

  #argsOf({ name, mapping, properties }: Values): DeclaredGroup["args"] {
    const chosen = this.#namesSources && mapping === "none" ? "small" : mapping;
    return {
      name,
      ...(chosen !== "none" && { mapping: mappings[chosen] }),
      ...(properties !== "none" && { properties: propertySets[properties] }),
      ...(this.#namesSources && { dataSourceProvidedId: "warehouse" }),
    };
  }
}

const mappings = { small: { sales: "warehouse" }, large: { sales: "warehouse", stock: 2 } };
const propertySets = { empty: {}, flat: { region: "eu" }, deep: { plan: { seats: [1, null, { x: "é" }] } } };
