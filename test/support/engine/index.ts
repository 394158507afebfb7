/** Runs the real engine on real programs, each in a temporary project with a backend of its own. */
export { tokensOf } from "../harness/providers";
export { fails, succeeds, type Environment } from "../harness/run";
export { newFixture, withFixture, type Fixture } from "./fixture";
export { canKill, ProcessKiller, type Moment } from "./processKiller";
export { packageProgram, pluginProgram } from "./programs";
export { newProject, type Program } from "./project";
export { requestsTo, stepsOf, warningsOf, type Result } from "./results";
export { newStack, Stack } from "./stack";
export { isEncrypted } from "./state";
