/** Waits until a condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}
