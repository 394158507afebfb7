/**
 * The plugin's process. The engine starts one for each provider of a deployment, passes its address, and reads the port. The
 * service is loaded after the port is printed, while the engine connects.
 */
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { endWithEngine, flushCompiledCode } from "../engine";

const engine = process.argv.slice(2).findLast((argument) => !argument.startsWith("-"));

let beforeEnd = () => Promise.resolve();
// Without an address, a developer started this process, and an engine will attach to it.
if (engine !== undefined) endWithEngine(() => beforeEnd());

const server = new Server({
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
});
void listen().then(serve);

function listen(): Promise<void> {
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
      if (error) {
        reject(error);
        return;
      }
      process.stdout.write(`${port}\n`);
      resolve();
    });
  });
}

/** In the bundle, the imports wait for no event, so no call is read before the service has its methods. */
async function serve(): Promise<void> {
  const { serviceDefinition } = await import("./serviceDefinition.js");
  const { pluginMethods } = await import("./methods.js");
  // The engine takes a method that isn't implemented as a feature that the plugin doesn't have.
  const { methods, end } = pluginMethods(engine);
  beforeEnd = end;
  server.addService(serviceDefinition, methods);
  flushCompiledCode();
}
