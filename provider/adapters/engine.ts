/** The engine that started this process. */
import * as nodeModule from "node:module";
import { Socket } from "node:net";
import type { Deployment } from "../core/deployment/context";
import type { OperationLogger } from "./engineLog";

let isWatched = false;

/** Logs what a deployment has gathered for its end. `logger`: of no resource. */
export async function sayAtEnd({ kept }: Pick<Deployment, "kept">, logger: OperationLogger): Promise<void> {
  kept.say(logger);
  await logger.delivered();
}

/**
 * Ends this process when the engine has ended, also by a kill: the engine holds the other end of stdin. Without the engine no
 * result could be recorded, and the next `up` would run beside this process. At the end of a deployment, the engine sends a signal, and
 * waits for a second before it kills the process. It still takes lines of the log then. `beforeEnd`: logs them.
 */
export function endWithEngine(beforeEnd: () => Promise<void>): void {
  const isPipe = process.stdin instanceof Socket && !process.stdin.isTTY;
  if (isWatched || !isPipe) return;
  isWatched = true;
  // SIGBREAK: on Windows.
  for (const signal of ["SIGINT", "SIGBREAK"] as const)
    process.once(signal, () => {
      void beforeEnd().finally(() => process.exit());
    });
  process.stdin.resume().once("close", () => {
    process.exit();
  });
}

/** Writes the compile cache of Node.js 22.8+. The engine ends this process before Node.js writes it by itself. */
export function flushCompiledCode(): void {
  const compiled: { createRequire: unknown; flushCompileCache?: () => void } = nodeModule;
  compiled.flushCompileCache?.();
}
