/** The requests of `doctor --probe`: it creates, changes and deletes one group of its own, at most ten requests. */
import { randomUUID } from "node:crypto";
import * as z from "zod";
import { getOrCreateResponse } from "../../service/contract";
import { systemClock, TimeBudget } from "../../service/http/clock";
import { requestJson, type RequestContext } from "../../service/http/jsonRequest";
import type { Settings } from "../../settings/readSettings";
import type { JsonObject } from "../../values";

/** One request, without a second attempt, and its response. */
export interface ProbeExchange {
  readonly sent: JsonObject;
  readonly status: number;
  readonly milliseconds: number;
  /** The field `success` of the response: 1, or 0 for a refusal. */
  readonly success: number | undefined;
  /** The response, if it is one to a get-or-create. */
  readonly created: z.infer<typeof getOrCreateResponse> | undefined;
}

/** The fields that identify the group in a deletion. `all`: with a data source. */
export type Way = "id" | "token" | "both" | "all";
export type Step = "create" | "change" | "omit" | Way | `create after ${Way}` | "gone";
export type Steps = Partial<Record<Step, ProbeExchange>>;

const prefix = "pulumi-user-groups-probe-";
const maxRequests = 10;
/** Seconds for one request: a third of the time of an operation. */
const longestRequest = 20;

/** Blanks and mixed case show whether the service normalizes values. */
const changed = { name: "Probe  Two ", properties: { Probe: " Two " } };

export function newProbeId(): string {
  return prefix + randomUUID().slice(0, 8);
}

export function isProbeId(id: string): boolean {
  return id.startsWith(prefix);
}

export class Probe {
  readonly steps: Steps = {};
  #count = 0;
  #token: string | undefined;
  #mayExist = false;
  /** Deletions that report success, and after which the group still exists. */
  readonly #useless = new Set<Way>();

  /** When `signal` aborts, no request begins, except those of `remove`. */
  constructor(
    private readonly settings: Settings,
    private readonly userGroupId: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Throws if there is no response, or after the signal. */
  async run(): Promise<void> {
    await this.#getOrCreate("create", { name: "Probe  One " });
    if (this.#token === undefined) return;
    await this.#getOrCreate("change", changed);
    await this.#getOrCreate("omit", { name: changed.name });
    for (const way of ["id", "token"] as const)
      if (await this.#delete(way, way)) await this.#createAfter(way);
    const way = (await this.#delete("both", "both")) ? "both" : "all";
    if (way === "all" && !(await this.#delete("all", "all"))) return;
    if (!recreatedIn(this.steps)) {
      await this.#createAfter(way);
      if (this.#useless.has(way)) return;
      await this.#delete(way, way);
    }
    await this.#delete("gone", way);
  }

  /** Deletes the group if it may exist. Returns whether it may still exist. `isLeft`: a former probe left it. */
  async remove(isLeft: boolean): Promise<boolean> {
    if (!this.#mayExist && !isLeft) return false;
    try {
      if (this.#token === undefined) await this.#request("GET", { name: changed.name });
      for (const way of ["both", "all"] as const)
        if ((await this.#request("DELETE", this.#fields(way))).success === 1 && !this.#useless.has(way))
          return false;
    } catch {
      // The caller names the command that deletes the group.
    }
    return true;
  }

  async #getOrCreate(step: Step, values: JsonObject): Promise<void> {
    this.signal.throwIfAborted();
    const existed = this.#mayExist;
    this.#mayExist = true;
    const { status, success } = (this.steps[step] = await this.#request("GET", values));
    if (success === 0 || (status >= 400 && status < 500)) this.#mayExist = existed;
  }

  async #createAfter(way: Way): Promise<void> {
    await this.#getOrCreate(`create after ${way}`, changed);
    if (this.steps[`create after ${way}`]?.created?.new_user_group === false) this.#useless.add(way);
  }

  /** Returns whether the service reports success. */
  async #delete(step: Step, way: Way): Promise<boolean> {
    this.signal.throwIfAborted();
    const { success } = (this.steps[step] = await this.#request("DELETE", this.#fields(way)));
    if (success === 1 && !this.#useless.has(way)) this.#mayExist = false;
    return success === 1;
  }

  #fields(way: Way): JsonObject {
    return {
      ...(way !== "token" && { user_group_id: this.userGroupId }),
      ...(way !== "id" && { current_token: this.#token }),
      ...(way === "all" && { data_source_provided_id: this.userGroupId }),
    };
  }

  async #request(method: "GET" | "DELETE", values: JsonObject): Promise<ProbeExchange> {
    if (this.#count++ >= maxRequests) throw new Error("ten requests were not enough");
    const { baseUrl, apiToken } = this.settings;
    const sent = method === "GET" ? { user_group_id: this.userGroupId, ...values } : values;
    const service = { url: new URL(`${baseUrl}/api/user`), authorization: `Token ${apiToken}` };
    const start = performance.now();
    const { status, body } = await requestJson({ ...service, method, body: sent }, onlyAttempt());
    const milliseconds = performance.now() - start;
    const created = getOrCreateResponse.safeParse(body).data;
    this.#token = created?.user_group.token ?? this.#token;
    return { sent, status, milliseconds, success: outcome.safeParse(body).data?.success, created };
  }
}

/** The exchange that created the group again after a deletion, which proves the deletion. */
export function recreatedIn(steps: Steps): ProbeExchange | undefined {
  const ways = ["id", "token", "both", "all"] as const;
  return ways
    .map((way) => steps[`create after ${way}`])
    .find((exchange) => exchange?.created?.new_user_group === true);
}

const outcome = z.object({ success: z.number() });

/** A context in which nothing is retried. */
function onlyAttempt(): RequestContext {
  return {
    clock: systemClock,
    budget: new TimeBudget(longestRequest * 3, systemClock),
    maxConnections: 1,
    signal: new AbortController().signal,
    isFinal: () => true,
    onRetry: ({ message }) => {
      throw new Error(message);
    },
  };
}
