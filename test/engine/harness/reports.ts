import type { Emulator } from "../../../provider/src/testing";
import { nameOf } from "./events";
import type { Result } from "./stack";

/** The product's warnings, each without the word itself. A dynamic provider prints them, and the plugin logs them. */
export function warningsOf({ diagnostics }: Result): string[] {
  return diagnostics.flatMap(({ message, severity, urn }) => {
    if (severity === "warning" && urn?.includes("user-groups:index:")) return message.trim();
    const lines = message.split("\n").filter((line) => line.startsWith(mark));
    return lines.map((line) => line.slice(mark.length));
  });
}

/** What the engine reports of a resource as errors, in one text. */
export function errorOf({ diagnostics }: Result, name: string): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.flatMap(({ urn = "", message }) => (nameOf(urn) === name ? message : [])).join("\n");
}

/** What the engine does, or would do, with a resource: such as `["delete-replaced", "replace", "create-replacement"]`. */
export function stepsOf({ steps }: Result, name: string): string[] {
  return steps.filter((step) => step.name === name).map(({ op }) => op);
}

/** The requests and their effects, a line for each, such as `GET "acme" created 200`. */
export function requestsTo({ requests }: Emulator, userGroupId?: string): string[] {
  return requests
    .filter((request) => userGroupId === undefined || request.userGroupId === userGroupId)
    .map(String);
}

/** The token of each group, by its ID, as the service holds it now. */
export function tokensOf({ groups }: Emulator): Record<string, string> {
  return Object.fromEntries([...groups].map(([userGroupId, { token }]) => [userGroupId, token]));
}

/** What a change may be about, of a group or of a record's inputs or outputs. */
export function valuesOf({ name, mapping, properties }: Record<string, unknown>): Record<string, unknown> {
  return { name, mapping, properties };
}

const mark = "warning: ";
