import { newClient, type Client } from "../../provider/src/client";
import { UserGroupError } from "../../provider/src/errors";
import type { Settings } from "../../provider/src/settings";
import type { Service } from "./exchanges";

/** A client for one operation on the group "acme". */
export function clientOf(
  service: Service,
  settings: Partial<Settings> = {},
  operation: "create" | "delete" = "create",
): Client {
  const { baseUrl, apiToken } = service;
  const defaults: Settings = {
    baseUrl: new URL(baseUrl),
    apiToken,
    timeout: 60,
    maxConnections: 16,
    changes: "replace",
  };
  return newClient({ ...defaults, ...settings }, { operation, userGroupId: "acme" });
}

/** The error for people that an operation fails with. */
export async function errorOf(operation: Promise<unknown>): Promise<UserGroupError> {
  try {
    await operation;
  } catch (error) {
    if (error instanceof UserGroupError) return error;
    throw error;
  }
  throw new Error("The operation didn't fail.");
}
