/** Both dynamic providers, with their dependencies on the process that the engine starts for each deployment. */
import { DeploymentTracker } from "../core/deploymentTracker";
import type { Dependencies } from "../core/lifecycle";
import { userGroupLifecycle } from "../core/userGroupLifecycle";
import { userGroupsLifecycle } from "../core/userGroupsLifecycle";
import { systemClock } from "../service/http/clock";
import type { Configuration } from "../settings/readSettings";
import { dynamicProvider, type DynamicProvider } from "./dynamicProvider";

export interface DynamicDependencies extends Omit<Dependencies, "sources" | "tracker"> {
  /** Each operation reads it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Default: a new one. */
  readonly tracker?: Dependencies["tracker"];
}

export interface DynamicProviders {
  readonly userGroup: DynamicProvider;
  readonly userGroups: DynamicProvider;
}

/** New providers for one deployment. They share its tracker and its configuration. */
export function dynamicProviders({
  environment,
  tracker = new DeploymentTracker(),
  ...dependencies
}: DynamicDependencies): DynamicProviders {
  let current: Configuration | undefined;
  const configure = (configuration: Configuration) => {
    current = configuration;
  };
  const configuration: Configuration = { get: (key) => current?.get(key) };
  const shared: Dependencies = {
    ...dependencies,
    tracker,
    sources: { environment, configuration },
  };
  return {
    userGroup: dynamicProvider(userGroupLifecycle(shared), configure),
    userGroups: dynamicProvider(userGroupsLifecycle(shared), configure),
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
});
