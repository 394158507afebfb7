/**
 * The user group service on a loopback port, for tests and for trying programs out.
 *
 * @example
 * const emulator = await startEmulator({ existing: "update" });
 * emulator.fault({ kind: "status", status: 503, retryAfter: 1, times: 2 });
 * // run a program with USER_GROUPS_BASE_URL=emulator.baseUrl and USER_GROUPS_API_TOKEN=emulator.apiToken
 * assert.equal(emulator.groups.get("acme")?.name, "Acme Ltd");
 * await emulator.stop();
 */
export { startEmulator } from "./startEmulator";
export type { Emulator } from "./emulator";
export type * from "./faults";
export type { GroupValues, StoredGroup } from "./group";
export type { DeleteField, EmulatorBehaviour, EmulatorOptions } from "./options";
export type { Effect, LoggedHeaders, RequestLogEntry } from "./requestLog";
