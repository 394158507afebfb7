/**
 * Collects what one deployment (one run of `pulumi up`, `preview`, …) declares and does, by group.
 *
 * Get-or-create returns an existing group to a second resource as well: after a rename without an alias, a move between
 * resources, `--replace`, `state taint`. The engine deletes the first resource at the end of that run or of a later one.
 * The tracker prevents the deletion of the group, and a state with a mapping that the service doesn't have.
 */
import { isEqual, isUnknown } from "../values";
import { changedFields, keeperFields, replacingFields } from "./changes";
import type { Group, StoredGroup } from "./storedGroup";

/** The service and the group in it, as one string. */
export type GroupKey = string;

/** The values of a group in a program or a state; some may be unknown in a preview. */
export type GroupValues = Partial<Record<keyof Group, unknown>>;

export type KeyedGroups = ReadonlyMap<GroupKey, GroupValues>;

export interface Declaration {
  /** Identifies the resource; undefined: not known. */
  readonly resource: string | undefined;
  /** The groups that the program declares. */
  readonly groups: KeyedGroups;
  /** The groups in the resource's recorded inputs; undefined if the engine passed none. */
  readonly recorded: KeyedGroups | undefined;
}

/** The problems of a declaration, by group. */
export interface Findings {
  /** Another resource of the program declares the same group. */
  readonly declaredTwice: readonly GroupKey[];
  /** An update, which the engine runs first, deletes the group. */
  readonly deletedEarlier: readonly GroupKey[];
  /** The same, but this resource has the group already, and would keep the token of a deleted group. */
  readonly lost: readonly GroupKey[];
  /** The group moves between resources, with other values. */
  readonly movedWithChanges: readonly GroupKey[];
}

interface Entry {
  /** The resources that declare the group. */
  readonly resources: Set<string>;
  isDeclared: boolean;
  /** A lookup (`get`) of this program reads the group. */
  isLookedUp: boolean;
  /** The values that the program declares. */
  declared?: GroupValues;
  /** The values in the state of a resource that doesn't declare the group any more. */
  left?: GroupValues;
  /** The values in the state of the resource that declares the group. */
  own?: GroupValues;
  /**
   * The mapping of the resource that has the group now. `isCertain`: this stack has set it in the service, in this
   * deployment or when it created the group with `token`.
   */
  holder?: { readonly mapping: unknown; readonly isCertain: boolean; readonly token?: unknown };
  /** The group as a resource has last read it, if this deployment hasn't changed it since. */
  lastRead?: StoredGroup;
  /** The end of the operations that have begun. */
  turn: Promise<unknown>;
  /** The state of a group that the engine deletes before it creates it again, if it replaces the resource. */
  deletedFirst?: StoredGroup;
  isReplaced: boolean;
  isDeleted: boolean;
  isLeaving: boolean;
}

export class DeploymentTracker {
  readonly #entries = new Map<GroupKey, Entry>();
  #hasProgram = false;

  /**
   * Whether the program has begun to declare resources. A refresh calls diff before that, or without any program, and
   * does nothing with the result.
   */
  get hasProgram(): boolean {
    return this.#hasProgram;
  }

