/** The requests of `doctor --probe`: it creates, changes and deletes one group of its own, at most ten requests. */
import { randomUUID } from "node:crypto";
import { deleteResponse, getOrCreateResponse } from "../../service/contract";
import { agentFor } from "../../service/http/agents";
import { send } from "../../service/http/attempt";
import { toTransportError } from "../../service/http/transportError";
import type { Settings } from "../../settings/readSettings";
import type { JsonObject } from "../../values";

/** One request, without a second attempt, and its response. `body`: undefined if it isn't JSON. */
export interface Exchange {
  readonly sent: JsonObject;
  readonly status: number;
  readonly body: unknown;
  readonly milliseconds: number;
}

/** The fields that identify the group in a deletion. `all`: with a data source. */
export type Way = "id" | "token" | "both" | "all";
export type Step = "create" | "change" | "omit" | Way | `create after ${Way}` | "gone";
export type Steps = Partial<Record<Step, Exchange>>;

const prefix = "pulumi-user-groups-probe-";
const maxRequests = 10;
const maxMilliseconds = 20_000;

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
      if (await this.#delete(way, way)) await this.#getOrCreate(`create after ${way}`, changed);
    const way = (await this.#delete("both", "both")) ? "both" : "all";
    if (way === "all" && !(await this.#delete("all", "all"))) return;
    if (!this.steps["create after id"] && !this.steps["create after token"]) {
      await this.#getOrCreate(`create after ${way}`, changed);
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
        if (deleteResponse.safeParse((await this.#request("DELETE", this.#fields(way))).body).success)
          return false;
    } catch {
      // The caller names the command that deletes the group.
    }
    return true;
  }

  async #getOrCreate(step: Step, values: JsonObject): Promise<void> {
    this.signal.throwIfAborted();
    this.#mayExist = true;
    const { status, body } = (this.steps[step] = await this.#request("GET", values));
    if (status < 500 && !getOrCreateResponse.safeParse(body).success)
      this.#mayExist = this.#token !== undefined;
  }

  /** Returns whether the service reports success. */
  async #delete(step: Step, way: Way): Promise<boolean> {
    this.signal.throwIfAborted();
    const exchange = (this.steps[step] = await this.#request("DELETE", this.#fields(way)));
    const isDeleted = deleteResponse.safeParse(exchange.body).success;
    if (isDeleted) this.#mayExist = false;
    return isDeleted;
  }

  #fields(way: Way): JsonObject {
    return {
      ...(way !== "token" && { user_group_id: this.userGroupId }),
      ...(way !== "id" && { current_token: this.#token }),
      ...(way === "all" && { data_source_provided_id: this.userGroupId }),
    };
  }

  async #request(method: "GET" | "DELETE", values: JsonObject): Promise<Exchange> {
    if (this.#count++ >= maxRequests) throw new Error("ten requests were not enough");
    const { baseUrl, apiToken } = this.settings;
    const attempt = { method, url: new URL(`${baseUrl}/api/user`), authorization: `Token ${apiToken}` };
    const sent = method === "GET" ? { user_group_id: this.userGroupId, ...values } : values;
    const signal = AbortSignal.timeout(maxMilliseconds);
    const start = performance.now();
    try {
      const conditions = { agent: agentFor(attempt.url, 1), signal, onSent: () => undefined };
      const { status, bytes } = await send(attempt, JSON.stringify(sent), conditions);
      const body = parsed(bytes);
      this.#token = getOrCreateResponse.safeParse(body).data?.user_group.token ?? this.#token;
      return { sent, status, body, milliseconds: performance.now() - start };
    } catch (error) {
      throw toTransportError(error, { isTimedOut: signal.aborted, isSent: true });
    }
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
