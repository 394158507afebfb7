/**
 * Runs the real engine on real programs, each in a temporary project with a backend of its own.
 *
 * @example
 * const emulator = await startEmulator();
 * const stack = await newStack({ emulator, program: packageProgram(
 *   'new UserGroup("acme", { userGroupId: "acme", name: "Acme" });') });
 * const up = succeeds(await stack.up());
 * assert.deepEqual(up.changes, { create: 2 }); // the stack itself is a resource too
 * await stack.remove();
 * await emulator.stop();
 */
export { tokensOf } from "../../harness/providers";
export { fails, succeeds, type Environment } from "../../harness/run";
export { newFixture, withFixture, type Fixture } from "./fixture";
export { canKill, ProcessKiller, type Moment } from "./processKiller";
export { packageProgram, pluginProgram } from "./programs";
export { newProject, type Program } from "./project";
export { requestsTo, stepsOf, warningsOf, type Result } from "./results";
export { newStack, Stack } from "./stack";
export { isEncrypted } from "./state";
