/**
 * The warning `kept`, for all resources of a deployment. Each resource that leaves is an operation of its own, and nothing says which one is the
 * last. So that of the first resource is logged at once, and those of all others together when the deployment ends.
 */
import type { GroupName } from "../../errors";
import { warningOf } from "../messages/warnings";
import type { Logger } from "./context";

export class KeptGroups {
  #isSaid = false;
  #others: GroupName[] = [];

  /** `groups`: those of one resource. */
  note(groups: readonly GroupName[], logger: Logger): void {
    if (this.#isSaid) this.#others.push(...groups);
    else logger.warn(warningOf("kept", groups));
    this.#isSaid = true;
  }

  /** The deployment ends. */
  sayOthers(logger: Logger): void {
    if (this.#others.length > 0) logger.warn(warningOf("kept", this.#others));
    this.#others = [];
  }
}
