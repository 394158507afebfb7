import type { Emulator } from "../../provider/src/testing";
import {
  Deadline,
  exchange,
  type JsonAnswer,
  type JsonRequest,
  type Limits,
} from "../../provider/src/transport";
import { TransportError } from "../../provider/src/transportError";

export const methods = ["GET", "DELETE"] as const;

export interface Ask {
  readonly method?: JsonRequest["method"];
  /** Default: the service's own path. */
  readonly url?: string;
  readonly body?: object;
  /** Default: a minute. */
  readonly deadline?: Deadline;
  readonly maxConnections?: number;
  /** Default: no body is. */
  readonly isLastWord?: Limits["isLastWord"];
}

/** Where a service is, and its API token. */
export type Service = Pick<Emulator, "baseUrl" | "apiToken">;

/** Asks the service for the group "acme", or for its deletion. */
export async function ask(service: Service, asked: Ask = {}): Promise<JsonAnswer> {
  const { method = "GET", url = `${service.baseUrl}/api/user`, maxConnections = 16 } = asked;
  const { body = { user_group_id: "acme", name: "Acme" }, isLastWord = () => false } = asked;
  const { deadline = new Deadline(60) } = asked;
  const request = { method, url: new URL(url), authorization: `Token ${service.apiToken}`, body };
  return exchange(request, { deadline, maxConnections, isLastWord });
}

/** The error of a request that fails. */
export async function faultOf(answer: Promise<JsonAnswer>): Promise<TransportError> {
  try {
    await answer;
  } catch (error) {
    if (error instanceof TransportError) return error;
    throw error;
  }
  throw new Error("The request didn't fail.");
}

/** A deadline that no clock moves: what each attempt gets, and what is left after each; the last of it for good. */
export class FixedDeadline extends Deadline {
  readonly #attempts: number[];
  readonly #rests: number[];

  constructor({ attempts = [60_000], rests = [60_000] }: { attempts?: number[]; rests?: number[] }) {
    super(60);
    this.#attempts = attempts;
    this.#rests = rests;
  }

  override get attemptMilliseconds(): number {
    return next(this.#attempts);
  }

  override get remainingMilliseconds(): number {
    return next(this.#rests);
  }
}

function next(values: number[]): number {
  return (values.length > 1 ? values.shift() : values[0]) ?? 0;
}
