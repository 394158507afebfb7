import assert from "node:assert/strict";
import type { Launched } from "./launcher";

/** Asserts that the engine was content, and shows what it printed where it wasn't. */
export function succeeds<L extends Launched>(launched: L): L {
  assert.equal(launched.code, 0, `The engine failed:\n${launched.output}`);
  return launched;
}

/** Asserts that the engine failed, that it printed no stack, and that each pattern is found in what it printed. */
export function fails<L extends Launched>(launched: L, ...patterns: readonly RegExp[]): L {
  assert.notEqual(launched.code, 0, `The engine didn't fail:\n${launched.output}`);
  assert.doesNotMatch(launched.output, /^\s*at .+:\d+/m);
  for (const pattern of patterns) assert.match(launched.output, pattern);
  return launched;
}
