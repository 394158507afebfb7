/**
 * The user group service on a loopback port, for tests and for trying programs out.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { startEmulator } from "pulumi-user-groups/testing";
 *
 * const emulator = await startEmulator({ existing: "update" });
 * emulator.fault({ kind: "status", status: 503, retryAfter: 1, times: 2 });
 * // run a program with emulator.baseUrl and emulator.apiToken in its environment
 * assert.equal(emulator.groups.get("acme")?.name, "Acme Ltd");
 * await emulator.stop();
 * ```
 *
 * @module pulumi-user-groups/testing
 */
export { startEmulator } from "./startEmulator";
export type { Emulator } from "./emulator";
export type * from "./faults";
export type { GroupValues, StoredGroup } from "./group";
export type { DeleteField, EmulatorBehavior, EmulatorOptions } from "./options";
export type { Effect, LoggedHeaders, RequestLogEntry } from "./requestLog";
