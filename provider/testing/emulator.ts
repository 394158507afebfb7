/** The user group service on a loopback port. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { Account } from "./account";
import { disrupted, FaultQueue, isApplied } from "./faultQueue";
import type { Fault } from "./faults";
import {
  type Body,
  deleteGroup,
  getOrCreate,
  type Outcome,
  outcome,
  parseBody,
  refused,
  subjectOf,
} from "./operations";
import { type EmulatorBehavior, type EmulatorOptions, type Options, settingsFrom } from "./options";
import { RateLimit } from "./rateLimit";
import { entryFrom, type RequestLogEntry } from "./requestLog";
import { deliver, listen, receive } from "./server";

/**
 * Starts the user group service on 127.0.0.1. Rejects if an option is wrong (`TypeError`) or the port is in use. It runs until
 * `stop`, or until its process has nothing else to do.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return Emulator.start(settingsFrom(options));
}

/** A running emulator, and the first account of its service. Changes hold at once, for requests that arrive later. */
export class Emulator extends Account {
  /** `http://127.0.0.1:<port><basePath>`, or https. */
  readonly baseUrl: string;
  readonly #requests: RequestLogEntry[] = [];
  /** Every request that arrived whole, oldest first. Always empty with `keepRequests: false`. */
  readonly requests: readonly RequestLogEntry[] = this.#requests;
  /** The number of connections opened since the start. */
  connections = 0;
  /** The largest number of connections open at the same time since the start. */
  peakConnections = 0;
  readonly #sockets = new Set<Socket>();
  readonly #numbers = new WeakMap<Socket, number>();
  readonly #accounts: Account[] = [this];
  readonly #faults = new FaultQueue();
  readonly #rateLimit = new RateLimit();
  readonly #server: Server;
  #settings: Options;

  private constructor(server: Server, settings: Options) {
    super(settings.apiToken);
    this.#settings = settings;
    this.#server = server;
    // An emulator that nobody stopped, say because a test's setup failed, must not keep its process alive.
    server.unref();
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    this.baseUrl = `${settings.tls ? "https" : "http"}://127.0.0.1:${port}${settings.basePath}`;
    server.on("connection", (socket: Socket) => {
      socket.unref();
      this.#sockets.add(socket.once("close", () => this.#sockets.delete(socket)));
    });
    server.on(settings.tls ? "secureConnection" : "connection", (socket: Socket) => {
      this.#numbers.set(socket, ++this.connections);
      this.peakConnections = Math.max(this.peakConnections, this.openConnections);
    });
    server.on("request", (request, response) => void this.#receive(request, response));
  }

  /** @hidden */
  static async start(settings: Options): Promise<Emulator> {
    return new Emulator(await listen(settings), settings);
  }

  /** The number of connections open now. */
  get openConnections(): number {
    return this.#sockets.size;
  }

  /** Changes the given options. Throws a `TypeError` that names a wrong one. */
  configure(changes: EmulatorBehavior): void {
    this.#settings = settingsFrom({ ...this.#settings, ...changes });
  }

  /** Adds an account: other groups at the same address, for requests with its API token. Default: a random one. */
  addAccount(apiToken?: string): Account {
    const account = new Account(apiToken);
    this.#accounts.push(account);
    return account;
  }

  /** Adds a fault to the queue. Throws a `TypeError` if its kind is unknown. */
  fault(fault: Fault): void {
    this.#faults.add(fault);
  }

  /** Removes the faults that haven't hit yet. */
  clearFaults(): void {
    this.#faults.clear();
  }

  /** Empties `requests`. */
  clearRequests(): void {
    this.#requests.length = 0;
  }

  /** Closes the port and every connection, also in the middle of a response. Further calls have no effect. */
  async stop(): Promise<void> {
    this.#disconnect();
    // A client of this process notices before another server can get the port. Otherwise it would use its connection once more.
    await setImmediate();
    await setImmediate();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#disconnect();
    await closed;
  }

  #disconnect(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #receive(request: IncomingMessage, target: ServerResponse): Promise<void> {
    const received = await receive(request).catch(() => undefined);
    if (!received) return; // the client has left
    const { response, fault } = this.#respond(request, parseBody(received.text));
    const delay = this.#settings.latency + (fault?.kind === "delay" ? fault.ms : 0);
    // Unreferenced: a pending response must not keep a process alive after its emulator has stopped.
    if (delay > 0) await sleep(delay, undefined, { ref: false });
    if (fault?.kind === "drop") target.destroy();
    await deliver(target, response);
  }

  #respond({ method = "", url: path = "", headers, socket }: IncomingMessage, body: Body) {
    const account = this.#accounts.find(({ apiToken }) => headers.authorization === `Token ${apiToken}`);
    const userGroupId = subjectOf(account ?? this, this.#settings, body.fields);
    const unexamined = body.isUnread ? body.refusal : this.#unexamined(method, path);
    const fault = unexamined ? undefined : this.#faults.take(method, userGroupId);
    const { effect, refusal, ...own } = unexamined ?? this.#apply(method, body, account, fault);
    const response = fault ? disrupted(fault, own) : own;
    const entry = entryFrom({
      receivedAt: Date.now(),
      method,
      path,
      headers,
      userGroupId,
      fault,
      effect,
      refusal,
      authorized: account !== undefined,
      account: account && this.#accounts.indexOf(account),
      body: body.json,
      newUserGroup: effect === "created",
      status: response?.status,
      connection: this.#numbers.get(socket) ?? 0,
    });
    if (this.#settings.keepRequests) this.#requests.push(entry);
    this.#settings.log?.(entry);
    return { response, fault };
  }

  /** The response to a request whose body doesn't matter. */
  #unexamined(method: string, path: string): Outcome | undefined {
    const { requestsPerSecond } = this.#settings;
    if (!this.#rateLimit.accepts(requestsPerSecond, performance.now()))
      return refused(`more than ${requestsPerSecond} requests in a second`, 429);
    const [pathOnly = ""] = path.split("?");
    if (pathOnly !== `${this.#settings.basePath}/api/user`) return refused(`unknown path ${pathOnly}`, 404);
    return method === "GET" || method === "DELETE" ? undefined : refused("unknown method", 405);
  }

  #apply(method: string, body: Body, account?: Account, fault?: Fault): Outcome {
    if (fault && !isApplied(fault)) return outcome("none", { success: 0 });
    if (!account) return refused("not authorized", 401);
    if (body.refusal) return body.refusal;
    return (method === "GET" ? getOrCreate : deleteGroup)(account, this.#settings, body.fields);
  }
}
