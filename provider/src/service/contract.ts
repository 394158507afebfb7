/** The shapes of requests and responses, as the service's interface document defines them. */
import * as z from "zod";
import { required } from "../validation";
import { isObject, nonEmpty, signatureKey, type JsonObject } from "../values";

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
  return { name, user_group_id: userGroupId, mapping: nonEmpty(mapping), properties: nonEmpty(properties) };
}

/** The body of a delete. */
export function deleteBody({ userGroupId, token, dataSourceProvidedId }: DeleteRequest): object {
  return {
    user_group_id: userGroupId,
    current_token: token,
    data_source_provided_id: dataSourceProvidedId,
  };
}

const success = z.literal(1, "must be 1, or 0 for a refusal");

/** The response body of a refused operation (interface, "Errors"). */
export const refusal = z.object({ success: z.literal(0) });

/** The response body of a delete (interface, "Delete a user group"). */
export const deleteResponse = z.object({ success }, "must be an object");

const token = z
  .string({ error: required("must be a string") })
  .min(1, "must not be empty")
  .refine((value) => value.isWellFormed(), "must be well-formed Unicode");

/** Lone surrogates can't be stored in a state. */
const text = z.string("must be a string").transform((value) => value.toWellFormed());

/** The engine treats an object with the signature key as a special value, so it is refused. */
const properties = z
  .record(z.string(), z.unknown(), "must be an object")
  .refine((value) => !JSON.stringify(value).includes(`"${signatureKey}"`), "must be JSON")
  .transform(wellFormed)
  .pipe(z.record(z.string(), z.unknown()));

/** The response body of a get-or-create (interface, "Get or create a user group"). */
export const getOrCreateResponse = z.object(
  {
    success,
    new_user_group: z.boolean("must be true or false"),
    user_group: z.object(
      { token, name: text, provided_id: z.string("must be a string"), properties: properties.nullish() },
      "must be an object",
    ),
  },
  "must be an object",
);

function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key.toWellFormed(), wellFormed(part)]),
  );
}
