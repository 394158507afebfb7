/** The engine that started this process. */
import * as nodeModule from "node:module";
import { Socket } from "node:net";

let isWatched = false;

/**
 * Ends this process when the engine has ended, also by a kill: the engine holds the other end of stdin. Without the engine no
 * result could be recorded, and the next `up` would run beside this process.
 */
export function endWithEngine(): void {
  const isPipe = process.stdin instanceof Socket && !process.stdin.isTTY;
  if (isWatched || !isPipe) return;
  isWatched = true;
  process.stdin.resume().once("close", () => {
    process.exit();
  });
}

/** Writes the compile cache of Node.js 22.8+. The engine ends this process before Node.js writes it by itself. */
export function flushCompiledCode(): void {
  const compiled: { createRequire: unknown; flushCompileCache?: () => void } = nodeModule;
  compiled.flushCompileCache?.();
}
