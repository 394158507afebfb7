import { isDeepStrictEqual } from "node:util";
import { groupsIn } from "../model/groups";
import { type DeclaredGroup, nonEmpty, significant, storedOf, storedValues } from "./declarations";
import type { Provenance } from "./provenance";
import { isTargeted, type Run, requestsTo } from "./driver";

/** Groups that are exactly as the program says, with what it said when this was seen. */
export class SettledGroups {
  readonly #settled = new Map<string, DeclaredGroup>();

  constructor(private readonly provenance: Provenance) {}

  /** Whether the program says of a settled group what it said then. */
  has({ userGroupId, resource, args }: DeclaredGroup): boolean {
    const settled = this.#settled.get(userGroupId);
    return settled?.resource === resource && isDeepStrictEqual(significant(settled.args), significant(args));
  }

  forget(userGroupId: string): void {
    this.#settled.delete(userGroupId);
  }

  clear(): void {
    this.#settled.clear();
  }

  /** An update has settled what it left as the program says. */
  noteSuccess(run: Run): void {
    for (const userGroupId of this.#settled.keys())
      if (!this.#isKnown(userGroupId)) this.#settled.delete(userGroupId);
    if (run.step.do === "refresh") return;
    this.clear();
    if (run.step.do === "destroy") return;
    for (const group of this.provenance.program.groups)
      if (this.#isExact(group, run) && !this.#isAdopted(group, run))
        this.#settled.set(group.userGroupId, group);
  }

  /** Whether the state can know what the service has. */
  #isKnown(userGroupId: string): boolean {
    return !this.provenance.misshown.has(userGroupId) && !this.provenance.unverified.has(userGroupId);
  }

  /** Whether the service has what the program says, and the state its token. */
  #isExact({ userGroupId, resource, args }: DeclaredGroup, { after }: Run): boolean {
    const { choices, emulator } = this.provenance;
    const group = emulator.groups.get(userGroupId);
    if (!group || !this.#isKnown(userGroupId)) return false;
    const own = groupsIn(after.filter(({ name }) => name === resource));
    const isToken = own.some((each) => each.userGroupId === userGroupId && each.token === group.token);
    return isToken && isDeepStrictEqual(storedOf(args, choices), storedValues(group));
  }

  /**
   * Whether the resource has got the group in this run, and not by its creation. Values that the service has normalized
   * then look like somebody else's: the next update replaces the group.
   */
  #isAdopted({ userGroupId, resource, args }: DeclaredGroup, { step, before }: Run): boolean {
    const own = before.resources.filter((each) => each.name === resource && !isTargeted(step, each));
    const creations = requestsTo(this.provenance.emulator).filter(
      (request) => request.userGroupId === userGroupId && request.effect === "created",
    );
    const isCreated = creations.some(({ fault }) => !fault);
    const isFormer =
      creations.length === 0 && groupsIn(own).some((group) => group.userGroupId === userGroupId);
    const { name, properties } = storedOf(args, this.provenance.choices);
    const isLiteral = name === args.name && isDeepStrictEqual(properties, nonEmpty(args.properties));
    return !isCreated && !isLiteral && !isFormer;
  }
}
