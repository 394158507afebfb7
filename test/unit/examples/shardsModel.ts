import assert from "node:assert/strict";
import { decide, refuseEarly, type Recorded } from "../../../examples/shards/decide";
import type { Plan } from "../../../examples/shards/deploymentPlan";
import { groupOf, shardOf, type Lists } from "../../../examples/shards/sharding";

/** The groups in the service and in each shard's state, as deployments change them. */
export class ShardsModel {
  readonly #service = new Set<string>();
  readonly #states = new Map<string, Recorded>();

  /** Says whether the deployment was possible. `refused` has the groups that the service refuses, by shard. */
  deploy(lists: Lists, refused: Readonly<Record<string, readonly string[]>> = {}): boolean {
    const plan = this.#decide(lists);
    for (const stage of plan?.stages ?? []) {
      if (stage === plan?.stages[1]) refuseEarly(stage, lists, this.#states);
      for (const shard of stage)
        this.#bringUp(shard, lists, plan?.removed === "delete", refused[shard] ?? []);
      if (stage.some((shard) => this.#states.get(shard)?.hasFailed)) break;
    }
    return plan !== undefined;
  }

  /** A state may still have a group that another shard has deleted; the next deployment settles that. */
  assertNothingLost(): void {
    const recorded = new Set([...this.#states.values()].flatMap(({ groups }) => [...groups.keys()]));
    for (const id of this.#service) assert(recorded.has(id), `No shard has recorded ${id}`);
  }

  /** Asserts that the service has the listed customers, and each shard has recorded its own. */
  assertSpread({ customers, shards }: Lists): void {
    const ids = customers.map(({ id }) => id);
    assert.deepEqual([...this.#service].sort(), ids);
    for (const [shard, { groups }] of this.#states)
      assert.deepEqual(
        [...groups.keys()].sort(),
        ids.filter((id) => shardOf({ id }, shards) === shard),
      );
  }

  #decide(lists: Lists): Plan | undefined {
    try {
      return decide(lists, this.#states);
    } catch {
      return undefined;
    }
  }

  /** As UserGroups does it: what is refused stays as it was, and the rest is done and recorded. */
  #bringUp(shard: string, lists: Lists, deletes: boolean, refused: readonly string[]): void {
    const former = this.#states.get(shard)?.groups ?? new Map<string, unknown>();
    const own = lists.customers.filter((customer) => shardOf(customer, lists.shards) === shard);
    const wanted = new Map(own.map((customer) => [customer.id, groupOf(customer)]));
    const groups = new Map([...wanted].filter(([id]) => former.has(id) || !refused.includes(id)));
    for (const id of groups.keys()) if (!former.has(id)) this.#service.add(id);
    const deleted = [...former.keys()].filter((id) => deletes && !wanted.has(id));
    for (const id of deleted) {
      assert(!lists.customers.some((customer) => customer.id === id), `${id} is listed and deleted`);
      if (refused.includes(id)) groups.set(id, groupOf({ id, name: id }));
      else this.#service.delete(id);
    }
    this.#states.set(shard, {
      groups,
      hasFailed: [...wanted.keys(), ...deleted].some((id) => refused.includes(id)),
    });
  }
}
