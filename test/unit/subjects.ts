import type { Subject } from "../../provider/src/errors";
import type { Exchanged } from "../../provider/src/explain";
import type { JsonAnswer } from "../../provider/src/transport";

export const url = "https://groups.example/v1/api/user";
export const baseUrl = "user-groups:baseUrl (or USER_GROUPS_BASE_URL)";
export const secrets = {
  name: "s3cret-name",
  current_token: "s3cret-token",
  properties: { region: "s3cret-region" },
};

export const create: Subject = { operation: "create", userGroupId: "acme" };
export const read: Subject = { operation: "read", userGroupId: "acme" };
export const remove: Subject = { operation: "delete", userGroupId: "acme", connection: "eu" };

/** What errors are made of. The method is that of the operation. */
export function exchanged(subject: Subject, answer: Partial<JsonAnswer> = {}): Exchanged {
  const method = subject.operation === "delete" ? "DELETE" : "GET";
  return {
    subject,
    request: { method, url: new URL(url), authorization: "Token s3cret-api-token", body: secrets },
    answer: { status: 200, body: secrets, redirectsTo: undefined, attempts: 1, answerLost: false, ...answer },
  };
}
