/** The process of the plugin. The engine passes its address, reads the port from stdout, and holds stdin open. */
import { systemClock } from "../service/http/clock";
import { startPlugin } from "./server";

const engine = process.argv.slice(2).findLast((argument) => !argument.startsWith("-"));

// Without an address a developer has started it, for an engine that attaches to it.
if (engine !== undefined)
  process.stdin.resume().once("close", () => {
    // The engine has ended, even if it was killed, and nobody would record the rest.
    process.exit();
  });

startPlugin({ environment: process.env, clock: systemClock, engine }).then(
  ({ port }) => {
    process.stdout.write(`${port}\n`);
  },
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  },
);
