import assert from "node:assert/strict";
import { shardOf, type Customer } from "../../examples/shards/sharding";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../provider/src/testing";
import { tokensOf } from "../engine/harness";
import { newProject, type Project } from "../engine/harness/project";
import { assertNoSecrets, secretsOf } from "../engine/harness/secrets";
import { resourcesIn } from "../engine/harness/state";
import { effectsOf } from "../harness/providers";
import { inherited, run, type Ended, type Environment } from "../harness/run";
import { example, pathWithTools } from "./example";

/** What a checkout of examples/shards lists. */
export interface Lists {
  readonly customers?: readonly Customer[];
  readonly shards?: readonly string[];
  readonly retired?: readonly string[];
  readonly deletionLimit?: number;
}

interface Options extends EmulatorOptions {
  readonly env?: Environment;
}

/** A checkout of examples/shards, with a service, and a backend that other checkouts may share. */
export class ShardedDeployment {
  #lists: Required<Lists> = { customers: [], shards: [], retired: [], deletionLimit: 2 };

  private constructor(
    readonly emulator: Emulator,
    readonly project: Project,
    readonly env: Environment,
  ) {}

  /** `env` comes on top of the environment that the harness makes: say, another backend. */
  static async create(lists: Lists, { env = {}, ...options }: Options = {}): Promise<ShardedDeployment> {
    const project = await newProject(example("shards"));
    const deployment = new ShardedDeployment(await startEmulator(options), project, env);
    await deployment.list(lists);
    return deployment;
  }

  /** A checkout of the same lists on another machine, with a home of its own. */
  async otherMachine(env: Environment = {}): Promise<ShardedDeployment> {
    const project = await newProject(example("shards"));
    const other = new ShardedDeployment(this.emulator, project, { ...this.env, ...env });
    await other.list(this.#lists);
    return other;
  }

  async remove(): Promise<void> {
    await this.removeCheckout();
    await this.emulator.stop();
  }

  /** Keeps the service, which the other machines use. */
  removeCheckout(): Promise<void> {
    return this.project.remove();
  }

  /** Changes what the checkout lists. */
  async list(lists: Lists): Promise<void> {
    const { customers, ...stacks } = (this.#lists = { ...this.#lists, ...lists });
    await this.project.write({
      "customers.json": JSON.stringify(customers),
      "shards.json": JSON.stringify(stacks),
    });
  }

  /** `npm run deploy` with these names of shards. */
  deploy(...shards: string[]): Promise<Ended> {
    return this.npmRun("deploy", ...shards);
  }

  /** Runs a script of package.json; no secret may be seen in what it prints or in the files. */
  async npmRun(
    script: "deploy" | "preview" | "refresh" | "remove" | "stages",
    ...shards: string[]
  ): Promise<Ended> {
    const launched = await this.#run(["--require", "ts-node/register", "deploy.ts", script, ...shards]);
    const printed = new Map([["the output", launched.output]]);
    await assertNoSecrets(new Set(secretsOf(this.emulator)), printed, [this.project.backend]);
    return launched;
  }

  /** Runs the engine's command by itself. */
  pulumi(...args: string[]): Promise<Ended> {
    return this.#run([require.resolve("pulumi/run.js"), ...args]);
  }

  /** Runs Node.js in the checkout, as `npm run` does. */
  #run(args: readonly string[]): Promise<Ended> {
    const env = {
      ...inherited(),
      PATH: pathWithTools(),
      ...this.project.env,
      PULUMI_CONFIG_PASSPHRASE: "correct horse",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      TS_NODE_TRANSPILE_ONLY: "true",
      USER_GROUPS_BASE_URL: this.emulator.baseUrl,
      USER_GROUPS_API_TOKEN: this.emulator.apiToken,
      ...this.env,
    };
    return run(process.execPath, args, { cwd: this.project.folder, env });
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
