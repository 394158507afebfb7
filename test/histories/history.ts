/** Tells a history: takes its steps in a world of its own, and then has everything settle and end. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { groupsIn } from "../faults/model/held";
import { isWhole } from "../faults/page";
import { inPlace } from "../faults/place";
import { behaviourOf, type Choices } from "./choices";
import { ModelDriver } from "./driver";
import { checkSettled } from "./laws";
import { anyStep, type Step } from "./steps";
import { World, type Figures } from "./world";

/** Another number gives other histories, which docs/reliability.md doesn't count. */
export const firstSeed = Number(process.env["SEED"] ?? 1);
export const isCounted = isWhole && firstSeed === 1;

export type Command = fc.AsyncCommand<object, World, boolean>;

/** Any history that is so many steps long at the most. */
export function anyHistory(maxCommands: number): fc.Arbitrary<Iterable<Command>> {
  const commands = anyStep.map((steps) => steps.map((step) => new Taken(step)));
  return fc.commands(commands, { maxCommands, size: "max" });
}

/** One step as fast-check takes it; whether it makes sense is seen in the world, not in a model of it. */
export class Taken implements Command {
  constructor(readonly step: Step) {}

  check(): boolean {
    return true;
  }

  run(_: object, world: World): Promise<void> {
    return world.take(this.step);
  }

  toString(): string {
    return JSON.stringify(this.step);
  }
}

/** Tells it with the model of the engine. `failed` gets the steps up to one that broke a law. */
export async function tell(
  chosen: Choices,
  commands: Iterable<Command>,
  figures: Figures,
  failed: (steps: readonly Step[]) => void = () => undefined,
): Promise<void> {
  // One connection, so that the same history takes the same course each time.
  const settings = { changes: chosen.changes, maxConnections: "1" };
  await inPlace({ ...behaviourOf(chosen), settings }, async (place) => {
    place.limit(3, 60);
    const world = new World(chosen, place.emulator, place.tokens, new ModelDriver(place), figures);
    try {
      await tellIn(world, commands);
    } catch (error) {
      failed(world.taken);
      throw error;
    }
  });
}

export async function tellIn(world: World, commands: Iterable<Command>): Promise<void> {
  await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
  await settle(world);
  await end(world);
}

const none = { kind: "none" } as const;
const up: Step = { do: "up", disturbance: none, continuesOnError: false };

/** A group that is adopted with other values is replaced by the update after that. */
async function settle(world: World): Promise<void> {
  await world.take({ do: "refresh", disturbance: none });
  await world.take(up);
  await world.take(up);
  await checkSettled(world);
  await world.take(up);
  assert.deepEqual(world.emulator.requests.map(String), [], "An up that should be empty asked the service");
}

async function end(world: World): Promise<void> {
  await world.take({ do: "destroy", disturbance: none, isRefreshing: true });
  assert.deepEqual(groupsIn(await world.driver.records()), []);
  const others = [...world.foreign, ...world.loose].sort();
  assert.deepEqual([...world.emulator.groups.keys()].sort(), others);
}
