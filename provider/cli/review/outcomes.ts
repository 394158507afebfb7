/** The parts of a review: what becomes of customers, which guards change, and what else is to say. */

/** What becomes of a customer. The first one that fits; in the order of a review. */
export const outcomes = [
  "deleted",
  "newToken",
  "newTokenWithOverlap",
  "formerToken",
  "refused",
  "retained",
  "moved",
  "updated",
  "created",
  "stateOnly",
] as const;

export type Outcome = (typeof outcomes)[number];

/** A part of the output of `review --json`. */
export interface CustomerReview {
  readonly userGroupId: string;
  /** After the change; absent: not known yet. */
  readonly name?: string;
  /** Before the change, if it was another one. */
  readonly nameBefore?: string;
  readonly outcome: Outcome;
  /** It depends on a value that isn't known yet, or that the preview hides. */
  readonly isPossible: boolean;
  /** Why, as the continuation of a sentence; empty: the outcome says it. */
  readonly reasons: readonly string[];
  /** With `overlap`: the hours for which the token that the customer has now stays valid after the `up`; 0: until the next one. */
  readonly overlapHours?: number;
  /** The resource that has the customer after the change, or before it if none has: its URN. */
  readonly resource: string;
  /** Of `moved`: the URN of the resource that the customer leaves. */
  readonly from?: string;
  /** If it changes: the mapping before and after; null: none; "[secret]", "[unknown]": the preview doesn't show it. */
  readonly mapping?: { readonly before: unknown; readonly after: unknown };
}

export interface GuardReview {
  readonly resource: string;
  readonly guard: string;
  /** null: none. */
  readonly before: unknown;
  readonly after: unknown;
}

export interface Note {
  /** A URN; empty: not known. */
  readonly resource: string;
  readonly text: string;
}

export interface Review {
  readonly customers: readonly CustomerReview[];
  readonly guards: readonly GuardReview[];
  /** What the preview doesn't show of a resource, and its warnings that the list of customers doesn't have. */
  readonly notes: readonly Note[];
}

/** In the place of a value that isn't known before `up`. */
export const unknownText = "[unknown]";
