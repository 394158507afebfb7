/** examples/database in use: a PostgreSQL, a service, the stack, the example's commands and its application. */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { Server } from "node:http";
import postgres, { type Sql } from "postgres";
import { newApplication } from "../../examples/database/application";
import { LocalDatabase } from "../../examples/database/test/localDatabase";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { newStack, type Stack } from "../engine/harness";
import { portOf } from "../harness/port";
import { inherited, run, type Ended, type Environment } from "../harness/run";
import { example, pathWithTools } from "./example";

/** A row of dashboard_tokens. */
interface Row {
  readonly customer_id: string;
  readonly token: string;
  readonly valid_until: Date | null;
}

/** The library prints the server's warnings, such as that of its end. */
const quiet = { onnotice: () => undefined };

export class DatabaseExample {
  /** Called at each request to the service. */
  onRequest = (): void => undefined;
  readonly emulator: Emulator;
  readonly stack: Stack;
  /** Every token that the service had when a command ended. */
  readonly #tokens = new Set<string>();

  private constructor(
    readonly database: LocalDatabase,
    /** Of the owner of the database. */
    readonly sql: Sql,
    private readonly application: Server,
    parts: { emulator: Emulator; stack: Stack },
  ) {
    this.emulator = parts.emulator;
    this.stack = parts.stack;
  }

  /** `modules`: the folder in which the program finds packages. */
  static async start(modules?: string): Promise<DatabaseExample> {
    const database = await LocalDatabase.start();
    const emulator = await startEmulator({
      log: () => {
        made.onRequest();
      },
    });
    const env = { CUSTOMERS_URL: database.url("customers_reader") };
    const stack = await newStack({ program: example("database"), emulator, env, modules });
    const reader = postgres(database.url("tokens_reader"), quiet);
    const application = newApplication(reader, ({ headers }) => String(headers["x-customer"]));
    await once(
      application.listen(0, "127.0.0.1").on("close", () => void reader.end()),
      "listening",
    );
    const made = new DatabaseExample(database, postgres(database.url("owner"), quiet), application, {
      emulator,
      stack,
    });
    return made;
  }

  async remove(): Promise<void> {
    this.application.closeAllConnections();
    this.application.close();
    await this.sql.end();
    await this.stack.remove();
    await this.emulator.stop();
    await this.database.remove();
  }

  /** The environment in which a pipeline runs the example's commands. */
  get env(): Environment {
    const settings = {
      PATH: pathWithTools(),
      PULUMI_STACK: "dev",
      TOKENS_URL: this.database.url("tokens_writer"),
    };
    return { ...inherited(), ...this.stack.env, ...settings };
  }

  /** Runs a command, which must print no token. */
  async shell(command: string, env: Environment = {}): Promise<Ended> {
    const ended = await run("bash", ["-c", command], {
      cwd: this.stack.folder,
      env: { ...this.env, ...env },
    });
    for (const { token } of this.emulator.groups.values()) this.#tokens.add(token);
    for (const token of this.#tokens) assert(!ended.output.includes(token), "A token was printed");
    return ended;
  }

  deliver(env?: Environment): Promise<Ended> {
    return this.shell("npm run --silent deliver", env);
  }

  rows(): Promise<readonly Row[]> {
    return this.sql<Row[]>`select * from dashboard_tokens order by customer_id, valid_until nulls first`;
  }

  /** What the page of a customer has, and whether the service renders with it. */
  async page(customer: string): Promise<{ token: string; isBlank: boolean }> {
    const { text } = await this.#get("/", { "x-customer": customer });
    const token = decodeURIComponent(/data-token="(.*)"/.exec(text)?.[1] ?? "");
    return { token, isBlank: !this.isValid(token) };
  }

  /** What a page that is open gets for its token: the current one, or a status. */
  async renewed(customer: string, token: string): Promise<string | number> {
    const { status, text } = await this.#get("/token", {
      "x-customer": customer,
      authorization: `Bearer ${token}`,
    });
    return status === 200 ? text : status;
  }

  isValid(token: string): boolean {
    return [...this.emulator.groups.values()].some((group) => group.token === token);
  }

  async #get(path: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
    const response = await fetch(`http://127.0.0.1:${portOf(this.application)}${path}`, { headers });
    return { status: response.status, text: await response.text() };
  }
}
