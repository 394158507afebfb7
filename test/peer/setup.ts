// Mocha calls this once, before the first test of `npm run test:peer`.
import { buildPeer } from "../../bench/peer";

/** Builds the peer, unless it is there. An interrupt ends the build. */
export async function mochaGlobalSetup(): Promise<void> {
  const stop = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    stop.abort(new Error(`Stopped by ${name}`));
  };
  for (const name of signals) process.once(name, onSignal);
  await buildPeer(stop.signal).finally(() => {
    for (const name of signals) process.off(name, onSignal);
  });
}

const signals = ["SIGINT", "SIGTERM"] as const;
