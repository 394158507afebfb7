/** How a deployment names what it knows: a resource of the program, and a customer in a service. */

/** The URN of a resource. Undefined: a state of version 0.1.0 doesn't have it. */
export type Resource = string | undefined;

/** A connection and a `userGroupId`, as one string. Two connections may be two accounts at one address. */
export type Customer = string;

export function customerOf(connection: string | undefined, userGroupId: string): Customer {
  return JSON.stringify([connection ?? null, userGroupId]);
}
