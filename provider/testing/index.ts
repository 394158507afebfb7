/**
 * The user group service on a loopback port, for tests and experiments.
 *
 * @module pulumi-user-groups/testing
 */
import "../node/orError";
export { startEmulator } from "./emulator";
export type { Account, GroupValues, ServiceGroup } from "./account";
export type { Emulator } from "./emulator";
export type * from "./faults";
export type { DeleteField, EmulatorBehavior, EmulatorOptions } from "./options";
export type { Effect, LoggedHeaders, RequestLogEntry } from "./requestLog";
