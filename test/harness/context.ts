/** What the case of an error happens in: a service, and the model of the engine with the dynamic providers. */
import { startEmulator, type Emulator, type EmulatorOptions } from "../../provider/src/testing";
import { ModelEngine } from "../model/engine";
import { TestClock } from "./clock";
import { startProviders } from "./product";

/** Services that contexts share, and that no request may reach. */
export interface Elsewhere {
  readonly stranger: Emulator;
  /** Speaks https with a certificate that nobody trusts. */
  readonly untrusted: Emulator;
}

export interface ContextOptions extends EmulatorOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly elsewhere: Elsewhere;
}

/** Makes a context, and ends it whatever happens. */
export async function inContext<Result>(
  { settings, elsewhere, ...options }: ContextOptions,
  use: (context: Context) => Promise<Result>,
): Promise<Result> {
  const emulator = await startEmulator(options);
  try {
    const { baseUrl, apiToken } = emulator;
    return await use(new Context(emulator, elsewhere, { baseUrl, apiToken, ...settings }));
  } finally {
    await emulator.stop();
  }
}

export class Context {
  readonly clock = new TestClock();
  /** What the product printed for the user. */
  readonly printed: string[] = [];
  readonly engine = new ModelEngine(() =>
    startProviders({
      settings: this.settings,
      clock: this.clock,
      signal: this.signal,
      onLine: (line) => this.printed.push(line),
    }),
  );
  /** Aborted: the user has cancelled the command. */
  signal = new AbortController().signal;

  constructor(
    readonly emulator: Emulator,
    private readonly elsewhere: Elsewhere,
    /** Without `user-groups:`. */
    readonly settings: Record<string, string>,
  ) {}

  get strangerUrl(): string {
    return this.elsewhere.stranger.baseUrl;
  }

  get untrustedUrl(): string {
    return this.elsewhere.untrusted.baseUrl;
  }

  /** Another address of the service. */
  get otherUrl(): string {
    return this.emulator.baseUrl.replace("127.0.0.1", "localhost");
  }

  /** How often and how long, in seconds, an operation tries. */
  limit(attempts: number, seconds: number): void {
    this.clock.attempts = attempts;
    this.settings["timeout"] = String(seconds);
  }

  /** The fault ends. */
  heal(): void {
    this.limit(Infinity, 60);
    this.emulator.clearFaults();
    this.settings["baseUrl"] = this.emulator.baseUrl;
  }
}
