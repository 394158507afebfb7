/** The requests of `doctor --probe`: it creates, changes and deletes one group of its own. */
import type * as z from "zod";
import { getOrCreateResponse, isRefusal } from "../../service/contract";
import { systemClock, TimeBudget } from "../../service/http/clock";
import { requestJson } from "../../service/http/jsonRequest";
import type { Settings } from "../../settings/readSettings";
import { isObject, type JsonObject } from "../../values";

/** One request of the probe, and its response. */
export interface Step {
  /** The fields of a deletion; undefined: a get-or-create. */
  readonly way: Way | undefined;
  readonly sent: JsonObject;
  readonly status: number;
  readonly milliseconds: number;
  /** The field `success` of the response: 1, or 0 for a refusal. */
  readonly success: unknown;
  readonly group?: z.infer<typeof getOrCreateResponse>["user_group"];
  readonly isNew?: boolean | undefined;
}

/** The fields that may identify the group in a deletion. */
export const ways = [
  "only user_group_id",
  "only current_token",
  "user_group_id and current_token",
  "user_group_id, current_token and data_source_provided_id",
] as const;
export type Way = (typeof ways)[number];
const [onlyId, onlyToken, both, all] = ways;

const maxRequests = 10;

/** Blanks and mixed case show whether the service normalizes values. */
const changed = { name: "Probe  Two ", properties: { Probe: " Two " } };

export class Probe {
  readonly steps: Step[] = [];
  #count = 0;
  #token: string | undefined;

  /** When `signal` aborts, no request begins, except those of `remove`. */
  constructor(
    private readonly settings: Settings,
    private readonly userGroupId: string,
    private mayExist: boolean,
    private signal: AbortSignal | undefined,
  ) {}

  /** Throws if there is no response, or after the signal. */
  async run(): Promise<void> {
    if (!(await this.#getOrCreate({ name: "Probe  One " })).group) return;
    await this.#getOrCreate(changed);
    await this.#getOrCreate({ name: changed.name });
    for (const way of [onlyId, onlyToken]) await this.#try(way);
    const isAlone = [onlyId, onlyToken].some((way) => isDeletion(this.steps, way));
    if (!isAlone && !(await this.#try(both))) await this.#try(all);
    const way = ways.find((each) => isDeletion(this.steps, each));
    if (way && (await this.#delete(way))) await this.#delete(way);
  }

  /** Deletes the group if it may exist. Returns whether it may still exist. Only a deletion that was seen is believed. */
  async remove(): Promise<boolean> {
    this.signal = undefined;
    try {
      if (this.mayExist && this.#token === undefined) await this.#getOrCreate({ name: changed.name });
      for (const way of [both, all]) {
        if (this.mayExist && !isDeletion(this.steps, way)) await this.#try(way);
        if (this.mayExist && isDeletion(this.steps, way)) await this.#delete(way);
      }
    } catch {
      // The caller names the command that deletes the group.
    }
    return this.mayExist;
  }

  async #getOrCreate(values: JsonObject): Promise<Step> {
    this.signal?.throwIfAborted();
    const existed = this.mayExist;
    this.mayExist = true;
    const step = await this.#send(undefined, { user_group_id: this.userGroupId, ...values });
    const { status, success, group } = step;
    if (success === 0 || (status >= 400 && status < 500)) this.mayExist = existed;
    this.#token = group?.token ?? this.#token;
    return step;
  }

  /** Deletes the group, and if the service reports success, creates it again to see whether it was gone. */
  async #try(way: Way): Promise<boolean> {
    const isReported = await this.#delete(way);
    if (isReported) await this.#getOrCreate(changed);
    return isReported;
  }

  /** Returns whether the service reports success. */
  async #delete(way: Way): Promise<boolean> {
    this.signal?.throwIfAborted();
    const [userGroupId, token] = [this.userGroupId, this.#token];
    const fields = { user_group_id: userGroupId, current_token: token, data_source_provided_id: userGroupId };
    const sent = Object.fromEntries(Object.entries(fields).filter(([field]) => way.includes(field)));
    const { success } = await this.#send(way, sent);
    if (success === 1 && isDeletion(this.steps, way)) this.mayExist = false;
    return success === 1;
  }

  /** Sends one request, without a second attempt. */
  async #send(way: Way | undefined, sent: JsonObject): Promise<Step> {
    if (this.#count++ >= maxRequests) throw new Error("ten requests were not enough");
    const { baseUrl, apiToken, timeout } = this.settings;
    const service = { url: new URL(`${baseUrl}/api/user`), authorization: `Token ${apiToken}` };
    const start = performance.now();
    const { status, body } = await requestJson(
      { ...service, method: way ? "DELETE" : "GET", body: sent },
      {
        clock: systemClock,
        budget: new TimeBudget(timeout, systemClock),
        maxConnections: 1,
        signal: new AbortController().signal,
        isFinal: isRefusal,
        onRetry: ({ message }) => {
          throw new Error(message);
        },
      },
    );
    const milliseconds = performance.now() - start;
    const success = isObject(body) ? body["success"] : undefined;
    const { user_group: shown, new_user_group: isNew } = getOrCreateResponse.safeParse(body).data ?? {};
    // A deletion with the token of another group would delete that group.
    const created = shown?.provided_id === this.userGroupId ? { group: shown, isNew } : {};
    const step: Step = { way, sent, status, milliseconds, success, ...created };
    this.steps.push(step);
    return step;
  }
}

/** Whether the group was gone after a deletion that reports success; undefined: not seen. */
export function isDeletion(steps: readonly Step[], way: Way): boolean | undefined {
  const isAfter = (step?: Step) => step?.way === way && step.success === 1;
  const later = steps.filter((_, index) => isAfter(steps[index - 1]));
  return later.find(({ isNew }) => isNew !== undefined)?.isNew;
}
