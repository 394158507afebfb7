/** Where a case of the matrix happens: a service, the way to it, an engine, and what the service has ever held. */
import {
  startEmulator,
  type Emulator,
  type EmulatorOptions,
  type FaultKind,
} from "../../provider/src/testing";
import type { Persistence } from "./faults";
import { newGate, type Gate } from "./gate";
import { ModelEngine } from "./model/engine";
import { Tokens } from "./model/tokens";
import { inScene, type Scene } from "./scene";

/** Services that all places share, and that nothing may reach. */
export interface Elsewhere {
  readonly stranger: Emulator;
  /** Speaks https with a certificate that nobody trusts. */
  readonly untrusted: Emulator;
}

export interface PlaceOptions extends EmulatorOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly elsewhere?: Elsewhere;
}

/** Which requests a fault of the service is meant for. */
export interface Aim {
  readonly skip?: number;
  readonly userGroupId?: string;
}

/** Makes a place, and ends it whatever becomes of its use. */
export async function inPlace<Result>(
  { settings, elsewhere, ...options }: PlaceOptions,
  use: (place: Place) => Promise<Result>,
): Promise<Result> {
  const tokens = new Tokens();
  let place: Place | undefined;
  const emulator = await startEmulator({
    ...options,
    log: () => {
      tokens.note(emulator);
      place?.onRequest();
    },
  });
  const gate = await newGate(emulator.baseUrl);
  try {
    return await inScene({ baseUrl: gate.url, apiToken: emulator.apiToken, ...settings }, (scene) => {
      place = new Place(emulator, tokens, gate, scene, elsewhere);
      return use(place);
    });
  } finally {
    await gate.stop();
    await emulator.stop();
  }
}

export class Place {
  readonly engine = new ModelEngine();
  aim: Aim = {};
  /** Called when the service has carried a request out, and not answered yet. */
  onRequest: () => void = () => undefined;

  constructor(
    readonly emulator: Emulator,
    readonly tokens: Tokens,
    readonly gate: Gate,
    readonly scene: Scene,
    private readonly elsewhere: Elsewhere | undefined,
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

  /** Another address of the service. */
  leadTo(baseUrl: string): void {
    this.scene.settings["baseUrl"] = baseUrl;
  }

  async shutGate(persistence: Persistence): Promise<void> {
    await this.gate.shut();
    if (persistence === "once") this.#openAfterFailure();
  }

  resetGate(persistence: Persistence): void {
    this.gate.reset();
    if (persistence === "once") this.#openAfterFailure();
  }

  /** How often and how long, in seconds, an operation tries. */
  limit(attempts: number, seconds: number): void {
    this.scene.patience = attempts;
    this.scene.settings["timeout"] = String(seconds);
  }

  /** The fault passes. */
  async heal(): Promise<void> {
    this.limit(Infinity, 60);
    this.emulator.clearFaults();
    this.leadTo(this.gate.url);
    await this.gate.open();
  }

  #openAfterFailure(): void {
    this.scene.onFailedAttempt = () => {
      this.scene.onFailedAttempt = () => undefined;
      void this.gate.open();
    };
  }
}
