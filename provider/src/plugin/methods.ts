/** The methods of `ResourceProvider`, and what they know of this process: its engine, and the deployment that it serves. */
import { isDestroy } from "../adapter/engine";
import { newDeployment } from "../core/lifecycle";
import { systemClock } from "../service/http/clock";
import { EngineLog } from "./engineLog";
import { providerMethods } from "./providerMethods";
import { resourceMethods } from "./resourceMethods";
import { settingSources, type ProviderArguments } from "./settingSources";

/** `engine`: its address; undefined if an engine will attach to this process. */
export function pluginMethods(engine: string | undefined) {
  const log = new EngineLog();
  if (engine !== undefined) log.attach(engine);
  let current = newPluginDeployment({ name: undefined, args: {} });
  return {
    ...providerMethods(
      log,
      // An engine that has attached to this process configures it for each deployment.
      (provider) => {
        current = newPluginDeployment(provider);
      },
      () => {
        current.cancellation.abort();
      },
    ),
    ...resourceMethods(log, () => ({ ...current, signal: current.cancellation.signal })),
  };
}

function newPluginDeployment(provider: ProviderArguments) {
  const sources = settingSources(provider);
  const cancellation = new AbortController();
  return { ...newDeployment(systemClock), clock: systemClock, isDestroy, sources, cancellation };
}
