/** The dynamic providers, as suites without the real engine start them. The suites pass in everything that the product needs from outside. */
import type { DynamicProvider } from "../../provider/src/dynamic/dynamicProvider";
import { dynamicProviders, type DynamicDependencies } from "../../provider/src/dynamic/dynamicProviders";

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

export interface ProductOptions extends Pick<DynamicDependencies, "clock" | "signal"> {
  /** The stack's configuration without `user-groups:`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Gets what the user sees; a warning begins with `warning: `. */
  readonly onLine: (line: string) => void;
}

/** Starts what the engine starts for one command: providers that share the facts of a deployment. */
export function startProviders({ settings, onLine, ...dependencies }: ProductOptions): Providers {
  const logger = {
    info: onLine,
    warn: (line: string) => {
      onLine(`warning: ${line}`);
    },
  };
  const providers = dynamicProviders({ ...dependencies, logger, environment: {} });
  const get = (key: string) => settings[key.replace("user-groups:", "")];
  void providers.userGroup.configure({ config: { get, require: (key) => get(key) ?? "" } });
  return providers;
}
