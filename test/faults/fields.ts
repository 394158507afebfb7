import { maxDepth, unknownValue } from "../../provider/src/values";

interface FieldCase {
  readonly name: string;
  readonly method: "GET" | "DELETE";
  readonly field: string;
  readonly value?: unknown;
}

/** Each field of the responses, with a value of a wrong type. */
const fields: readonly (readonly [method: "GET" | "DELETE", field: string, wrong: unknown])[] = [
  ["GET", "success", "1"],
  ["GET", "new_user_group", "true"],
  ["GET", "user_group", []],
  ["GET", "user_group.team_id", "one"],
  ["GET", "user_group.token", 7],
  ["GET", "user_group.name", 7],
  ["GET", "user_group.provided_id", 7],
  ["GET", "user_group.properties", "region"],
  ["DELETE", "success", true],
];

/** Each field of the responses: missing, null, and of a wrong type. */
export const everyField: readonly FieldCase[] = fields.flatMap(([method, field, wrong]) => {
  const of = method === "GET" ? "" : " of a deletion";
  return [
    { name: `\`${field}\`${of} missing`, method, field },
    { name: `\`${field}\`${of} null`, method, field, value: null },
    { name: `\`${field}\`${of} of a wrong type`, method, field, value: wrong },
  ];
});

/** Values that no state can hold, or no terminal should show. */
export const invalidValues = {
  "the engine's unknown value as the token": { field: "user_group.token", value: unknownValue },
  "the engine's unknown value as the name": { field: "user_group.name", value: unknownValue },
  "the engine's unknown value as a property": {
    field: "user_group.properties",
    value: { seat: [unknownValue] },
  },
  "the engine's unknown value as a key": { field: "user_group.properties", value: { [unknownValue]: 1 } },
  "properties that are nested too deep": { field: "user_group.properties", value: nested(maxDepth + 1) },
  "a token with a line break": { field: "user_group.token", value: "to\nken" },
  "a token with an escape sequence": { field: "user_group.token", value: "\u001b[31mtoken" },
} satisfies Record<string, Pick<FieldCase, "field" | "value">>;

function nested(depth: number): object {
  return depth === 1 ? {} : { a: nested(depth - 1) };
}

/** Values that the interface allows, or doesn't forbid, and that a service has rarely or never returned before. */
export const unusualValues = {
  "an empty name": { field: "user_group.name", value: "" },
  "a name of 100,000 characters": { field: "user_group.name", value: "n".repeat(100_000) },
  "a lone surrogate in the name": { field: "user_group.name", value: "Ac\udc00me" },
  "a lone surrogate in a property": { field: "user_group.properties", value: { seat: "front\ud800" } },
  "empty properties": { field: "user_group.properties", value: {} },
  "unusual properties": {
    field: "user_group.properties",
    value: JSON.parse(
      '{"": [[], {}, null, 1e300, -0], "__proto__": {"x": 1}, "constructor": "\\u0000\\u2028", "04da6b54": false}',
    ) as unknown,
  },
  "an unknown field": { field: "user_group.plan", value: { seats: [1] } },
  "an unknown field beside the group": { field: "request_id", value: "a".repeat(1000) },
} satisfies Record<string, Pick<FieldCase, "field" | "value">>;
