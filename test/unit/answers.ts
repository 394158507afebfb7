import fc from "fast-check";

/** Answers of get-or-create for a group, of which any part may be missing or wrong; nearly half are good ones. */
export function oddAnswers(userGroupId: string): fc.Arbitrary<unknown> {
  const group = fc.record({
    token: field(["t", "token-2"], ["", null, 7]),
    name: field(["Acme", ""], [null, 7]),
    provided_id: field([userGroupId], [`${userGroupId} `, "", "other", null]),
    properties: field([undefined, null, {}, { region: "eu", nested: [{ none: null }] }], ["{}", [], true]),
    team_id: field([1, undefined, "1"], [{}]),
  });
  const answer = fc.record({
    success: field([1], [0, true, "1", 2]),
    new_user_group: field([true, false], ["true", 1, null]),
    user_group: fc.oneof(
      { weight: 12, arbitrary: group },
      group.map((one) => [one]),
      fc.jsonValue(),
    ),
    extra: fc.jsonValue(),
  });
  return answer.map((odd): unknown => JSON.parse(JSON.stringify(odd)));
}

/** Whether an answer of get-or-create is as the interface says. */
export function keepsContract(answer: unknown): boolean {
  const group = at(answer, "user_group");
  const properties = at(group, "properties") ?? {};
  const token = at(group, "token");
  return (
    at(answer, "success") === 1 &&
    typeof at(answer, "new_user_group") === "boolean" &&
    typeof token === "string" &&
    token !== "" &&
    typeof at(group, "name") === "string" &&
    typeof at(group, "provided_id") === "string" &&
    typeof properties === "object" &&
    !Array.isArray(properties)
  );
}

/** A part of what is an object, and undefined of what is none. */
export function at(value: unknown, key: string): unknown {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? Reflect.get(value, key) : undefined;
}

function field(good: unknown[], bad: unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...good) },
    fc.constantFrom(undefined, ...bad),
    fc.jsonValue(),
  );
}
