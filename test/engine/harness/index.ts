/**
 * Runs the real engine on real programs, each in a temporary project with a backend of its own.
 *
 * @example
 * const emulator = await startEmulator();
 * const stack = await newStack({ emulator, program: `
 *   const { UserGroup } = require("pulumi-user-groups");
 *   new UserGroup("acme", { userGroupId: "acme", name: "Acme" });` });
 * const up = succeeds(await stack.up());
 * assert.deepEqual(up.changes, { create: 2 }); // the stack itself is a resource too
 * await stack.remove();
 * await emulator.stop();
 */
export { fails, succeeds } from "./outcome";
export { errorOf, requestsTo, stepsOf, tokensOf, valuesOf, warningsOf } from "./reports";
export { canKill, ProcessKiller } from "./processKiller";
export { newStack } from "./stack";
export { isSecret } from "./stackResources";
export { newFixture } from "./fixture";
export type { Moment } from "./processKiller";
export type { Diagnostic, Step } from "./events";
export type { Environment } from "./launcher";
export type { Program } from "./project";
export type { Result, Stack } from "./stack";
export type { Run, StackOptions } from "./stackOptions";
export type { Resource } from "./stackResources";
export type { Fixture } from "./fixture";
