/**
 * The plugin's process. The engine starts one for each provider of a deployment, passes its address, and reads the port. The
 * methods are loaded after the port is printed, while the engine connects.
 */
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as nodeModule from "node:module";
import { endWithEngine } from "../adapter/engine";
import { checkDefinition } from "./checkDefinition";

const engine = process.argv.slice(2).findLast((argument) => !argument.startsWith("-"));

// Without an address, a developer started this process, and an engine will attach to it.
if (engine !== undefined) endWithEngine();

const server = new grpc.Server({
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
});
const methods = listen().then(loadMethods);
const definitions = { ...ResourceProviderService, check: checkDefinition };
const unary = Object.entries(definitions).filter(([, { responseStream }]) => !responseStream);
server.addService(definitions, Object.fromEntries(unary.map(([name]) => [name, whenLoaded(name)])));

function listen(): Promise<void> {
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
      if (error) {
        reject(error);
        return;
      }
      process.stdout.write(`${port}\n`);
      resolve();
    });
  });
}

async function loadMethods(): Promise<Map<string, grpc.UntypedHandleCall>> {
  const { pluginMethods } = await import("./methods.js");
  const loaded = new Map(Object.entries<grpc.UntypedHandleCall>(pluginMethods(engine)));
  // For the compile cache. The engine ends this process before Node.js writes the cache by itself.
  const compiled: { createRequire: unknown; flushCompileCache?: () => void } = nodeModule;
  compiled.flushCompileCache?.();
  return loaded;
}

/** The engine takes a method that isn't implemented as a feature that the plugin doesn't have. */
function whenLoaded(name: string): grpc.handleUnaryCall<unknown, unknown> {
  return (call, callback) => {
    void methods.then((loaded) => {
      const method = loaded.get(name);
      if (method) Reflect.apply(method, undefined, [call, callback]);
      else callback({ code: grpc.status.UNIMPLEMENTED, details: `${name} is not implemented` });
    });
  };
}
