/** The gRPC server of the plugin. The engine starts one process for each provider of a deployment. */
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { isDestroy } from "../adapter/engine";
import { newDeployment, type Deployment } from "../core/lifecycle";
import { settingSources, type ProviderArguments } from "./settingSources";
import { EngineLog } from "./engineLog";
import { providerMethods } from "./providerMethods";
import { checkDefinition } from "./properties";
import { resourceMethods } from "./resourceMethods";

export interface PluginDependencies extends Pick<Deployment, "clock"> {
  /** Read by each operation. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The address of the engine, if it is known before the engine connects. */
  readonly engine?: string | undefined;
}

/** Starts a server on a free port of the loopback interface. Returns the port. */
export function startPlugin(
  dependencies: PluginDependencies,
): Promise<{ port: number; server: grpc.Server }> {
  const server = new grpc.Server({
    "grpc.max_receive_message_length": -1,
    "grpc.max_send_message_length": -1,
  });
  server.addService({ ...ResourceProviderService, check: checkDefinition }, implementation(dependencies));
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
      if (error) reject(error);
      else resolve({ port, server });
    });
  });
}

function implementation({
  environment,
  engine,
  clock,
}: PluginDependencies): grpc.UntypedServiceImplementation {
  const log = new EngineLog();
  if (engine !== undefined) log.attach(engine);
  const startDeployment = (provider: ProviderArguments) => ({
    clock,
    cancellation: new AbortController(),
    isDestroy,
    ...newDeployment(clock),
    sources: settingSources(provider, environment),
  });
  let current = startDeployment({ name: undefined, args: {} });
  const provider = providerMethods({
    environment,
    log,
    /** An engine that has attached to this process configures it for each deployment. */
    configure: (configured) => {
      current = startDeployment(configured);
    },
    cancel: () => {
      current.cancellation.abort();
    },
  });
  const deployment = () => ({ ...current, signal: current.cancellation.signal });
  return { ...provider, ...resourceMethods({ log, deployment }) };
}
