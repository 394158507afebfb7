/**
 * The warning `kept`, once for all resources of a deployment. Each resource that leaves is an operation of its own, and nothing says which
 * one is the last, so it is logged when the deployment ends.
 */
import type { GroupName } from "../../errors";
import { warningOf } from "../messages/warnings";
import type { Logger } from "./context";

export class KeptGroups {
  #groups: GroupName[] = [];

  /** `groups`: those of one resource. */
  note(groups: readonly GroupName[]): void {
    this.#groups.push(...groups);
  }

  /** The deployment ends. */
  say(logger: Logger): void {
    if (this.#groups.length > 0) logger.warn(warningOf("kept", this.#groups));
    this.#groups = [];
  }
}
