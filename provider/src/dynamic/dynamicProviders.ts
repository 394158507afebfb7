/** Both dynamic providers, with their dependencies on the process that the engine starts for each deployment. */
import { isDestroy } from "../adapter/engineCommand";
import { endWithEngine } from "../adapter/engineEnd";
import { newDeployment, type Deployment } from "../core/lifecycle";
import { userGroupLifecycle } from "../core/userGroup/lifecycle";
import { userGroupsLifecycle } from "../core/userGroups/lifecycle";
import { systemClock } from "../service/http/clock";
import type { Configuration } from "../settings/readSettings";
import { dynamicProvider, type DynamicProvider } from "./dynamicProvider";

export interface DynamicDependencies extends Pick<Deployment, "logger" | "clock" | "signal"> {
  /** Each operation reads it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Default: new ones. */
  readonly facts?: Deployment["facts"];
  /** Default: not known. */
  readonly isDestroy?: Deployment["isDestroy"];
  /** Called when the engine passes the configuration. */
  readonly onConfigure?: () => void;
}

export interface DynamicProviders {
  readonly userGroup: DynamicProvider;
  readonly userGroups: DynamicProvider;
}

/** New providers for one deployment. They share its facts and its configuration. */
export function dynamicProviders({
  environment,
  facts,
  isDestroy: isDestroying = () => undefined,
  onConfigure,
  ...dependencies
}: DynamicDependencies): DynamicProviders {
  let current: Configuration | undefined;
  const configure = (configuration: Configuration) => {
    current = configuration;
    onConfigure?.();
  };
  const configuration: Configuration = { get: (key) => current?.get(key) };
  const sources = { environment, configuration };
  const deployment: Deployment = {
    ...dependencies,
    ...newDeployment(dependencies.clock, facts),
    isDestroy: isDestroying,
    sources,
  };
  return {
    userGroup: dynamicProvider(userGroupLifecycle(deployment), configure),
    userGroups: dynamicProvider(userGroupsLifecycle(deployment), configure),
  };
}

/** The providers of this process, which the engine starts for one deployment. */
export const { userGroup, userGroups } = dynamicProviders({
  environment: process.env,
  // The SDK's own log would put `[runtime]` before the lines.
  logger: {
    info: (line) => process.stderr.write(`${line}\n`),
    warn: (line) => process.stderr.write(`warning: ${line}\n`),
  },
  clock: systemClock,
  signal: new AbortController().signal,
  isDestroy,
  onConfigure: endWithEngine,
});
