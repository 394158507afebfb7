/** A command of a history, and what came of it: all that the oracle knows. */
import type { ResourceState } from "../../support/model/resources";
import type { Declared } from "../../support/model/resources";
import type { Outcome } from "../../support/model/run";
import type { Command } from "../program";
import type { Instance, SeenRequest } from "../service";

/** A request and the operation of the engine that made it. */
export interface StepRequest extends SeenRequest {
  readonly resource: string;
  readonly operation: string;
  /** The state at that moment. */
  readonly states: readonly ResourceState[];
}

/** What a preview said just before an `up`. */
export interface Preview {
  readonly outcome: Outcome;
  readonly printed: readonly string[];
  readonly requests: number;
}

export interface Step {
  readonly command: Command;
  readonly title: string;
  /** When it began, in milliseconds since 1970. */
  readonly time: number;
  /** Empty for `destroy`. */
  readonly program: readonly Declared[];
  /** Names of resources that the engine replaces by itself, so that no diff can announce it. */
  readonly replaced: readonly string[];
  /** Whether it runs with the API token of another account. */
  readonly isElsewhere: boolean;
  /** Whether the program may declare a resource only after the operations on those before it. */
  readonly pauses: boolean;
  /** Whether the state was lost, and the program finds its groups again. */
  readonly findsAgain: boolean;
  readonly before: readonly ResourceState[];
  readonly after: readonly ResourceState[];
  /** The groups in the service when it began. */
  readonly living: ReadonlySet<Instance>;
  readonly requests: readonly StepRequest[];
  readonly outcome: Outcome;
  readonly printed: readonly string[];
  /** Of an `up`. If it failed, the `up` didn't begin, except with --skip-preview. */
  readonly preview: Preview | undefined;
}

export function isSuccess({ outcome }: Step): boolean {
  return outcome.failures.length === 0 && !outcome.wasKilled;
}

/** The errors and the other lines that a command printed. */
export function messagesOf({ outcome, printed }: Pick<Step, "outcome" | "printed">): string[] {
  return [...outcome.failures.map(({ message }) => message), ...printed];
}

/** The service's response arrived. */
export function isDelivered({ entry }: SeenRequest): boolean {
  return entry.status === 200;
}

/** The groups that a message names, such as `"acme"`: IDs in the service, and those of their customers. */
export function namedIn(message: string): string[] {
  return [...message.matchAll(/"([a-z]\d*)(~[0-9a-f]{8})?"/gi)].flatMap(([, id = "", digest]) =>
    digest === undefined ? [id] : [id, id + digest],
  );
}

/** guard: `removed` or `deletionLimit`. remedy: no message helps. */
type Invariant = 1 | 2 | 3 | 4 | 5 | 6 | "guard" | "remedy";

/** Which invariant a step broke, and how. */
export class BrokenInvariant extends Error {
  constructor(
    readonly invariant: Invariant,
    message: string,
  ) {
    super(`Invariant ${invariant}: ${message}`);
  }
}

export function breaks(invariant: Invariant, message: string): never {
  throw new BrokenInvariant(invariant, message);
}
