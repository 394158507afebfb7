/** What a case or a history happens in: a service, the way to it, an engine with the product, and all tokens ever issued. */
import {
  startEmulator,
  type Emulator,
  type EmulatorOptions,
  type FaultKind,
} from "../../provider/src/testing";
import { ModelEngine } from "../model/engine";
import { Tokens } from "../model/groups";
import { newGate, type Gate } from "./gate";
import { startProviders, type Defect, type Providers } from "./product";
import { TestClock } from "./clock";

/** How often a fault hits: one request, or all until it ends. */
export type Persistence = "once" | "lasting";

/** Services that contexts share, and that no request may reach. */
export interface Elsewhere {
  readonly stranger: Emulator;
  /** Speaks https with a certificate that nobody trusts. */
  readonly untrusted: Emulator;
}

export interface ContextOptions extends EmulatorOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly elsewhere?: Elsewhere;
  /** Starts what the engine starts for one command. Default: the dynamic providers. */
  readonly start?: (context: Context) => Providers | Promise<Providers>;
}

/** Which requests a fault of the service hits. */
export interface Aim {
  readonly skip?: number;
  readonly userGroupId?: string;
}

/** Makes a context, and ends it whatever happens. */
export async function inContext<Result>(
  { settings, elsewhere, start = (made) => made.startProviders(), ...options }: ContextOptions,
  use: (context: Context) => Promise<Result>,
): Promise<Result> {
  const tokens = new Tokens();
  let context: Context | undefined;
  const emulator = await startEmulator({
    ...options,
    log: () => {
      tokens.note(emulator);
      context?.onRequest();
    },
  });
  const gate = await newGate(emulator.baseUrl);
  try {
    const all = { baseUrl: gate.url, apiToken: emulator.apiToken, ...settings };
    context = new Context(emulator, tokens, gate, elsewhere, start, all);
    return await use(context);
  } finally {
    await gate.stop();
    await emulator.stop();
  }
}

export class Context {
  readonly clock = new TestClock();
  /** What the product printed for the user. */
  readonly printed: string[] = [];
  readonly engine = new ModelEngine(() => this.start(this));
  aim: Aim = {};
  defect: Defect | undefined;
  /** Aborted: the user has cancelled the command. */
  signal = new AbortController().signal;
  /** Called when the service has applied a request, and not responded yet. */
  onRequest: () => void = () => undefined;

  constructor(
    readonly emulator: Emulator,
    readonly tokens: Tokens,
    readonly gate: Gate,
    private readonly elsewhere: Elsewhere | undefined,
    private readonly start: NonNullable<ContextOptions["start"]>,
    /** Without `user-groups:`. */
    readonly settings: Record<string, string>,
  ) {}

  get strangerUrl(): string {
    return this.elsewhere?.stranger.baseUrl ?? "";
  }

  get untrustedUrl(): string {
    return this.elsewhere?.untrusted.baseUrl ?? "";
  }

  /** A fault of the service. */
  order(fault: FaultKind, persistence: Persistence): void {
    this.emulator.fault({ ...fault, ...this.aim, times: persistence === "once" ? 1 : Infinity });
  }

  /** Other settings from now on. */
  configure(settings: Readonly<Record<string, string>>): void {
    for (const name of Object.keys(this.settings)) Reflect.deleteProperty(this.settings, name);
    Object.assign(this.settings, settings);
  }

  /** Says that the service has moved to another address. */
  pointAt(baseUrl: string): void {
    const formerBaseUrl = this.settings["baseUrl"] ?? "";
    Object.assign(this.settings, { baseUrl, formerBaseUrl });
  }

  async shutGate(persistence: Persistence): Promise<void> {
    await this.gate.shut();
    if (persistence === "once") this.clock.atNextPause(() => this.gate.open());
  }

  resetGate(persistence: Persistence): void {
    this.gate.reset();
    if (persistence === "once") this.clock.atNextPause(() => this.gate.open());
  }

  /** How often and how long, in seconds, an operation tries. */
  limit(attempts: number, seconds: number): void {
    this.clock.attempts = attempts;
    this.settings["timeout"] = String(seconds);
  }

  /** The fault ends. */
  async heal(): Promise<void> {
    this.limit(Infinity, 60);
    this.emulator.clearFaults();
    this.defect = undefined;
    if (this.settings["baseUrl"] !== this.gate.url) this.pointAt(this.gate.url);
    await this.gate.open();
  }

  /** The dynamic providers. */
  startProviders(): Providers {
    return startProviders({
      settings: this.settings,
      environment: {},
      logger: {
        warn: (line) => this.printed.push(`warning: ${line}`),
        info: (line) => this.printed.push(line),
      },
      clock: this.clock,
      signal: this.signal,
      defect: () => this.defect,
    });
  }
}
