import type { Fault, FaultKind } from "./faults";

interface Waiting {
  readonly fault: Fault;
  skip: number;
  times: number;
}

/** The faults ordered and not yet used up. */
export class FaultQueue {
  #waiting: Waiting[] = [];

  /** Throws a `TypeError` for an unknown kind, so that a misspelt fault doesn't pass for a healthy service. */
  add(fault: Fault): void {
    if (!faultKinds.has(fault.kind))
      throw new TypeError(`Unknown kind of fault: ${JSON.stringify(fault.kind)}`);
    if (fault.kind === "respond" && typeof fault.respond !== "function")
      throw new TypeError('The fault "respond" needs a function "respond"');
    this.#waiting.push({ fault, skip: fault.skip ?? 0, times: fault.times ?? 1 });
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The fault that hits this request, if any. */
  take(method: string, userGroupId: string | undefined): Fault | undefined {
    for (const waiting of this.#waiting) {
      if (!fits(waiting.fault, method, userGroupId)) continue;
      if (waiting.skip > 0) waiting.skip -= 1;
      else if (waiting.times > 0) return this.#use(waiting);
    }
    return undefined;
  }

  #use(waiting: Waiting): Fault {
    waiting.times -= 1;
    if (waiting.times <= 0) this.#waiting = this.#waiting.filter((other) => other !== waiting);
    return waiting.fault;
  }
}

function fits(fault: Fault, method: string, userGroupId: string | undefined): boolean {
  return (
    (fault.method === undefined || fault.method === method) &&
    (fault.userGroupId === undefined || fault.userGroupId === userGroupId)
  );
}

const everyKind: Record<FaultKind["kind"], true> = {
  status: true,
  refuse: true,
  drop: true,
  delay: true,
  respond: true,
};
export const faultKinds: ReadonlySet<string> = new Set(Object.keys(everyKind));
