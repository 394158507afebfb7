/** The product in this process. The suites pass in everything that it needs from outside. */
import { newDeployment, type Deployment } from "../../../provider/core/deployment/context";
import type { DynamicProvider } from "../../../provider/adapters/dynamic/dynamicProvider";
import { dynamicProviders } from "../../../provider/adapters/dynamic/dynamicProviders";
import { jumpingClock } from "./clock";

/** The kinds of resources, each with a provider. */
export type Kind = "userGroup" | "userGroups";

/** `urn`: the engine tells a plugin which resource it reads or deletes, but no dynamic provider. */
export interface Provider extends Omit<DynamicProvider, "read" | "delete"> {
  read(id: string, props: unknown, urn?: string): ReturnType<DynamicProvider["read"]>;
  delete(id: string, props: unknown, urn?: string): Promise<void>;
}

/** The providers of one process, which the engine starts for one command. */
export interface Providers extends Readonly<Record<Kind, Provider>> {
  readonly end?: () => Promise<void>;
}

export interface ProductOptions extends Partial<Pick<Deployment, "clock" | "signal">> {
  /** The stack's configuration without `user-groups:`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Gets what the user sees; a warning begins with `warning: `. */
  readonly onLine?: (line: string) => void;
}

/** Starts what the engine starts for one command: providers that share the facts of a deployment. */
export function startProviders(options: ProductOptions = {}): Providers {
  const { settings = {} } = options;
  const get = (key: string) => settings[key.replace("user-groups:", "")];
  const { logger, clock, signal } = newTestDeployment(options);
  const loggerFor = () => ({ ...logger, delivered: () => Promise.resolve() });
  const providers = dynamicProviders({ clock, signal, loggerFor, environment: {} });
  void providers.userGroup.configure({ config: { get, require: (key) => get(key) ?? "" } });
  return providers;
}

/** A deployment without providers, for a lifecycle that ends before its first request. */
export function newTestDeployment({ settings = {}, onLine, ...dependencies }: ProductOptions = {}) {
  const lines: string[] = [];
  const log = (line: string) => {
    lines.push(line);
    onLine?.(line);
  };
  return {
    ...newDeployment({
      environment: {},
      configuration: { get: (key: string) => settings[key.replace("user-groups:", "")] },
    }),
    logger: {
      info: log,
      warn: (line: string) => {
        log(`warning: ${line}`);
      },
    },
    clock: jumpingClock(),
    signal: new AbortController().signal,
    lines,
    ...dependencies,
  };
}
