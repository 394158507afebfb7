/**
 * Lets many tests use the providers at once in one process, each with settings of its own: what the providers read,
 * draw or print is looked up by the chain of calls that leads to them.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { configure } from "../../provider/src/provider/configuration";
import { withoutSettings } from "../unit/environment";

export interface Scene {
  /** Without `user-groups:`; may change while the scene runs. */
  readonly settings: Record<string, string>;
  /** What was printed for the user. */
  readonly printed: string[];
  /** How many requests had no usable answer. */
  failedAttempts: number;
  onFailedAttempt: () => void;
  /** After so many of them the next pause is longer than any operation may take. */
  patience: number;
  /** Lots that are the same each time. */
  readonly draw: () => number;
}

/** Plays a scene; `playScenes` must have been called by the `describe` around it. */
export function inScene<Result>(
  settings: Readonly<Record<string, string>>,
  play: (scene: Scene) => Promise<Result>,
): Promise<Result> {
  const scene: Scene = {
    settings: { ...settings },
    printed: [],
    failedAttempts: 0,
    patience: Infinity,
    draw: newLots(),
    onFailedAttempt: () => undefined,
  };
  return scenes.run(scene, () => play(scene));
}

/** Sets the stage for the tests of a `describe`, and clears it after them. */
export function playScenes(): void {
  const { env, stderr } = process;
  const { random } = Math;
  const write = stderr.write.bind(stderr);
  before("the stage", async () => {
    process.env = withoutSettings(env);
    Math.random = () => drawn(random);
    stderr.write = (text: string | Uint8Array) => {
      const scene = scenes.getStore();
      return scene ? scene.printed.push(String(text)) > 0 : write(text);
    };
    await configure({
      config: { get: (key) => scenes.getStore()?.settings[key.replace("user-groups:", "")] },
    });
  });
  after("the stage's end", () => {
    process.env = env;
    Math.random = random;
    stderr.write = write;
  });
}

/** A linear congruential generator, which is even enough to shuffle with. */
function newLots(): () => number {
  let last = 1;
  return () => {
    last = (last * 1_103_515_245 + 12_345) % 2 ** 31;
    return last / 2 ** 31;
  };
}

const scenes = new AsyncLocalStorage<Scene>();

/** After each failed attempt the transport draws how much of the longest pause it waits: here little, or for ever. */
function drawn(random: () => number): number {
  const scene = scenes.getStore();
  const isPause = /transport\.[jt]s/.test(new Error().stack ?? "");
  if (!scene) return random();
  if (!isPause) return scene.draw();
  scene.failedAttempts += 1;
  scene.onFailedAttempt();
  return scene.failedAttempts < scene.patience ? 0.05 : Infinity;
}
