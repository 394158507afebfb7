/** What the claims of one deployment are told of the group "acme", for the tests of claims and decisions. */
import { Claims, keyOf, type Fate } from "../../../provider/src/core/claims";
import type { StoredGroup } from "../../../provider/src/core/drift";

export type Told = (claims: Claims) => void;

export const group = { userGroupId: "acme", name: "Acme", mapping: { sales: "one" } };
export const stored: StoredGroup = { ...group, providedId: "acme", token: "t1", adopted: false };
export const key = keyOf(undefined, "acme");
export const inEu = keyOf("eu", "acme");

export function claimsOf(told: readonly Told[]): Claims {
  const claims = new Claims();
  for (const tell of told) tell(claims);
  return claims;
}

/** The diff of the resource has the group, with other values than the stored ones. */
export function state(resource: string, fate: Fate, values: object = {}, at = key): Told {
  return (claims) => {
    claims.record(resource, [[at, { group: { ...stored, ...values }, fate }]]);
  };
}

/** The service has returned the group to the resource. */
export function got(
  resource: string,
  values: object = {},
  { isNew = false, isLookup = false, at = key } = {},
): Told {
  return (claims) => {
    claims.get(resource, at, { ...stored, ...values }, isNew, isLookup);
  };
}

export function declared(resource: string): Told {
  return (claims) => {
    claims.declare(resource, [[key, group]]);
  };
}

/** The deletion of the group with this token is confirmed. */
export function deletion(token = "t1", at = key): Told {
  return (claims) => {
    claims.delete(at, { ...stored, token });
  };
}

/** The resource was refused the group with the token t1. */
export function refused(resource: string, at = key): Told {
  return (claims) => {
    claims.refuse(resource, at, "t1");
  };
}
