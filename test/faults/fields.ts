import type { FieldFault } from "../../provider/src/testing";

interface FieldCase {
  readonly name: string;
  readonly method: "GET" | "DELETE";
  readonly fault: FieldFault;
}

/** Each field of the answers, with a value of a wrong type. */
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

/** Each field of the answers: missing, null, and of a wrong type. */
export const everyField: readonly FieldCase[] = fields.flatMap(([method, field, wrong]) => {
  const of = method === "GET" ? "" : " of a deletion";
  const fault = { kind: "field", field } as const;
  return [
    { name: `\`${field}\`${of} missing`, method, fault },
    { name: `\`${field}\`${of} null`, method, fault: { ...fault, value: null } },
    { name: `\`${field}\`${of} of a wrong type`, method, fault: { ...fault, value: wrong } },
  ];
});
