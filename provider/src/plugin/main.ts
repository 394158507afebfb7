/** The plugin's process. The engine starts one for each provider of a deployment, passes its address, and reads the port. */
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as nodeModule from "node:module";
import { endWithEngine, isDestroy } from "../adapter/engine";
import { newDeployment } from "../core/deployment";
import { systemClock } from "../service/http/clock";
import { EngineLog } from "./engineLog";
import { checkDefinition } from "./properties";
import { providerMethods } from "./providerMethods";
import { resourceMethods } from "./resourceMethods";
import { settingSources, type ProviderArguments } from "./settingSources";

const log = new EngineLog();
const engine = process.argv.slice(2).findLast((argument) => !argument.startsWith("-"));

// Without an address, a developer started this process, and an engine will attach to it.
if (engine !== undefined) {
  log.attach(engine);
  endWithEngine();
}

let current = newPluginDeployment({ name: undefined, args: {} });

function newPluginDeployment(provider: ProviderArguments) {
  const sources = settingSources(provider);
  const cancellation = new AbortController();
  return { ...newDeployment(systemClock), clock: systemClock, isDestroy, sources, cancellation };
}

const methods: grpc.UntypedServiceImplementation = {
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

const server = new grpc.Server({
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
});
server.addService({ ...ResourceProviderService, check: checkDefinition }, methods);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
  // For NODE_COMPILE_CACHE. The engine ends this process before Node.js writes the cache by itself.
  const compiled: { createRequire: unknown; flushCompileCache?: () => void } = nodeModule;
  compiled.flushCompileCache?.();
});
