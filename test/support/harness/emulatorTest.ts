import { startEmulator, type Emulator, type EmulatorOptions } from "../../../provider/testing";

/** Declares a test that has a service of its own. */
export function emulatorTest(
  title: string,
  options: EmulatorOptions,
  test: (emulator: Emulator) => Promise<void>,
): Mocha.Test {
  return it(title, async () => {
    const emulator = await startEmulator(options);
    try {
      await test(emulator);
    } finally {
      await emulator.stop();
    }
  });
}
