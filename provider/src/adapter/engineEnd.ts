/** The end of the engine. Without it no result could be recorded, and the next `up` would run beside this process. */
import { fstatSync } from "node:fs";

let isWatched = false;

/**
 * Ends this process when the engine that started it has ended, also by a kill: the engine holds the other end of stdin. The
 * id of the parent process shows less, because the engine starts dynamic providers through a shell.
 */
export function endWithEngine(): void {
  if (isWatched || !isPipe(0)) return;
  isWatched = true;
  process.stdin.resume().once("close", () => {
    process.exit();
  });
}

function isPipe(descriptor: number): boolean {
  try {
    const file = fstatSync(descriptor);
    return file.isFIFO() || file.isSocket();
  } catch {
    return false;
  }
}
