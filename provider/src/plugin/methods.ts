/** The methods of `ResourceProvider`, and what they know of this process: its engine, and the deployment that it serves. */
import { credentials } from "@grpc/grpc-js";
import { EngineLog } from "../adapter/engineLog";
import { newDeployment } from "../core/deployment/context";
import { UserGroupError } from "../errors";
import { systemClock } from "../service/http/clock";
import { providerMethods } from "./providerMethods";
import { resourceMethods } from "./resourceMethods";
import { settingSources, type ProviderArguments } from "./settingSources";

/** `engine`: its address; undefined if an engine will attach to this process. */
export function pluginMethods(engine: string | undefined) {
  const log = new EngineLog({
    credentials: () => credentials.createInsecure(),
    write: (text) => process.stderr.write(text),
  });
  if (engine !== undefined) log.attach(engine);
  let current = newPluginDeployment({ name: undefined, args: {} });
  let isConfigured = false;
  /**
   * An engine configures the process that it has started once. A second call comes from another program of this machine, which
   * could have the API token sent to an address of its own. An engine that has attached calls it for each deployment.
   */
  const configure = (provider: ProviderArguments) => {
    if (engine !== undefined && isConfigured) throw configuredAgain();
    isConfigured = true;
    current = newPluginDeployment(provider);
  };
  /** Sets the address of an engine that attaches. One that has started this process passes its address before. */
  const attach = (address: string) => {
    if (engine === undefined) log.attach(address);
  };
  const cancel = () => {
    current.cancellation.abort();
  };
  return {
    ...providerMethods(attach, configure, cancel),
    ...resourceMethods(log, () => ({ ...current, signal: current.cancellation.signal })),
  };
}

function configuredAgain(): UserGroupError {
  const sentence =
    "Cannot configure the plugin again: its process belongs to one provider of one deployment.";
  return new UserGroupError("setting-conflict", `${sentence} Nothing was changed.`);
}

function newPluginDeployment(provider: ProviderArguments) {
  const cancellation = new AbortController();
  return { ...newDeployment(settingSources(provider)), clock: systemClock, cancellation };
}
