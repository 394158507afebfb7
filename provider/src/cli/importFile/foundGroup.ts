/** What the readers of the sources return for each place of a source, such as a resource of a state. */
import type { JsonObject } from "../../values";
import type { StoredGroup } from "./coreState";

/** A user group as its former owner knew it. */
export interface FoundGroup {
  /** The resource, for messages. */
  readonly place: string;
  readonly group: StoredGroup;
  /** False: the source doesn't say with which mapping the group was created. */
  readonly isMappingKnown: boolean;
  /** Whether the service had another name or other properties than the source's last request. */
  readonly hasOtherValues?: boolean;
  /** The fields whose values are secret in the source. */
  readonly secretFields?: readonly string[];
  /** The address of the service, if the source knows it. */
  readonly baseUrl?: string | undefined;
  /** The name of a `UserGroup` in the source. */
  readonly resourceName?: string;
  /** The other arguments of the resource in the source. Groups of one resource have the same object. */
  readonly shared?: JsonObject;
}

export type Reading =
  | { readonly is: "group"; readonly found: FoundGroup }
  | { readonly is: "left out"; readonly place: string; readonly reason: string }
  | { readonly is: "invalid"; readonly place: string; readonly reason: string };

export const group = (found: FoundGroup): Reading => ({ is: "group", found });
/** `reason`: the end of a sentence whose subject is the place. */
export const leftOut = (place: string, reason: string): Reading => ({ is: "left out", place, reason });
export const invalid = (place: string, reason: string): Reading => ({ is: "invalid", place, reason });
