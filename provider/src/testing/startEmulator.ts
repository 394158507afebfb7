import type { Emulator } from "./emulator";
import { launch } from "./launch";
import type { EmulatorOptions } from "./options";
import { settingsFrom } from "./settings";

/**
 * Starts the user group service on 127.0.0.1.
 *
 * Rejects with a `TypeError` that names a wrong option, or with Node's error where the port is taken.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return launch(settingsFrom(options));
}
