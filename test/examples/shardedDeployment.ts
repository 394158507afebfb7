/** A checkout of examples/shards, with a service and a backend that other checkouts share. */
import assert from "node:assert/strict";
import { shardOf, type Customer } from "../../examples/shards/sharding";
import type { Emulator } from "../../provider/src/testing";
import { propertiesOf } from "../../provider/src/values";
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

const quick = { PULUMI_NODEJS_TRANSPILE_ONLY: "true", TS_NODE_TRANSPILE_ONLY: "true" };

export class ShardedDeployment {
  #lists: Required<Lists> = { customers: [], shards: [], retired: [], deletionLimit: 2 };

  private constructor(
    readonly emulator: Emulator,
    readonly stack: Stack,
  ) {}

  static async start(emulator: Emulator, lists: Lists, env: Environment = {}): Promise<ShardedDeployment> {
    const stack = new Stack(await newProject(example("shards")), { emulator, env: { ...quick, ...env } });
    const deployment = new ShardedDeployment(emulator, stack);
    await deployment.list(lists);
    return deployment;
  }

  /** A checkout of the same lists on another machine, with a home of its own. */
  otherMachine(env: Environment = {}): Promise<ShardedDeployment> {
    const { PULUMI_BACKEND_URL, PULUMI_CONFIG_PASSPHRASE } = this.stack.env;
    const shared = { PULUMI_BACKEND_URL, PULUMI_CONFIG_PASSPHRASE };
    return ShardedDeployment.start(this.emulator, this.#lists, { ...shared, ...env });
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

  /** `npm run` with these names of shards. */
  run(script: "deploy" | "preview" | "refresh" | "remove" | "stages", ...shards: string[]): Promise<Ended> {
    return this.stack.shell(`npm run --silent ${script} -- ${shards.join(" ")}`);
  }

  /** Asserts that each shard has recorded its customers with their tokens, the retired ones nobody, and that the service has all. */
  async assertSpread(): Promise<void> {
    const { customers, shards, retired } = this.#lists;
    const tokens = tokensOf(this.emulator);
    assert.deepEqual(Object.keys(tokens).sort(), customers.map(({ id }) => id).sort());
    for (const shard of [...shards, ...retired]) {
      const own = Object.entries(tokens).filter(([id]) => shardOf({ id }, shards) === shard);
      assert.deepEqual(await this.#recorded(shard), Object.fromEntries(own));
    }
  }

  /** Method, group and effect of each request since the last call, sorted. */
  takeRequests(): string[] {
    const lines = effectsOf(this.emulator).sort();
    this.emulator.clearRequests();
    return lines;
  }

  /** The tokens of the customers whom a stack has recorded; none where there is no such stack. */
  async #recorded(shard: string): Promise<object> {
    const command = `pulumi stack export --show-secrets --stack ${shard}`;
    const { stdout } = await this.stack.shell(command, { isPlain: true });
    const [resource] = stdout === "" ? [] : resourcesIn(JSON.parse(stdout));
    return propertiesOf(propertiesOf(resource?.outputs)["tokens"]);
  }
}

/** So many customers, the first of whom is tenant-0. */
export function customersUpTo(count: number): Customer[] {
  return Array.from({ length: count }, (_, n) => ({ id: `tenant-${n}`, name: `Tenant ${n}` }));
}
