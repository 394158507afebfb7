import { setTimeout } from "node:timers/promises";

/** Waits until a condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setTimeout(2);
}
