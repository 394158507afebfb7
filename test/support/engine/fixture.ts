/** A service, and a stack whose settings lead to it. */
import { startEmulator, type Emulator, type EmulatorOptions } from "../../../provider/testing";
import { newStack, type Stack, type StackOptions } from "./stack";

export interface Fixture {
  readonly emulator: Emulator;
  readonly stack: Stack;
}

/** The stack's options may depend on the emulator, which can get its first groups and faults there. */
type StackOptionsFor = (emulator: Emulator) => StackOptions;

/** Gives the test a fixture, and ends it whatever happens. */
export async function withFixture<Result>(
  stackOptions: StackOptionsFor,
  emulatorOptions: EmulatorOptions,
  test: (fixture: Fixture) => Promise<Result>,
): Promise<Result> {
  const emulator = await startEmulator(emulatorOptions);
  let stack: Stack | undefined;
  try {
    stack = await newStack({ emulator, ...stackOptions(emulator) });
    return await test({ emulator, stack });
  } finally {
    await stack?.remove();
    await emulator.stop();
  }
}

/** Makes a fixture before the tests of the `describe` that calls it, and ends it after them. */
export function newFixture(stackOptions: StackOptionsFor, emulatorOptions: EmulatorOptions = {}): Fixture {
  let emulator: Emulator;
  let stack: Stack | undefined;
  before("a service and a stack", async () => {
    emulator = await startEmulator(emulatorOptions);
    stack = await newStack({ emulator, ...stackOptions(emulator) });
  });
  after("their end", async () => {
    await stack?.remove();
    await emulator.stop();
  });
  return {
    get emulator() {
      return emulator;
    },
    get stack() {
      if (!stack) throw new Error("A fixture is there in hooks and tests only");
      return stack;
    },
  };
}
