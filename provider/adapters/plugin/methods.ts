/** The methods of `ResourceProvider`, the end of a deployment, and what they know of this process: its engine, and the deployment that it serves. */
import { credentials } from "@grpc/grpc-js";
import * as service from "@pulumi/pulumi/proto/engine_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/engine_pb";
import { sayAtEnd } from "../engine";
import { EngineLog } from "../engineLog";
import { newDeployment } from "../../core/deployment/context";
import { errorOf } from "../../errors";
import { message } from "../../messages/message";
import { systemClock } from "../../service/http/clock";
import { findSetting, settingNames } from "../../settings/readSettings";
import { providerMethods } from "./providerMethods";
import { resourceMethods } from "./resourceMethods";
import { settingSources, type ProviderArguments } from "./settingSources";

/** `engine`: its address; undefined if an engine will attach to this process. */
export function pluginMethods(engine: string | undefined) {
  const log = new EngineLog({
    protocol: () => ({ service, messages, credentials: credentials.createInsecure() }),
    write: (text) => process.stderr.write(text),
  });
  if (engine !== undefined) log.attach(engine);
  let current = newPluginDeployment({ name: undefined, args: {} });
  let configured: { readonly by: string | undefined; readonly settings: string } | undefined;
  /** Another one for each preview and each update. */
  let attached: string | undefined;
  /**
   * An engine configures the process that it has started once. A second call comes from another program of this machine, which
   * could have the API token sent to an address of its own. An engine that has attached calls it for each deployment, and for each
   * explicit provider, although a process serves one service.
   */
  const configure = (provider: ProviderArguments) => {
    if (engine !== undefined && configured) throw errorOf(message("configured-again"));
    const settings = settingsIn(provider);
    const isSameDeployment = attached !== undefined && configured?.by === attached;
    if (isSameDeployment && configured?.settings !== settings) throw errorOf(message("configured-otherwise"));
    configured = { by: attached, settings };
    current = newPluginDeployment(provider);
  };
  /** Sets the address of an engine that attaches. One that has started this process passes its address before. */
  const attach = (address: string) => {
    if (engine !== undefined) return;
    attached = address;
    log.attach(address);
  };
  const cancel = () => {
    current.cancellation.abort();
  };
  const methods = {
    ...providerMethods(attach, configure, cancel),
    ...resourceMethods(log, () => ({ ...current, signal: current.cancellation.signal })),
  };
  /** At the end of the deployment. */
  const end = () => sayAtEnd(current, log.loggerFor(""));
  return { methods, end };
}

/** The settings that a provider has from its arguments and from the environment, as one text. */
function settingsIn(provider: ProviderArguments): string {
  const sources = settingSources(provider);
  return JSON.stringify(settingNames.map((name) => findSetting(name, sources)?.value));
}

function newPluginDeployment(provider: ProviderArguments) {
  const cancellation = new AbortController();
  return { ...newDeployment(settingSources(provider)), clock: systemClock, cancellation };
}
