/**
 * The log of both forms: the engine's, which counts warnings, and shows each line at its resource. Where no engine answers, such as that of a
 * debugger that hasn't attached yet, each line is written to stderr.
 */
import type * as service from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as messages from "@pulumi/pulumi/proto/engine_pb";
import type { Logger } from "../core/deployment/context";
import { escaped, escapedLines } from "../text";

/** The log of one operation. */
export interface OperationLogger extends Logger {
  /** Resolves when all lines are delivered. The operation must not end before that. */
  delivered(): Promise<void>;
}

/** The engine's protocol, as the SDK has it, with insecure credentials of the gRPC package with which its messages work. */
export interface EngineProtocol {
  readonly service: typeof service;
  readonly messages: typeof messages;
  readonly credentials: ConstructorParameters<typeof service.EngineClient>[1];
}

interface Line {
  /** A URN, or what it says after stack and project; empty: not known. */
  readonly resource: string;
  readonly message: string;
  readonly severity: "INFO" | "WARNING";
  readonly isProgress: boolean;
}

interface LogOptions {
  /** Loads it for the first line, because a process without an engine has no use of it. */
  readonly protocol: () => EngineProtocol;
  /** Gets each line that the engine doesn't take. */
  readonly write: (text: string) => void;
  /** Milliseconds. The engine is on this machine: if it takes longer once, it won't answer any more. Default: 5,000. */
  readonly patience?: number;
}

interface Engine {
  readonly client: service.EngineClient;
  readonly messages: typeof messages;
}

export class EngineLog {
  #address: string | undefined;
  #engine: Engine | undefined;
  #stack: string | undefined;
  /** One line after the other, because the engine may print parallel requests in any order. */
  #delivered = Promise.resolve();
  /** Each warning with its resource: the engine may ask for the diff of a resource twice in a deployment. */
  readonly #warned = new Set<string>();

  constructor(private readonly options: LogOptions) {}

  /** Sets the address of the engine. The first line connects. */
  attach(address: string): void {
    this.#forget();
    this.#warned.clear();
    this.#address = address;
  }

  #forget(): void {
    this.#engine?.client.close();
    this.#engine = undefined;
    this.#stack = undefined;
    this.#address = undefined;
  }

  /** `resource`: a URN, or what it says after stack and project; empty: not known. */
  loggerFor(resource: string): OperationLogger {
    const log = (severity: Line["severity"], message: string, isProgress = false) => {
      const line = { resource, severity, message: escapedLines(message), isProgress };
      this.#delivered = this.#delivered.then(() => this.#deliver(line));
    };
    return {
      info: (message, isProgress) => {
        log("INFO", message, isProgress);
      },
      warn: (message) => {
        const warning = `${resource} ${message}`;
        if (!this.#warned.has(warning)) log("WARNING", message);
        this.#warned.add(warning);
      },
      delivered: () => this.#delivered,
    };
  }

  /** Never rejects: a line that the engine doesn't take fails no operation. */
  async #deliver(line: Line): Promise<void> {
    const urn = await this.#urnOf(line.resource);
    const message = urn === "" ? named(line) : line.message;
    const isTaken = await this.#call<true>(({ client, messages: { LogRequest, LogSeverity } }, done) => {
      const request = new LogRequest()
        .setSeverity(LogSeverity[line.severity])
        .setUrn(urn)
        .setMessage(message);
      return client.log(request.setEphemeral(line.isProgress), (error) => {
        done(error ? undefined : true);
      });
    });
    if (isTaken) return;
    const mark = line.severity === "WARNING" ? "warning: " : "";
    this.options.write(`${mark}${named(line)}\n`);
  }

  /** The URN of a resource; empty if it isn't known. The engine knows the stack's while a program runs that has told it. */
  async #urnOf(resource: string): Promise<string> {
    if (resource === "" || resource.startsWith("urn:")) return resource;
    if ((this.#stack ?? "") === "")
      this.#stack = await this.#call<string>(({ client, messages: { GetRootResourceRequest } }, done) =>
        client.getRootResource(new GetRootResourceRequest(), (_, response?: { getUrn(): string }) => {
          done(response?.getUrn());
        }),
      );
    const [start, project] = (this.#stack ?? "").split("::");
    return start && project ? [start, project, resource].join("::") : "";
  }

  /** Undefined: the engine doesn't answer. */
  async #call<Answer>(
    start: (engine: Engine, done: (answer?: Answer) => void) => { cancel(): void },
  ): Promise<Answer | undefined> {
    const address = this.#address;
    const engine = this.#connected();
    if (!engine) return undefined;
    const { patience = 5_000 } = this.options;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        call.cancel();
        // The next line doesn't wait as long.
        if (this.#address === address) this.#forget();
      }, patience);
      const call = start(engine, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
    });
  }

  /** An SDK without its gRPC package, or a text that is no address, is no engine either. */
  #connected(): Engine | undefined {
    if (this.#engine || this.#address === undefined) return this.#engine;
    // Not through `https_proxy`.
    const direct = { "grpc.enable_http_proxy": 0 };
    try {
      const { service, messages, credentials } = this.options.protocol();
      const client = new service.EngineClient(this.#address, credentials, direct);
      this.#engine = { client, messages };
    } catch {
      this.#address = undefined;
    }
    return this.#engine;
  }
}

/** The text of a line that doesn't stand at its resource. That of a `UserGroup` names the group. */
function named({ resource, message }: Line): string {
  const [type = "", name = ""] = resource.split("::").slice(-2);
  return type.endsWith(":UserGroups") ? `${escaped(name)}: ${message}` : message;
}