  /** check: the program declares groups. The engine checks a resource again, without olds, before it replaces it. */
  declare({ resource, groups, recorded }: Declaration): Findings {
    this.#hasProgram = true;
    for (const [key, values] of recorded ?? []) if (!groups.has(key)) this.#entry(key).left = values;
    const keys = [...groups.keys()];
    const declaredTwice = keys.filter((key) => this.#isDeclaredByAnother(key, resource));
    for (const [key, values] of groups) this.#noteDeclared(key, values, resource, recorded !== undefined);
    const leaving = keys.filter((key) => this.#entry(key).isLeaving);
    const isUnchanged = (key: GroupKey) => {
      const [former, values] = [recorded?.get(key), groups.get(key)];
      return former && values && changedFields(recreatingFields, former, values).length === 0;
    };
    return {
      declaredTwice,
      deletedEarlier: leaving.filter((key) => !isUnchanged(key)),
      lost: leaving.filter(isUnchanged),
      movedWithChanges: [...new Set([...keys, ...(recorded?.keys() ?? [])])].filter((key) =>
        this.#isMoved(key),
      ),
    };
  }

  /** diff: the resource has the group. `state`: its outputs. `created`: it created the group, with this token. */
  noteOwn(key: GroupKey, state: GroupValues, created?: { readonly token: unknown }): void {
    const entry = this.#entries.get(key);
    if (!entry?.isDeclared) return;
    entry.own = state;
    entry.holder ??= { mapping: state.mapping, isCertain: created !== undefined, ...created };
  }

  /**
   * Runs the operations on one group one after the other. Otherwise a resource could adopt the group while the deletion by
   * another one is under way, and its state would have a group that is gone.
   */
  inTurn<Result>(key: GroupKey, operation: () => Promise<Result>): Promise<Result> {
    const entry = this.#entry(key);
    const result = entry.turn.then(operation);
    entry.turn = result.then(nothing, nothing);
    return result;
  }

  /**
   * Reads a group of a state. If another resource has read the group with another token than `stored` has, then `stored` is
   * stale: it takes that resource's values, and no request is sent. A service that updates existing groups would otherwise
   * store the stale values.
   */
  async read(key: GroupKey, stored: StoredGroup, read: () => Promise<StoredGroup>): Promise<StoredGroup> {
    const entry = this.#entry(key);
    const { lastRead } = entry;
    if (!lastRead || lastRead.token === stored.token) return (entry.lastRead = await read());
    const { dataSourceProvidedId, keepers } = stored;
    return { ...lastRead, dataSourceProvidedId, keepers };
  }

  /** diff: if the engine replaces the resource, it deletes the group before it creates it again. */
  noteDeletedFirst(key: GroupKey, stored: StoredGroup): void {
    const entry = this.#entries.get(key);
    if (entry?.isDeclared) entry.deletedFirst = stored;
  }

  /** diff: the resource deletes the group and creates it again. */
  noteReplaced(key: GroupKey): void {
    const entry = this.#entries.get(key);
    if (entry?.isDeclared) entry.isReplaced = true;
  }

  /** diff: an update deletes the group, unless another resource has declared it. `state`: its outputs. */
  noteLeaving(key: GroupKey, state: GroupValues): void {
    const entry = this.#entry(key);
    entry.left = state;
    if (!entry.isDeclared) entry.isLeaving = true;
  }

  noteLookedUp(key: GroupKey): void {
    this.#entry(key).isLookedUp = true;
  }

  /** A resource has created, adopted or updated the group. `isCertain`: the service has its mapping from this stack. */
  noteHolder(key: GroupKey, mapping: unknown, isCertain: boolean): void {
    const entry = this.#entry(key);
    entry.holder = { mapping, isCertain };
    entry.isReplaced = false;
    delete entry.lastRead;
    if (!isCertain) return;
    delete entry.left;
    delete entry.own;
  }

  noteDeleted(key: GroupKey): void {
    const entry = this.#entry(key);
    entry.isDeleted = true;
    delete entry.lastRead;
    delete entry.left;
    delete entry.own;
  }

  /** Whether the group is deleted only to be created again. */
  isReplaced(key: GroupKey): boolean {
    return this.#entries.get(key)?.isReplaced ?? false;
  }

  /**
   * The state of a group that should have been deleted before its creation, but wasn't deleted in this deployment. Either
   * the deletion was skipped (retainOnDelete), or an earlier deployment deleted it and ended before it recorded the
   * creation.
   */
  undeleted(key: GroupKey): StoredGroup | undefined {
    const entry = this.#entries.get(key);
    return entry?.isReplaced && !entry.isDeleted ? entry.deletedFirst : undefined;
  }

  /** Whether the stack's state has other values for the group than `group`, as far as this deployment has seen. */
  hasOtherValues(key: GroupKey, group: Group): boolean {
    const entry = this.#entries.get(key);
    const values = entry?.left ?? entry?.own;
    return values !== undefined && changedFields(recreatingFields, values, group).length > 0;
  }

  /** Whether a resource of the program declares or looks up the group, so that another resource must not delete it. */
  isUsedElsewhere(key: GroupKey): boolean {
    const entry = this.#entries.get(key);
    return entry !== undefined && (entry.isDeclared || entry.isLookedUp);
  }

  /**
   * Whether the state of the resource that has the group may contain another mapping than the service has. `former`: the
   * group in the state of the resource that is deleted. If both states have the same token, the holder didn't create the
   * group, even if its state says so after a failed attempt.
   */
  isMappingInDoubt(key: GroupKey, former: StoredGroup): boolean {
    const entry = this.#entries.get(key);
    if (!entry?.isDeclared || entry.isReplaced) return false;
    const { holder, declared } = entry;
    if (isEqual(holder ? holder.mapping : declared?.mapping, former.mapping)) return false;
    return !holder?.isCertain || holder.token === former.token;
  }

  #isDeclaredByAnother(key: GroupKey, resource: string | undefined): boolean {
    const resources = this.#entries.get(key)?.resources ?? new Set();
    return resource !== undefined && [...resources].some((other) => other !== resource);
  }

  #noteDeclared(
    key: GroupKey,
    values: GroupValues,
    resource: string | undefined,
    hasRecorded: boolean,
  ): void {
    const entry = this.#entry(key);
    if (!hasRecorded && entry.deletedFirst) entry.isReplaced = true;
    entry.isDeclared = true;
    entry.declared = values;
    if (resource !== undefined) entry.resources.add(resource);
  }

  #isMoved(key: GroupKey): boolean {
    const { declared, left, holder } = this.#entry(key);
    if (!declared || !left || holder?.isCertain) return false;
    return changedFields(replacingFields, left, declared).some((field) => !isUnknown(declared[field]));
  }

  #entry(key: GroupKey): Entry {
    const entry = this.#entries.get(key) ?? {
      resources: new Set<string>(),
      isDeclared: false,
      isLookedUp: false,
      isReplaced: false,
      isDeleted: false,
      isLeaving: false,
      turn: Promise.resolve(),
    };
    this.#entries.set(key, entry);
    return entry;
  }
}

/** If the stack's state has other values of these fields, the resource that adopts the group recreates it. */
const recreatingFields = [...replacingFields, ...keeperFields];

function nothing(): void {
  return undefined;
}
