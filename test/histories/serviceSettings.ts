import type { Choices } from "./choices";
import type { Settings } from "./driver";

interface Options {
  /** The addresses of the service: it moves from one to the other. */
  readonly addresses: readonly [string, string];
  readonly apiToken: string;
  readonly changes: Choices["changes"];
  /** Seconds that one operation may take. */
  readonly timeout: number;
}

/** The settings of a stack, for the unnamed connection and for one with the same address. */
export class ServiceSettings {
  #hasMoved = false;
  #namesFormerAddress = false;

  constructor(private readonly options: Options) {}

  /** The service moves to its other address, and `formerBaseUrl` says so. */
  move(): void {
    this.#hasMoved = !this.#hasMoved;
    this.#namesFormerAddress = true;
  }

  /** `formerBaseUrl` is unset. */
  forgetFormerAddress(): void {
    this.#namesFormerAddress = false;
  }

  current(): Settings {
    const [first, second] = this.options.addresses;
    const [baseUrl, formerBaseUrl] = this.#hasMoved ? [second, first] : [first, second];
    return this.#ofBoth(baseUrl, this.#namesFormerAddress ? { formerBaseUrl } : {});
  }

  /** Those that name another service by mistake. */
  elsewhere(baseUrl: string): Settings {
    return this.#ofBoth(baseUrl, {});
  }

  #ofBoth(baseUrl: string, others: Settings): Settings {
    const { apiToken, changes, timeout } = this.options;
    // One connection, so that the same history takes the same course each time.
    const settings = { apiToken, changes, maxConnections: "1", timeout: String(timeout), ...others };
    return { ...settings, baseUrl, ...prefixed({ ...settings, baseUrl }) };
  }
}

/** The settings of the connection "main": the same service by its other name. */
function prefixed(settings: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      `main.${name}`,
      value.replace("127.0.0.1", "localhost"),
    ]),
  );
}
