/**
 * The requests of `doctor --probe`: it creates, changes and deletes one group of its own, as the provider would.
 *
 * A response may only repeat the request. So the change is read by a request with the ID alone, which some services refuse.
 */
import { UserGroupError, type Subject } from "../../errors";
import { GroupClient, requestTo, type GetOrCreateResult } from "../../service/client";
import { getOrCreateResponse, isRefusal } from "../../service/contract";
import { systemClock, TimeBudget } from "../../service/http/clock";
import { requestJson } from "../../service/http/jsonRequest";
import type { Settings } from "../../settings/readSettings";
import type { JsonObject } from "../../values";

export const maxRequests = 10;

/** The values before and after the change, which removes a property. */
export const valuesBefore = { name: "probe-one", properties: { kept: "one", removed: "one" } };
export const valuesAfter = { name: "probe-two", properties: { kept: "two" } };

export interface ProbeTarget {
  readonly settings: Settings;
  readonly userGroupId: string;
  readonly mapping: JsonObject | undefined;
  /** The `data_source_provided_id` of deletions. */
  readonly dataSource: string | undefined;
}

export class Probe {
  /** The responses to get-or-create. The first two are those of the creation and of the change. */
  readonly results: GetOrCreateResult[] = [];
  /** The group for its ID alone, after the change. */
  read: { readonly name: string; readonly properties?: unknown } | undefined;
  /** Whether the group was gone after a deletion that was reported as a success. */
  isDeleted: boolean | undefined;
  /** Why the deletion failed, as `up` says it. */
  refusal: UserGroupError | undefined;
  /** The time of the last get-or-create. */
  milliseconds = 0;
  #token = "";
  #mayExist = false;

  constructor(private readonly target: ProbeTarget) {}

  /** Throws at the first failure other than that of a deletion, and if `signal` aborts, before the next request. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#getOrCreate(valuesBefore);
    signal.throwIfAborted();
    await this.#getOrCreate(valuesAfter);
    signal.throwIfAborted();
    this.read = await this.#read();
    signal.throwIfAborted();
    await this.#tryDeletion();
  }

  /** Deletes the group if it may exist. Returns whether it may still exist. Only a deletion that was seen is believed. */
  async remove(): Promise<boolean> {
    try {
      if (this.#mayExist && this.#token === "") await this.#getOrCreate(valuesBefore);
      if (this.#mayExist && this.isDeleted === undefined) await this.#tryDeletion();
      if (this.#mayExist && this.isDeleted) this.#mayExist = !(await this.#delete());
    } catch (error) {
      // The caller says what to do.
      if (!(error instanceof UserGroupError)) throw error;
    }
    return this.#mayExist;
  }

  /** Deletes the group, and if the service reports success, creates it again to see whether it was gone. */
  async #tryDeletion(): Promise<void> {
    if (!(await this.#delete())) return;
    const { isNew } = await this.#getOrCreate(valuesBefore);
    this.isDeleted = isNew;
  }

  async #getOrCreate(values: typeof valuesBefore | typeof valuesAfter): Promise<GetOrCreateResult> {
    const { userGroupId, mapping } = this.target;
    const start = performance.now();
    try {
      const result = await this.#client("create").getOrCreate({ userGroupId, mapping, ...values });
      this.milliseconds = performance.now() - start;
      this.#mayExist = true;
      this.#token = result.group.token;
      this.results.push(result);
      return result;
    } catch (error) {
      if (error instanceof UserGroupError) this.#mayExist ||= mayHaveCreated(error);
      throw error;
    }
  }

  /** Returns whether the service reports success. */
  async #delete(): Promise<boolean> {
    const { userGroupId, dataSource: dataSourceProvidedId } = this.target;
    try {
      await this.#client("delete").delete({ userGroupId, token: this.#token, dataSourceProvidedId });
      return true;
    } catch (error) {
      if (!(error instanceof UserGroupError)) throw error;
      this.refusal = error;
      return false;
    }
  }

  async #read(): Promise<Probe["read"]> {
    const { settings, userGroupId } = this.target;
    const { signal, logger } = withoutRetry();
    const budget = new TimeBudget(settings.timeout, systemClock);
    const conditions = { clock: systemClock, signal, budget, isFinal: isRefusal };
    const request = requestTo(settings, "GET", { user_group_id: userGroupId });
    const response = await requestJson(request, { ...conditions, onRetry: logger.info }).catch(
      () => undefined,
    );
    const { data } = getOrCreateResponse.safeParse(response?.body);
    return data?.user_group.provided_id === userGroupId ? data.user_group : undefined;
  }

  #client(operation: Subject["operation"]): GroupClient {
    const { settings, userGroupId } = this.target;
    const context = { settings, clock: systemClock, logged: new Set<string>(), ...withoutRetry() };
    return new GroupClient(context, { operation, userGroupId });
  }
}

/** A retry is reported before it begins, which cancels it: the probe shows what one request does. */
function withoutRetry() {
  const controller = new AbortController();
  const info = () => {
    controller.abort();
  };
  return { signal: controller.signal, logger: { info } };
}

/** A service may refuse after it has created the group. */
function mayHaveCreated({ code, isPossiblyApplied }: UserGroupError): boolean {
  return isPossiblyApplied || code === "service-refused" || code === "unexpected-status";
}
