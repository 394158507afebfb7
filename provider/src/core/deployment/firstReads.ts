import pLimit, { type LimitFunction } from "p-limit";
import { cannot, type Subject } from "../../errors";
import { getOrAdd } from "../../values";

/** So many reads that find no group stop the others, because each would create a group in another account. */
const limit = 3;

export class FirstReads {
  readonly #services = new Map<string, { created: number; readonly queue: LimitFunction }>();

  /** Runs a read of a service. Error: nothing-found, if the first three reads of the service found no group. */
  run<Result extends { isNew: boolean }>(service: string, subject: Subject, read: () => Promise<Result>) {
    const reads = getOrAdd(this.#services, service, () => ({ created: 0, queue: pLimit(limit) }));
    return reads.queue(async () => {
      if (reads.created >= limit) throw nothingFound(subject);
      const result = await read();
      if (!result.isNew) reads.queue.concurrency = Infinity;
      else if (reads.queue.concurrency <= limit) {
        reads.created += 1;
        reads.queue.concurrency = Math.max(1, limit - reads.created);
      }
      return result;
    });
  }
}

function nothingFound(subject: Subject) {
  return cannot(
    subject,
    "nothing-found",
    "the first three reads of this service found no group, so the API token probably belongs to another account",
    "No request was sent for this group. Check the API token and the address, then refresh again: a refresh with the right " +
      "ones restores every token. If the groups are really gone, create them again on purpose: run pulumi up --replace " +
      "<urn> for each resource. To delete what is left, run pulumi destroy without --refresh.",
  );
}
