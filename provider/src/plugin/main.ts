/** The process of the plugin. The engine passes its address, and reads the port from stdout. */
import * as nodeModule from "node:module";
import { endWithEngine } from "../adapter/engine";
import { systemClock } from "../service/http/clock";
import { startPlugin } from "./server";

const compiled: { createRequire: unknown; flushCompileCache?: () => void } = nodeModule;
const engine = process.argv.slice(2).findLast((argument) => !argument.startsWith("-"));

// Without an address, a developer started this process, and an engine will attach to it.
if (engine !== undefined) endWithEngine();

startPlugin({ environment: process.env, clock: systemClock, engine }).then(
  ({ port }) => {
    process.stdout.write(`${port}\n`);
    // For NODE_COMPILE_CACHE. The engine ends this process before Node.js writes the cache by itself.
    compiled.flushCompileCache?.();
  },
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  },
);
