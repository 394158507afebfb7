/** A stack or a folder may be named like a command. */
import assert from "node:assert/strict";
import { isDestroyCommand } from "../../../provider/src/adapter/commandLine";

describe("the command of the engine", () => {
  for (const [line, isDestroy] of [
    ["destroy --yes", true],
    ["down -s dev --yes", true],
    ["--color never dn", true],
    ["-C folder destroy --yes", true],
    ["up --yes", false],
    ["-v 3 -s dev update", false],
    ["-s preview destroy", undefined],
    ["destroy --target up", undefined],
    ["up -s destroy", undefined],
    ["stack export", undefined],
    ["", undefined],
  ] as const)
    it(`pulumi ${line} ${isDestroy ? "is" : "isn't"} a destroy`, () => {
      const args = line.split(" ").filter((word) => word !== "");
      assert.equal(isDestroyCommand(args), isDestroy);
    });
});
