/** What the cases of errors consist of: commands on the model of the engine, and what happens to the service and the settings. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { jsonInput } from "../../provider/src/resources/jsonInputs";
import { startEmulator, type EmulatorOptions, type Fault } from "../../provider/src/testing";
import { inContext, type Context, type Elsewhere } from "../harness/context";
import { redirect } from "../harness/responseFaults";
import type { Declared } from "../model/resources";
import type { Outcome } from "../model/run";
import { loopbackCertificate } from "../unit/testing/loopbackCertificate";
import { repository } from "./pages";

export type Program = readonly Declared[];

export const values = { userGroupId: "acme", name: "Acme" };

/** A command, or what somebody does to the service or the settings. */
export type Step = (context: Context, message: string) => unknown;

export interface ErrorCase {
  readonly service?: EmulatorOptions;
  readonly settings?: Readonly<Record<string, string>>;
  /** The last one ends with the error. */
  readonly causes: readonly Step[];
  /** What the user does then, by name. Each of them ends the error. */
  readonly remedies: Readonly<Record<string, Remedy>>;
}

export interface Remedy {
  readonly steps: readonly Step[];
  /** What the next `up` deploys. */
  readonly program: Program;
}

/** Services that contexts share: one that redirects, and one with a certificate that nobody trusts. */
export async function startElsewhere(): Promise<Elsewhere> {
  const stranger = await startEmulator();
  stranger.fault({ ...redirect("https://login.example.com/start"), times: Infinity });
  return { stranger, untrusted: await startEmulator({ tls: loopbackCertificate }) };
}

/** Runs the test in a context of its own. */
export function inCase(
  { service, settings }: ErrorCase,
  elsewhere: Elsewhere,
  test: (context: Context) => Promise<void>,
): Promise<void> {
  return inContext({ ...service, ...(settings && { settings }), elsewhere }, test);
}

/** Causes the error. Returns the message that the engine prints. */
export async function messageOf({ causes }: ErrorCase, context: Context): Promise<string> {
  for (const cause of causes.slice(0, -1)) assert.equal(failureOf(await cause(context, "")), "");
  return failureOf(await causes.at(-1)?.(context, ""));
}

/** That of a command, or of a program; empty if there was none. */
export function failureOf(result: unknown): string {
  if (typeof result === "string") return result;
  const { failures } = outcome.parse(result ?? {});
  return failures.at(-1)?.message ?? "";
}

const outcome = z
  .object({ failures: z.array(z.object({ message: z.string() })).default([]) })
  .catch({ failures: [] });
export function up(...program: Program): Step {
  return ({ engine }) => engine.up(program);
}

export function preview(...program: Program): Step {
  return ({ engine }) => engine.preview(program);
}

export function refresh({ engine }: Context): Promise<Outcome> {
  return engine.refresh();
}

export function destroy({ engine }: Context): Promise<Outcome> {
  return engine.destroy();
}

/** `pulumi state delete` */
export function forget(name: string): Step {
  return ({ engine }) => {
    engine.forget(name);
  };
}

/** Somebody edits the state. */
export function rewrite(from: string, to: string): Step {
  return ({ engine }) => {
    engine.rewrite((outputs) => outputs.replace(from, to));
  };
}

/** A defect of the code that a request runs. */
export function breaksClock({ clock }: Context): void {
  const now = () => {
    throw new TypeError("Cannot read properties of undefined (reading 'length')");
  };
  Object.assign(clock, { now });
}

export function cancels(signal: AbortSignal): Step {
  return (context) => {
    context.signal = signal;
  };
}

export function addressOf(addressIn: (context: Context) => string): Step {
  return (context) => {
    context.settings["baseUrl"] = addressIn(context);
  };
}

/** Nobody listens there. */
export const closedUrl = "http://127.0.0.1:9";

export function rightAddress({ emulator, settings }: Context): void {
  settings["baseUrl"] = emulator.baseUrl;
}

export function rightToken({ emulator, settings }: Context): void {
  settings["apiToken"] = emulator.apiToken;
}

export function newToken({ emulator }: Context): void {
  emulator.rotateApiToken();
}

export function replaces({ settings }: Context): void {
  settings["changes"] = "replace";
}

/** Somebody has created the group. */
export function exists({ emulator }: Context): void {
  emulator.putGroup(values);
}

/** Somebody has created the group again. */
export function created({ emulator }: Context): void {
  emulator.rotateToken("acme");
}

/** Somebody has deleted the group. */
export function gone({ emulator }: Context): void {
  emulator.removeGroup("acme");
}

export function fewAttempts(context: Context): void {
  context.limit(3, 60);
}

/** All requests that fit meet the fault. */
export function meets(fault: Fault): Step {
  return ({ emulator }) => {
    emulator.fault({ times: Infinity, ...fault });
  };
}

export function heal(context: Context): void {
  context.heal();
}

/** The error of a program with these properties. */
export function issueOf(properties: object): Promise<string | undefined> {
  try {
    jsonInput(properties, ["properties"]);
    return Promise.resolve(undefined);
  } catch (error) {
    return Promise.resolve(error instanceof Error ? error.message : String(error));
  }
}

const execute = promisify(execFile);
export const useResource = 'resourceInputs("userGroup", {}, {}, {})';
export const usePlugin = 'UserGroup.get("acme", "acme", { name: "Acme" })';

/** Runs a program in a folder of its own, without the package or with it. Returns the message of its error. */
export async function declareIn(
  module: string,
  call: string,
  { project = "", isInstalled = false } = {},
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "user-groups-program-"));
  const file = join(repository, "provider/src/resources", `${module}.ts`);
  const program = `
    try { require(${JSON.stringify(file)}).${call}; }
    catch ({ message }) { process.stdout.write(message); }`;
  const env = {
    ...process.env,
    TS_NODE_PROJECT: join(repository, "tsconfig.json"),
    PULUMI_HOME: folder,
    PULUMI_NODEJS_MONITOR: "127.0.0.1:1",
  };
  try {
    await writeFile(join(folder, "Pulumi.yaml"), `name: tests\n${project}`);
    if (isInstalled) {
      await mkdir(join(folder, "node_modules"));
      await symlink(repository, join(folder, "node_modules/pulumi-user-groups"), "dir");
    }
    const args = ["--require", require.resolve("ts-node/register/transpile-only"), "--eval", program];
    const { stdout } = await execute(process.execPath, args, { cwd: folder, env });
    return /\[[a-z-]+\]$/.test(stdout) ? stdout : undefined;
  } finally {
    await rm(folder, { recursive: true });
  }
}
