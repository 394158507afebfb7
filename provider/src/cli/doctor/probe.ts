/**
 * The requests of `doctor --probe`: it creates, changes and deletes one group of its own.
 *
 * A response may repeat the request, also normalized. So the values of each request have a mark of their own, and only a mark that
 * wasn't in the request shows what the service stores. Requests that leave values out make room for such marks.
 */
import type * as z from "zod";
import { getOrCreateResponse, isRefusal } from "../../service/contract";
import { requestTo } from "../../service/client";
import { systemClock, TimeBudget } from "../../service/http/clock";
import { requestJson } from "../../service/http/jsonRequest";
import { TransportError } from "../../service/http/transportError";
import { reasonIn } from "../../service/reason";
import { bodyIssue } from "../../service/responseErrors";
import { Secrets } from "../../service/secrets";
import type { Settings } from "../../settings/readSettings";
import { isObject, type JsonObject } from "../../values";

export type ShownGroup = z.infer<typeof getOrCreateResponse>["user_group"];

/** One request of the probe, and its response. */
export interface Step {
  /** What a get-or-create is for, or the fields of a deletion. */
  readonly purpose: Purpose | Way;
  readonly sent: JsonObject;
  readonly status: number;
  readonly milliseconds: number;
  /** Whether the status is 2xx and `success` 1. */
  readonly isSuccess: boolean;
  /** Whether `success` is 0. */
  readonly isRefused: boolean;
  /** That of a refusal, in quotation marks. */
  readonly reason: string | undefined;
  /** Why the body isn't the service's, as the end of a sentence. */
  readonly bodyIssue: string | undefined;
  /** The group of a successful get-or-create. */
  readonly group?: ShownGroup | undefined;
  readonly isNew?: boolean | undefined;
}

/** `read`: with the ID only. `omit`: without properties. `verify`: shows whether a deletion had an effect. */
export type Purpose = "create" | "change" | "read" | "omit" | "verify";

/** The fields that may identify the group in a deletion. */
export const ways = [
  "only user_group_id",
  "only current_token",
  "user_group_id and current_token",
  "user_group_id, current_token and data_source_provided_id",
] as const;
export type Way = (typeof ways)[number];
const [onlyId, onlyToken, both, all] = ways;

export const marks = { first: "ProbeOne", second: "ProbeTwo", third: "ProbeThree", removed: "ProbeGone" };

/** Blanks and mixed case show whether the service normalizes values. */
const nameWith = (mark: string) => `${mark}  Name `;

const values: Readonly<Record<Purpose, JsonObject>> = {
  create: { name: nameWith(marks.first), properties: { Kept: ` ${marks.first} `, Removed: marks.removed } },
  change: { name: nameWith(marks.second), properties: { Kept: ` ${marks.second} ` } },
  read: {},
  omit: { name: nameWith(marks.third) },
  verify: { name: nameWith(marks.first) },
};

export const maxRequests = 14;

export interface ProbeTarget {
  readonly settings: Settings;
  readonly userGroupId: string;
  readonly mapping?: JsonObject | undefined;
  /** The `data_source_provided_id` of deletions. Default: the ID of the group, for services that only want the field. */
  readonly dataSource?: string | undefined;
}

export class Probe {
  readonly steps: Step[] = [];
  #count = 0;
  #token: string | undefined;
  #mayExist: boolean;
  #signal: AbortSignal | undefined;
  readonly #secrets: Secrets;

  /** When `signal` aborts, no request begins, except those of `remove`. */
  constructor(
    private readonly target: ProbeTarget,
    { mayExist, signal }: { readonly mayExist: boolean; readonly signal: AbortSignal },
  ) {
    this.#mayExist = mayExist;
    this.#signal = signal;
    this.#secrets = new Secrets(target.settings);
  }

