import { startEmulator, type Emulator, type EmulatorOptions } from "../../../provider/src/testing";
import { newStack, type Stack } from "./stack";
import type { StackOptions } from "./stackOptions";

/** A service, and a stack whose settings lead to it. */
export interface Fixture {
  readonly emulator: Emulator;
  readonly stack: Stack;
}

/**
 * Makes a fixture before the tests of the `describe` that calls it, and ends it after them. The stack's options may
 * depend on the emulator, which can get its first groups and faults there.
 */
export function newFixture(
  stackOptions: (emulator: Emulator) => StackOptions,
  emulatorOptions: EmulatorOptions = {},
): Fixture {
  let emulator: Emulator | undefined;
  let stack: Stack | undefined;
  before("a service and a stack", async () => {
    emulator = await startEmulator(emulatorOptions);
    stack = await newStack({ emulator, ...stackOptions(emulator) });
  });
  after("their end", async () => {
    await stack?.remove();
    await emulator?.stop();
  });
  return {
    get emulator() {
      return made(emulator);
    },
    get stack() {
      return made(stack);
    },
  };
}

function made<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error("A fixture is there in hooks and tests only");
  return part;
}
