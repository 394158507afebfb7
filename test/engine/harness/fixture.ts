/** A service, and a stack whose settings lead to it. */
import { startEmulator, type Emulator, type EmulatorOptions } from "../../../provider/src/testing";
import { newStack, type Stack, type StackOptions } from "./stack";

export interface Fixture {
  readonly emulator: Emulator;
  readonly stack: Stack;
}

/**
 * Makes a fixture before the tests of the `describe` that calls it, and ends it after them. The stack's options may depend on the emulator,
 * which can get its first groups and faults there.
 */
export function newFixture(
  stackOptions: (emulator: Emulator) => StackOptions,
  emulatorOptions: EmulatorOptions = {},
): Fixture {
  let made: Fixture | undefined;
  const fixture = () => {
    if (!made) throw new Error("A fixture is there in hooks and tests only");
    return made;
  };
  before("a service and a stack", async () => {
    const emulator = await startEmulator(emulatorOptions);
    made = { emulator, stack: await newStack({ emulator, ...stackOptions(emulator) }) };
  });
  after("their end", async () => {
    await made?.stack.remove();
    await made?.emulator.stop();
  });
  return {
    get emulator() {
      return fixture().emulator;
    },
    get stack() {
      return fixture().stack;
    },
  };
}
