/** examples/database in use: a PostgreSQL, a service, the stack, the example's commands and its application. */
import { once } from "node:events";
import type { Server } from "node:http";
import postgres from "postgres";
import { newApplication } from "../../examples/database/application";
import { LocalDatabase } from "../../examples/database/test/localDatabase";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { newStack, type Environment, type Stack } from "../engine/harness";
import { portOf } from "../harness/port";
import type { Ended } from "../harness/run";
import { example } from "./example";

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

  private constructor(
    readonly database: LocalDatabase,
    /** Of the owner of the database. */
    readonly sql: postgres.Sql,
    readonly emulator: Emulator,
    readonly stack: Stack,
    private readonly application: Server,
  ) {}

  /** `modules`: the folder in which the program finds packages. */
  static async start(modules?: string): Promise<DatabaseExample> {
    const database = await LocalDatabase.start();
    const emulator = await startEmulator({
      log: () => {
        made.onRequest();
      },
    });
    const env = {
      CUSTOMERS_URL: database.url("customers_reader"),
      TOKENS_URL: database.url("tokens_writer"),
    };
    const stack = await newStack({ program: example("database"), emulator, env, modules });
    const reader = postgres(database.url("tokens_reader"), quiet);
    const application = newApplication(reader, ({ headers }) => String(headers["x-customer"]));
    application.listen(0, "127.0.0.1").on("close", () => void reader.end());
    await once(application, "listening");
    const made = new DatabaseExample(
      database,
      postgres(database.url("owner"), quiet),
      emulator,
      stack,
      application,
    );
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

  /** Runs a command as a pipeline does. */
  shell(command: string, env?: Environment): Promise<Ended> {
    return this.stack.shell(command, env);
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
    const headers = { "x-customer": customer, authorization: `Bearer ${token}` };
    const { status, text } = await this.#get("/token", headers);
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