  /** Throws if there is no response, or after the signal. */
  async run(): Promise<void> {
    const { group } = await this.#getOrCreate("create");
    if (!group) return;
    await this.#getOrCreate("change");
    const isReadable = await this.#read();
    await this.#getOrCreate("omit");
    if (isReadable) await this.#read();
    await this.#tryWays();
    const way = ways.find((each) => isDeletion(this.steps, each));
    const isReported = way !== undefined && (await this.#delete(way));
    // The deletion of a group that is gone.
    if (isReported && this.#count < maxRequests) await this.#delete(way);
  }

  /** Deletes the group if it may exist. Returns whether it may still exist. Only a deletion that was seen is believed. */
  async remove(): Promise<boolean> {
    this.#signal = undefined;
    try {
      const isUnverified = isWay(this.steps.at(-1)?.purpose) && this.steps.at(-1)?.isSuccess;
      if (this.#mayExist && (this.#token === undefined || isUnverified)) await this.#getOrCreate("verify");
      const fitting = this.#token === undefined ? [onlyId] : [both, all, onlyId, onlyToken];
      for (const way of fitting) if (this.#mayExist) await this.#removeBy(way);
    } catch {
      // The caller names the command that deletes the group.
    }
    return this.#mayExist;
  }

  /** A way that was tried before is tried again only if it deleted the group. */
  async #removeBy(way: Way): Promise<void> {
    const isUntried = this.steps.every(({ purpose }) => purpose !== way);
    if (isUntried) await this.#try(way);
    if (isDeletion(this.steps, way)) await this.#delete(way);
  }

  async #tryWays(): Promise<void> {
    await this.#try(both);
    if (!isDeletion(this.steps, both)) await this.#try(all);
    const isAllNeeded = isDeletion(this.steps, all) ?? false;
    for (const way of isAllNeeded ? [] : [onlyId, onlyToken]) await this.#try(way);
  }

  /** Deletes the group, and if the service reports success, creates it again to see whether it was gone. */
  async #try(way: Way): Promise<void> {
    const isReported = await this.#delete(way);
    if (isReported) await this.#getOrCreate("verify");
  }

  /** Returns whether the service returns the group for its ID alone. Some services fail for a request without a name. */
  async #read(): Promise<boolean> {
    this.#signal?.throwIfAborted();
    const step = await this.#getOrCreate("read").catch(() => undefined);
    return step?.group !== undefined;
  }

  async #getOrCreate(purpose: Purpose): Promise<Step> {
    this.#signal?.throwIfAborted();
    const { userGroupId, mapping } = this.target;
    const existed = this.#mayExist;
    this.#mayExist = true;
    const sent = { user_group_id: userGroupId, ...values[purpose], ...(mapping && { mapping }) };
    const step = await this.#send("GET", purpose, sent).catch((error: unknown) => {
      if (error instanceof TransportError && !error.fault.isPossiblyApplied) this.#mayExist = existed;
      throw error;
    });
    // Any other refusal may come after the creation.
    if (step.status === 401 || step.status === 404) this.#mayExist = existed;
    return step;
  }

  /** Returns whether the service reports success. */
  async #delete(way: Way): Promise<boolean> {
    this.#signal?.throwIfAborted();
    const { userGroupId, dataSource = userGroupId } = this.target;
    const fields = {
      user_group_id: userGroupId,
      current_token: this.#token,
      data_source_provided_id: dataSource,
    };
    const sent = Object.fromEntries(Object.entries(fields).filter(([field]) => way.includes(field)));
    const { isSuccess } = await this.#send("DELETE", way, sent);
    if (isSuccess && isDeletion(this.steps, way)) this.#mayExist = false;
    return isSuccess;
  }

  /** Sends one request, without a second attempt. */
  async #send(method: "GET" | "DELETE", purpose: Step["purpose"], sent: JsonObject): Promise<Step> {
    this.#count += 1;
    if (this.#count > maxRequests) throw new Error(`${maxRequests} requests were not enough`);
    const { settings } = this.target;
    this.#secrets.addBody(sent);
    const start = performance.now();
    const received = await requestJson(requestTo(settings, method, sent), {
      clock: systemClock,
      budget: new TimeBudget(settings.timeout, systemClock),
      signal: new AbortController().signal,
      isFinal: isRefusal,
      onRetry: (fault) => {
        throw new TransportError(fault);
      },
    });
    const { status, body } = received;
    const milliseconds = performance.now() - start;
    const success = isObject(body) ? body["success"] : undefined;
    const isSuccess = status >= 200 && status < 300 && success === 1;
    const response = getOrCreateResponse.safeParse(body).data;
    if (response) this.#secrets.addToken(response.user_group.token);
    // A deletion with the token of another group would delete that group.
    const isOwn = response?.user_group.provided_id === this.target.userGroupId;
    // A service may create the group and respond with another status.
    if (isOwn) this.#token = response.user_group.token;
    const shown = isOwn && isSuccess ? { group: response.user_group, isNew: response.new_user_group } : {};
    const step: Step = {
      ...{ purpose, sent, status, milliseconds, isSuccess, isRefused: success === 0, ...shown },
      reason: reasonIn(body, this.#secrets),
      bodyIssue: bodyIssue(received, this.#secrets),
    };
    this.steps.push(step);
    return step;
  }
}

export function isWay(purpose: Step["purpose"] | undefined): purpose is Way {
  return ways.some((way) => way === purpose);
}

/** Whether the group was gone after a deletion that reports success; undefined: not seen. */
export function isDeletion(steps: readonly Step[], way: Way): boolean | undefined {
  const isAfter = (step?: Step) => step?.purpose === way && step.isSuccess;
  const later = steps.filter((_, index) => isAfter(steps[index - 1]));
  return later.find(({ isNew }) => isNew !== undefined)?.isNew;
}
