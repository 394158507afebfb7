/** The bodies of the service's requests and responses, in its own words. */
import * as z from "zod";
import { required } from "../validation";
import {
  isDeeperThan,
  isObject,
  maxDepth,
  nonEmpty,
  signatureKey,
  unknownValue,
  type JsonObject,
} from "../values";

/** The request fields of a user group (interface, "Request-side fields of a user group"). */
export interface GroupRequest {
  readonly userGroupId: string;
  readonly name: string;
  readonly mapping?: JsonObject | undefined;
  readonly properties?: JsonObject | undefined;
}

/** The request fields of a delete (interface, "Delete a user group"). */
export interface DeleteRequest {
  readonly userGroupId: string;
  readonly token: string;
  readonly dataSourceProvidedId?: string | undefined;
}

/** The body of a get-or-create. `{}` and unset are the same, so an empty object isn't sent. */
export function getOrCreateBody({ userGroupId, name, mapping, properties }: GroupRequest): object {
  const values = {
    name,
    mapping: nonEmpty(mapping),
    properties: nonEmpty(properties),
  } satisfies Record<Exclude<keyof GroupRequest, "userGroupId">, unknown>;
  return { ...values, user_group_id: userGroupId };
}

export function deleteBody({ userGroupId, token, dataSourceProvidedId }: DeleteRequest): object {
  return { user_group_id: userGroupId, current_token: token, data_source_provided_id: dataSourceProvidedId };
}

const success = z.literal(1, "must be 1, or 0 for a refusal");

/** Whether an operation was refused (interface, "Errors"). */
export function isRefusal(body: unknown): boolean {
  return isObject(body) && body["success"] === 0;
}

/** The response body of a delete (interface, "Delete a user group"). */
export const deleteResponse = z.object({ success }, "must be an object");

const text = z.string({ error: required("must be a string") });

/** Users print tokens, and copy them into settings and headers. */
const token = text
  .min(1, "must not be empty")
  .regex(
    /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u,
    "must have no line breaks, control characters or invisible characters",
  );

/** The response body of a get-or-create (interface, "Get or create a user group"). */
export const getOrCreateResponse = z.object(
  {
    success,
    new_user_group: z.boolean("must be true or false"),
    user_group: z
      .object(
        {
          token,
          name: text,
          provided_id: text,
          properties: z.record(z.string(), z.unknown(), "must be an object").nullish(),
        },
        "must be an object",
      )
      .refine((group) => !isDeeperThan(maxDepth, group.properties), {
        message: `must not be nested more than ${maxDepth} levels deep`,
        path: ["properties"],
        abort: true,
      })
      .superRefine((group, context) => {
        const message = valueIssue(group);
        if (message !== undefined) context.addIssue({ code: "custom", message });
      }),
  },
  "must be an object",
);

/** Why a state can't have a value, or a part of it. */
function valueIssue(value: unknown): string | undefined {
  if (typeof value === "string" && !value.isWellFormed()) return "must be JSON in well-formed Unicode";
  // JSON.stringify would make null of it.
  if (typeof value === "number" && !Number.isFinite(value)) return "must not contain a number beyond 1e308";
  // The engine takes these strings for an unknown or another special value.
  if (value === signatureKey || value === unknownValue)
    return "must not contain a value that Pulumi reserves for itself";
  for (const part of partsOf(value)) {
    const issue = valueIssue(part);
    if (issue !== undefined) return issue;
  }
  return undefined;
}

/** The keys and values of an object or a list. */
function partsOf(value: unknown): unknown[] {
  return typeof value === "object" && value !== null ? Object.entries(value).flat() : [];
}
