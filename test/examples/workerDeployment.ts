/** examples/worker in a clone, with a service, a database and workers, each with a folder of its own, as on a machine of its own. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { version as pinned } from "pulumi/package.json";
import { LocalDatabase } from "../../examples/database/test/localDatabase";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../provider/testing";
import { newProject } from "../support/engine";
import { engineHome } from "../support/engine/project";
import { inherited, run, succeeds, type Environment } from "../support/harness/run";
import { binaryFrom } from "../release/packages/tool";
import { example } from "./example";
import { installed, workerNode } from "./installed";
import { newSql, type Sql } from "./sql";

export class WorkerDeployment {
  readonly #all: Worker[] = [];
  readonly #workers: Worker[] = [];

  private constructor(
    readonly emulator: Emulator,
    readonly database: LocalDatabase,
    /** Of the owner. */
    readonly sql: Sql,
    private readonly clone: Awaited<ReturnType<typeof installed>>,
    private readonly env: Environment,
  ) {}

  /** Of all workers. */
  get output(): string {
    return this.#all.map(({ output }) => output).join("");
  }

  /** `env`: of the workers. */
  static async start(options: EmulatorOptions, env: Environment = {}): Promise<WorkerDeployment> {
    const clone = await installed("worker");
    const node = await binaryFrom(workerNode, join(clone.folder, "../../../node"));
    const database = await LocalDatabase.start(join(clone.folder, "schema.sql"));
    const emulator = await startEmulator(options);
    const engine = join(engineHome(), "versions", process.env["PULUMI_VERSION"] ?? pinned, "bin");
    return new WorkerDeployment(emulator, database, newSql(database.url("owner")), clone, {
      PATH: [node, engine, process.env["PATH"]].join(delimiter),
      DATABASE_URL: database.url("worker"),
      PULUMI_CONFIG_PASSPHRASE: "secret",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      USER_GROUPS_BASE_URL: emulator.baseUrl,
      USER_GROUPS_API_TOKEN: emulator.apiToken,
      ...env,
    });
  }

  /** `command`: as the README starts it. */
  async startWorker(command = "node worker.ts", more: Environment = {}): Promise<Worker> {
    const modules = join(this.clone.folder, "node_modules");
    const project = await newProject(example("worker"), modules);
    const env = { ...inherited(), ...this.env, ...more, PULUMI_HOME: project.home };
    const [program = "", ...args] = command.split(" ");
    const worker = new Worker(spawn(program, args, { cwd: project.folder, env }), project);
    this.#workers.push(worker);
    this.#all.push(worker);
    await eventually(() => worker.output.includes("ready") || worker.hasEnded);
    assert(!worker.hasEnded, worker.output);
    return worker;
  }

  /** Runs commands in a worker's folder, with its settings. They must succeed. */
  async run(commands: string): Promise<void> {
    const project = await newProject(example("worker"), join(this.clone.folder, "node_modules"));
    const env = { ...inherited(), ...this.env, PULUMI_HOME: project.home };
    succeeds(await run("bash", ["-ec", commands], { cwd: project.folder, env }));
    await project.remove();
  }

  /** Signs customers up, with numbers from 1. */
  async signUp(name: string, count = 1, shard: string | null = null): Promise<void> {
    await this.sql`insert into customers (id, name, data_source, region, shard)
      select ${name}::text || '-' || number, ${name}, 'shared', 'eu', ${shard} from generate_series(1, ${count}::int) as number`;
  }

  /** The current token first. */
  tokensOf(customer: string): Promise<{ token: string; valid_until: Date | null }[]> {
    return this
      .sql`select * from dashboard_tokens where customer_id = ${customer} order by valid_until nulls first`;
  }

  async hasToken(customer: string): Promise<boolean> {
    return (await this.tokensOf(customer)).length > 0;
  }

  /** As owner, beside the triggers that write times. */
  async backdate(change: string): Promise<void> {
    await this.sql.unsafe(
      `begin; alter table customers disable trigger user; ${change}; alter table customers enable trigger user; commit`,
    );
  }

  /** The job of each hour, now. */
  async hourly(): Promise<void> {
    await this.sql`insert into pgboss.job (name) values ('hourly')`;
  }

  /** Waits until each change is applied and no job waits or runs. */
  async idle(): Promise<void> {
    const rest = () =>
      this
        .sql`select from changes union all select from pgboss.job where name in ('stacks', 'hourly') and state < 'completed'`;
    await eventually(async () => (await rest()).length === 0);
  }

  /** Then each customer who is served has a group and its token, and nobody else has one. */
  async settle(): Promise<void> {
    await this.idle();
    await this.assertSettled();
  }

  async assertSettled(): Promise<void> {
    const delivered = await this.sql<{ id: string | null; token: string | null }>`select id, token from served
      full join dashboard_tokens on id = customer_id`;
    // The first letters of a random token tell it from others, and are shorter to read when this fails.
    const rows = delivered.map(({ id, token }) => `${id} ${token?.slice(0, 20)}`);
    const groups = [...this.emulator.groups.values()];
    const known = groups.map(
      ({ userGroupId, token }) => `${userGroupId.split("~")[0]} ${token.slice(0, 20)}`,
    );
    assert.deepEqual(rows.sort(), known.sort());
  }

  async removeWorkers(): Promise<void> {
    for (const worker of this.#workers.splice(0)) await worker.remove();
  }

  async remove(): Promise<void> {
    await this.removeWorkers();
    await this.sql.end();
    await this.database.remove();
    await this.emulator.stop();
    await this.clone.remove();
  }
}

/** One process of worker.ts, or of npm with one below it. */
export class Worker {
  output = "";

  constructor(
    private readonly child: ChildProcess,
    private readonly project: Awaited<ReturnType<typeof newProject>>,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => (this.output += text));
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Of the process and all that it has started and that have ended. On Linux. */
  get cpuSeconds(): number {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, "utf8").split(" ").slice(13, 17);
    return fields.reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  }

  /** Resolves to the exit code, when its output has ended as well, and so have the processes that write it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const closed = this.hasEnded ? undefined : once(this.child, "close");
    this.child.kill(signal);
    await closed;
    return this.child.exitCode;
  }

  async remove(): Promise<void> {
    await this.end("SIGKILL");
    await this.project.remove();
  }
}

export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(50);
}
