/** What the cases of errors consist of: a service with a stack, commands, and what happens to the service and the settings. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { jsonInput } from "../../provider/resources/jsonInputs";
import { startEmulator, type Emulator, type EmulatorOptions, type Fault } from "../../provider/testing";
import { TestClock } from "../support/harness/clock";
import { startProviders } from "../support/harness/product";
import { withFolder } from "../support/harness/run";
import { ModelEngine } from "../support/model/engine";
import type { Declared } from "../support/model/resources";
import type { Outcome } from "../support/model/run";
import { repository } from "./pages";

export type Program = readonly Declared[];

export const values = { userGroupId: "acme", name: "Acme" };

/** A command, which gives the message of its failure; or what somebody does to the service or the settings. */
export type Step = (context: Context) => unknown;

export interface ErrorCase {
  readonly service?: EmulatorOptions;
  readonly settings?: Readonly<Record<string, string>>;
  /** The last one ends with the error. */
  readonly causes: readonly Step[];
}

/** Where a case happens: a service, and a stack with dynamic resources on the model of the engine. */
export class Context {
  readonly clock = new TestClock();
  readonly engine = new ModelEngine(() =>
    startProviders({ settings: this.settings, clock: this.clock, signal: this.signal }),
  );
  /** Aborted: the user has cancelled the command. */
  signal = new AbortController().signal;

  constructor(
    readonly emulator: Emulator,
    /** Without `user-groups:`. */
    readonly settings: Record<string, string>,
  ) {}

  /** Another address of the service. */
  get otherUrl(): string {
    return this.emulator.baseUrl.replace("127.0.0.1", "localhost");
  }

  /** How often and how long, in seconds, an operation tries. */
  limit(attempts: number, seconds: number): void {
    this.clock.attempts = attempts;
    this.settings["timeout"] = String(seconds);
  }
}

/** Causes the error in a context of its own, and gives the message that the engine prints to the test. */
export async function withError(
  { service, settings, causes }: ErrorCase,
  test: (message: string, context: Context) => Promise<void> | void,
): Promise<void> {
  const emulator = await startEmulator(service);
  try {
    const { baseUrl, apiToken } = emulator;
    const context = new Context(emulator, { baseUrl, apiToken, ...settings });
    let message = "";
    for (const cause of causes) {
      if (message !== "") throw new Error(`Not the last cause has failed: ${message}`);
      const result = await cause(context);
      message = typeof result === "string" ? result : "";
    }
    await test(message, context);
  } finally {
    await emulator.stop();
  }
}

async function messageOf(command: Promise<Outcome>): Promise<string> {
  return (await command).failures.at(-1)?.message ?? "";
}

export function up(...program: Program): Step {
  return ({ engine }) => messageOf(engine.up(program));
}

export function preview(...program: Program): Step {
  return ({ engine }) => messageOf(engine.preview(program));
}

export function refresh({ engine }: Context): Promise<string> {
  return messageOf(engine.refresh());
}

export function destroy({ engine }: Context): Promise<string> {
  return messageOf(engine.destroy());
}

/** Somebody edits the state. */
export function rewrite(from: string, to: string): Step {
  return ({ engine }) => {
    engine.rewrite((outputs) => outputs.replace(from, to));
  };
}

export function cancels(signal: AbortSignal): Step {
  return (context) => {
    context.signal = signal;
  };
}

export function set(settingsIn: (context: Context) => Readonly<Record<string, string>>): Step {
  return (context) => {
    Object.assign(context.settings, settingsIn(context));
  };
}

export function newToken({ emulator }: Context): void {
  emulator.rotateApiToken();
}

/** Somebody has created the group. */
export function exists({ emulator }: Context): void {
  emulator.putGroup(values);
}

/** Somebody has created the group again. */
export function created({ emulator }: Context): void {
  emulator.rotateToken("acme");
}

/** All requests that fit meet the fault. */
export function meets(fault: Fault): Step {
  return ({ emulator }) => {
    emulator.fault({ times: Infinity, ...fault });
  };
}

/** A program with these properties. */
export function withProperties(properties: object): Step {
  return () => {
    try {
      jsonInput(properties, ["properties"]);
      return "";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
}

const execute = promisify(execFile);
/** Calls that need the package, or the plugin, by their modules in `provider/resources`. */
const calls = {
  resourceOptions: 'resourceInputs("userGroup", {}, {}, {})',
  plugin: 'UserGroup.get("acme", "acme", { name: "Acme" })',
};

/** A program in a folder of its own, without the package. */
export function declaresIn(module: keyof typeof calls): Promise<string> {
  const file = join(repository, "provider/resources", `${module}.ts`);
  const program = `
    try { require(${JSON.stringify(file)}).${calls[module]}; }
    catch ({ message }) { process.stdout.write(message); }`;
  return withFolder(async (folder) => {
    const env = {
      ...process.env,
      TS_NODE_PROJECT: join(repository, "tsconfig.json"),
      PULUMI_HOME: folder,
      PULUMI_NODEJS_MONITOR: "127.0.0.1:1",
    };
    await writeFile(join(folder, "Pulumi.yaml"), "name: tests\n");
    const args = ["--require", require.resolve("ts-node/register/transpile-only"), "--eval", program];
    const { stdout } = await execute(process.execPath, args, { cwd: folder, env });
    return stdout;
  });
}
