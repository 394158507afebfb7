import fc from "fast-check";

/** Responses to get-or-create, of which any part may be missing or invalid; nearly half are valid. */
export function anyResponses(userGroupId: string): fc.Arbitrary<unknown> {
  const group = fc.record({
    token: field(["t", "token-2"], ["", null, 7]),
    name: field(["Acme", ""], [null, 7]),
    provided_id: field([userGroupId], [`${userGroupId} `, "", "other", null]),
    properties: field([undefined, null, {}, { region: "eu", nested: [{ none: null }] }], ["{}", [], true]),
    team_id: field([1, undefined, "1"], [{}]),
  });
  const response = fc.record({
    success: field([1], [0, true, "1", 2]),
    new_user_group: field([true, false], ["true", 1, null]),
    user_group: fc.oneof(
      { weight: 12, arbitrary: group },
      group.map((one) => [one]),
      fc.jsonValue(),
    ),
    extra: fc.jsonValue(),
  });
  return response.map((any): unknown => JSON.parse(JSON.stringify(any)));
}

/** Whether a response to get-or-create is as the interface says. */
export function keepsContract(response: unknown): boolean {
  const group = at(response, "user_group");
  const properties = at(group, "properties") ?? {};
  const token = at(group, "token");
  return (
    at(response, "success") === 1 &&
    typeof at(response, "new_user_group") === "boolean" &&
    typeof token === "string" &&
    token !== "" &&
    typeof at(group, "name") === "string" &&
    typeof at(group, "provided_id") === "string" &&
    typeof properties === "object" &&
    !Array.isArray(properties)
  );
}

/** A property of an object; undefined of anything else. */
export function at(value: unknown, key: string): unknown {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? Reflect.get(value, key) : undefined;
}

function field(valid: unknown[], invalid: unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...valid) },
    fc.constantFrom(undefined, ...invalid),
    fc.jsonValue(),
  );
}
