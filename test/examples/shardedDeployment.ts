/** A checkout of examples/shards, with a service, and a backend that other checkouts share. */
import assert from "node:assert/strict";
import { shardOf, type Customer } from "../../examples/shards/sharding";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../provider/src/testing";
import { newProject, Stack, tokensOf, type Environment } from "../engine/harness";
import { resourcesIn } from "../engine/harness/state";
import { effectsOf } from "../harness/providers";
import type { Ended } from "../harness/run";
import { example } from "./example";

/** What a checkout lists. */
export interface Lists {
  readonly customers?: readonly Customer[];
  readonly shards?: readonly string[];
  readonly retired?: readonly string[];
  readonly deletionLimit?: number;
}

/** On top of the environment that the harness makes. */
interface Options extends EmulatorOptions {
  readonly env?: Environment;
}

const quick = { PULUMI_NODEJS_TRANSPILE_ONLY: "true", TS_NODE_TRANSPILE_ONLY: "true" };

export class ShardedDeployment {
  #lists: Required<Lists> = { customers: [], shards: [], retired: [], deletionLimit: 2 };

  private constructor(
    readonly emulator: Emulator,
    readonly stack: Stack,
  ) {}

  static async create(lists: Lists, { env, ...options }: Options = {}): Promise<ShardedDeployment> {
    return this.#checkout(await startEmulator(options), lists, env);
  }

  static async #checkout(emulator: Emulator, lists: Lists, env?: Environment): Promise<ShardedDeployment> {
    const stack = new Stack(await newProject(example("shards")), { emulator, env: { ...quick, ...env } });
    const deployment = new ShardedDeployment(emulator, stack);
    await deployment.list(lists);
    return deployment;
  }

  /** A checkout of the same lists on another machine, with a home of its own. */
  otherMachine(env: Environment = {}): Promise<ShardedDeployment> {
    const { PULUMI_BACKEND_URL, PULUMI_CONFIG_PASSPHRASE } = this.stack.env;
    const shared = { PULUMI_BACKEND_URL, PULUMI_CONFIG_PASSPHRASE };
    return ShardedDeployment.#checkout(this.emulator, this.#lists, { ...shared, ...env });
  }

  async remove(): Promise<void> {
    await this.removeCheckout();
    await this.emulator.stop();
  }

  /** Keeps the service, which the other machines use. */
  removeCheckout(): Promise<void> {
    return this.stack.remove();
  }

  /** Changes what the checkout lists. */
  async list(lists: Lists): Promise<void> {
    this.#lists = { ...this.#lists, ...lists };
    const { customers, ...stacks } = this.#lists;
    await this.stack.program({
      "customers.json": JSON.stringify(customers),
      "shards.json": JSON.stringify(stacks),
    });
  }

  /** `npm run deploy` with these names of shards. */
  deploy(...shards: string[]): Promise<Ended> {
    return this.npmRun("deploy", ...shards);
  }

  npmRun(
    script: "deploy" | "preview" | "refresh" | "remove" | "stages",
    ...shards: string[]
  ): Promise<Ended> {
    return this.stack.shell(`npm run --silent ${script} -- ${shards.join(" ")}`);
  }

  /** Runs the engine's command by itself. */
  pulumi(...args: string[]): Promise<Ended> {
    return this.stack.run(args, { isPlain: args.includes("--show-secrets") });
  }

  /** The customers whom a stack has recorded; none where there is no such stack. */
  async recorded(stack: string): Promise<string[]> {
    const { stdout } = await this.pulumi("stack", "export", "--stack", stack);
    if (stdout === "") return [];
    const [{ outputs } = { outputs: {} }] = resourcesIn(JSON.parse(stdout));
    return Object.keys("groups" in outputs ? (Object(outputs.groups) as object) : {}).sort();
  }

  /** How long a stack's state is, without white space. */
  async stateBytes(stack: string): Promise<number> {
    const { stdout } = await this.pulumi("stack", "export", "--stack", stack);
    return Buffer.byteLength(JSON.stringify(JSON.parse(stdout)));
  }

  /** Asserts that each shard has recorded its customers, the retired ones nobody, and that the service has all. */
  async assertSpread(): Promise<void> {
    const { customers, shards, retired } = this.#lists;
    const ids = customers.map(({ id }) => id).sort();
    for (const shard of [...shards, ...retired]) {
      const expected = ids.filter((id) => shardOf({ id }, shards) === shard);
      assert.deepEqual(await this.recorded(shard), expected);
    }
    assert.deepEqual(Object.keys(tokensOf(this.emulator)).sort(), ids);
  }

  /** Method, group and effect of each request since the last call, sorted. */
  takeRequests(): string[] {
    const lines = effectsOf(this.emulator).sort();
    this.emulator.clearRequests();
    return lines;
  }
}

/** So many customers, the first of whom is tenant-0. */
export function customersUpTo(count: number): Customer[] {
  return Array.from({ length: count }, (_, n) => ({ id: `tenant-${n}`, name: `Tenant ${n}` }));
}
