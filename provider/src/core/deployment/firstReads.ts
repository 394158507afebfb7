/**
 * A refresh that finds no group probably uses the API token of another account, where each read would create a group. So the
 * first reads of a service decide whether the others are tried.
 */
import { cannot, type Subject } from "../../errors";

/** So many reads that find no group stop the others. */
const limit = 3;

interface Reads {
  created: number;
  hasFound: boolean;
  /** They never reject. */
  readonly running: Set<Promise<unknown>>;
}

export class FirstReads {
  readonly #services = new Map<string, Reads>();

  /** Runs a read of a service. Error: nothing-found, if the first three reads of the service found no group. */
  async run<Result extends { isNew: boolean }>(
    service: string,
    subject: Subject,
    read: () => Promise<Result>,
  ): Promise<Result> {
    const reads = this.#services.get(service) ?? { created: 0, hasFound: false, running: new Set() };
    this.#services.set(service, reads);
    while (!reads.hasFound && reads.created + reads.running.size >= limit) {
      if (reads.created >= limit) throw nothingFound(subject);
      await Promise.race(reads.running);
    }
    const result = read();
    const ended: Promise<unknown> = result
      .then(({ isNew }) => {
        if (isNew) reads.created += 1;
        else reads.hasFound = true;
      })
      .catch(() => undefined)
      .then(() => reads.running.delete(ended));
    reads.running.add(ended);
    return result;
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
