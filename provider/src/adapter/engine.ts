/** The engine that started this process. */
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
