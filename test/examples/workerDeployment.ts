/** examples/worker with a service, a database and workers, each with a folder of its own, as on a machine of its own. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import * as fs from "node:fs/promises";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { version as pinned } from "pulumi/package.json";
import { LocalDatabase } from "../../examples/database/test/localDatabase";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../provider/src/testing";
import { newProject } from "../engine/harness";
import { engineHome } from "../engine/harness/project";
import { inherited, type Environment } from "../harness/run";
import { example } from "./example";
import { installed } from "./installed";

export class WorkerDeployment {
  readonly #workers: Worker[] = [];

  private constructor(
    readonly emulator: Emulator,
    readonly database: LocalDatabase,
    /** Of the owner. */
    readonly sql: postgres.Sql,
    private readonly packages: string,
    private readonly env: Environment,
  ) {}

  /** `env`: of the workers. */
  static async start(options: EmulatorOptions, env: Environment = {}): Promise<WorkerDeployment> {
    const packages = await installed("worker");
    const database = await LocalDatabase.start();
    const url = new URL(database.url("owner"));
    const admin = postgres(url.href);
    await admin`create database worker`;
    await admin.end();
    url.pathname = "/worker";
    const sql = postgres(url.href, { onnotice: () => undefined });
    await sql.unsafe(example("worker")["schema.sql"] ?? "");
    await sql.unsafe(`alter role worker password '${url.password}'`);
    const emulator = await startEmulator(options);
    url.username = "worker";
    return new WorkerDeployment(emulator, database, sql, packages, {
      DATABASE_URL: `${url.href}?sslmode=disable`,
      PULUMI_CONFIG_PASSPHRASE: "secret",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      USER_GROUPS_BASE_URL: emulator.baseUrl,
      USER_GROUPS_API_TOKEN: emulator.apiToken,
      ...env,
    });
  }

  async startWorker(): Promise<Worker> {
    const project = await newProject(example("worker"), join(this.packages, "node_modules"));
    const bin = join(this.packages, "node_modules/.bin");
    const engine = join(engineHome(), "versions", process.env["PULUMI_VERSION"] ?? pinned, "bin");
    const PATH = [bin, engine, process.env["PATH"]].join(delimiter);
    const env = { ...inherited(), ...this.env, PATH, PULUMI_HOME: project.home };
    const worker = new Worker(spawn(join(bin, "node"), ["worker.ts"], { cwd: project.folder, env }), project);
    this.#workers.push(worker);
    await eventually(() => worker.output.includes("ready"));
    return worker;
  }

  /** Signs customers up, with numbers from 1. */
  async signUp(name: string, count = 1, shard: string | null = null): Promise<void> {
    await this.sql`insert into customers (id, name, data_source, region, shard)
      select ${name} || '-' || number, ${name}, 'shared', 'eu', ${shard} from generate_series(1, ${count}::int) as number`;
  }

  /** The current token first. */
  tokensOf(customer: string): Promise<{ token: string; valid_until: Date | null }[]> {
    return this
      .sql`select * from dashboard_tokens where customer_id = ${customer} order by valid_until nulls first`;
  }

  async hasToken(customer: string): Promise<boolean> {
    return (await this.tokensOf(customer)).length > 0;
  }

  /** Waits until no job waits or runs. */
  async idle(): Promise<void> {
    const jobs = () => this.sql`select from pgboss.job where name = 'shards' and state < 'completed'`;
    await eventually(async () => (await jobs()).length === 0);
  }

  /** Then each customer who is served has a group and its token, and nobody else has one. */
  async settle(): Promise<void> {
    await this.idle();
    const delivered = await this.sql<
      { id: string | null; token: string | null }[]
    >`select id, token from served
      full join dashboard_tokens on id = customer_id`;
    const rows = delivered.map(({ id, token }) => `${id} ${token}`);
    const groups = [...this.emulator.groups.values()];
    const known = groups.map(({ userGroupId, token }) => `${userGroupId.split("~")[0]} ${token}`);
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
    await fs.rm(this.packages, { recursive: true, maxRetries: 3 });
  }
}

/** One process of worker.ts. */
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

  /** Resolves to the exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    if (!this.hasEnded) await once(this.child, "exit");
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
