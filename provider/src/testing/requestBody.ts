import * as z from "zod";
import type { GroupValues } from "./group";
import { isJsonObject, type JsonObject } from "./jsonObject";

/** The fields of a DELETE (interface, section "Delete a user group"); none is required by the interface. */
export interface DeleteRequest {
  readonly userGroupId: string | undefined;
  readonly currentToken: string | undefined;
  readonly dataSourceProvidedId: string | undefined;
}

/** What a request says, or why it can't be understood. */
export type Parsed<T> = { readonly request: T } | { readonly refusal: string };

/** The JSON of a body; undefined where it is empty or not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The group that a body names, whatever else is wrong with it. */
export function userGroupIdIn(body: unknown): string | undefined {
  const named = namedSchema.safeParse(body);
  return named.success ? named.data.user_group_id : undefined;
}

export function parseGetOrCreate(body: unknown): Parsed<GroupValues> {
  const parsed = getOrCreateSchema.safeParse(body);
  if (!parsed.success) return { refusal: described(parsed.error.issues) };
  const { user_group_id: userGroupId, name, mapping, properties } = parsed.data;
  return { request: { userGroupId, name, ...(mapping && { mapping }), ...(properties && { properties }) } };
}

export function parseDelete(body: unknown): Parsed<DeleteRequest> {
  const parsed = deleteSchema.safeParse(body);
  if (!parsed.success) return { refusal: described(parsed.error.issues) };
  const fields = parsed.data;
  return {
    request: {
      userGroupId: fields.user_group_id,
      currentToken: fields.current_token,
      dataSourceProvidedId: fields.data_source_provided_id,
    },
  };
}

const filled = z.string().min(1);

// z.record copies, and drops a key such as "__proto__"; what was sent must be stored to the letter.
const jsonObject = z.custom<JsonObject>(isJsonObject, "must be an object");
const mapping = z.custom<Readonly<Record<string, string | number>>>(
  (value) =>
    isJsonObject(value) &&
    Object.values(value).every((id) => typeof id === "string" || typeof id === "number"),
  "must be an object of strings and numbers",
);

const namedSchema = z.object({ user_group_id: filled });

const getOrCreateSchema = z.object({
  user_group_id: filled,
  name: filled,
  mapping: mapping.optional(),
  properties: jsonObject.optional(),
});

const deleteSchema = z.object({
  user_group_id: filled.optional(),
  current_token: filled.optional(),
  data_source_provided_id: filled.optional(),
});

/** Names the fields, never their values. */
function described(issues: readonly z.core.$ZodIssue[]): string {
  return issues.map((issue) => [issue.path.join("."), issue.message].filter(Boolean).join(": ")).join("; ");
}
