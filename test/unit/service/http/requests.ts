import { TimeBudget } from "../../../../provider/src/service/http/clock";
import type { JsonRequest } from "../../../../provider/src/service/http/attempt";
import {
  requestJson,
  type JsonResponse,
  type RequestContext,
} from "../../../../provider/src/service/http/jsonRequest";
import { TransportError } from "../../../../provider/src/service/http/transportError";
import type { Emulator } from "../../../../provider/src/testing";
import { jumpingClock } from "../../../harness/clock";

export const methods = ["GET", "DELETE"] as const;

/** The address of a service, and its API token. */
export type ServiceAccess = Pick<Emulator, "baseUrl" | "apiToken">;

export interface RequestOptions extends Partial<RequestContext> {
  readonly method?: JsonRequest["method"];
  /** Default: the service's path. */
  readonly url?: string;
  readonly body?: object;
}

/** Sends a request about the group "acme". Pauses take no time. */
export async function request(service: ServiceAccess, options: RequestOptions = {}): Promise<JsonResponse> {
  const { method = "GET", url = `${service.baseUrl}/api/user`, maxConnections = 16 } = options;
  const {
    body = { user_group_id: "acme", name: "Acme" },
    isFinal = () => false,
    onRetry = () => undefined,
  } = options;
  const { clock = jumpingClock(), budget = new TimeBudget(60, clock) } = options;
  const { signal = new AbortController().signal } = options;
  return requestJson(
    { method, url: new URL(url), authorization: `Token ${service.apiToken}`, body },
    { clock, budget, maxConnections, signal, isFinal, onRetry },
  );
}

/** The error of a request that fails. */
export async function faultOf(response: Promise<unknown>): Promise<TransportError> {
  try {
    await response;
  } catch (error) {
    if (error instanceof TransportError) return error;
    throw error;
  }
  throw new Error("The request didn't fail.");
}

/** A budget whose first attempt is cut short, so that a test waits for one that hangs no longer than necessary. */
export class ImpatientBudget extends TimeBudget {
  #attempts = 0;

  override get attemptMilliseconds(): number {
    this.#attempts += 1;
    return this.#attempts === 1 ? 100 : super.attemptMilliseconds;
  }
}
