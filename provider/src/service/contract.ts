import * as z from "zod";
import { required } from "../validation";
import { nonEmpty, signatureKey, type JsonObject } from "../values";

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

export function deleteBody({ userGroupId, token, dataSourceProvidedId }: DeleteRequest): object {
  return { user_group_id: userGroupId, current_token: token, data_source_provided_id: dataSourceProvidedId };
}

const success = z.literal(1, "must be 1, or 0 for a refusal");

const refusal = z.object({ success: z.literal(0) });

/** Whether an operation was refused (interface, "Errors"). */
export function isRefusal(body: unknown): boolean {
  return refusal.safeParse(body).success;
}

/** The response body of a delete (interface, "Delete a user group"). */
export const deleteResponse = z.object({ success }, "must be an object");

const text = z.string({ error: required("must be a string") });

/** The response body of a get-or-create (interface, "Get or create a user group"). */
export const getOrCreateResponse = z.object(
  {
    success,
    new_user_group: z.boolean("must be true or false"),
    user_group: z
      .object(
        {
          token: text.min(1, "must not be empty"),
          name: text,
          provided_id: text,
          properties: z.record(z.string(), z.unknown(), "must be an object").nullish(),
        },
        "must be an object",
      )
      .refine(isStorable, "must be JSON in well-formed Unicode"),
  },
  "must be an object",
);

/** A state can't hold lone surrogates, and the engine treats an object with the signature key as a special value. */
function isStorable(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed() && value !== signatureKey;
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).flat().every(isStorable);
}
