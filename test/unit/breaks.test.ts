import assert from "node:assert/strict";
import { breaks, partsOf } from "../release/breaks/breaks";

it("each defect of breaks.txt takes away code that its file has once", () => {
  const outdated = breaks.filter((each) => partsOf(each).length !== 2);
  assert.deepEqual(outdated, []);
});
