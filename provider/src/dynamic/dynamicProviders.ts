/** Both dynamic providers, with their dependencies on the process that the engine starts for each deployment. */
import { endWithEngine, flushCompiledCode } from "../adapter/engine";
import { lineLogger } from "../adapter/lineLogger";
import { newDeployment, type Deployment } from "../core/deployment/context";
import { lifecycleOf } from "../core/lifecycle";
import { userGroupShape, userGroupsShape } from "../core/state/shapes";
import { systemClock } from "../service/http/clock";
import type { Configuration } from "../settings/readSettings";
import { dynamicProvider } from "./dynamicProvider";

export interface DynamicDependencies extends Pick<Deployment, "logger" | "clock" | "signal"> {
  /** The settings of the deployment are read from it, once. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onConfigure?: () => void;
}

/** New providers for one deployment. They share its facts and its configuration. */
export function dynamicProviders({ environment, onConfigure, ...dependencies }: DynamicDependencies) {
  let current: Configuration | undefined;
  const configure = (configuration: Configuration) => {
    current = configuration;
    onConfigure?.();
  };
  const deployment: Deployment = {
    ...dependencies,
    ...newDeployment({ environment, configuration: { get: (key) => current?.get(key) } }),
  };
  return {
    userGroup: dynamicProvider(lifecycleOf(userGroupShape, deployment), configure),
    userGroups: dynamicProvider(lifecycleOf(userGroupsShape, deployment), configure),
  };
}

/** The providers of this process, which the engine starts for one deployment. */
export const { userGroup, userGroups } = dynamicProviders({
  environment: process.env,
  // The SDK's own log would put `[runtime]` before the lines.
  logger: lineLogger((text) => process.stderr.write(text)),
  clock: systemClock,
  signal: new AbortController().signal,
  onConfigure: () => {
    endWithEngine();
    flushCompiledCode();
  },
});
