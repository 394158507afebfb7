/** A stack or a folder may be named like a command. */
import assert from "node:assert/strict";
import { isDestroyCommand } from "../../../provider/src/adapter/commandLine";

describe("the command of the engine", () => {
  for (const [line, isDestroy] of [
    ["destroy --yes", true],
    ["down -s dev --yes", true],
    ["--color never dn", true],
    ["-s preview destroy", true],
    ["--stack preview destroy", true],
    ["--stack=preview destroy", true],
    ["-C refresh destroy --yes", true],
    ["--cwd up destroy", true],
    ["destroy -s up", true],
    ["destroy --target up", true],
    ["up --yes", false],
    ["-s down up", false],
    ["--stack destroy up --yes", false],
    ["-C down up", false],
    ["up -s destroy", false],
    ["up --message destroy", false],
    ["-C refresh preview", false],
    ["-v 3 -s dn update", false],
    ["stack export", undefined],
    ["", undefined],
  ] as const)
    it(`pulumi ${line} ${isDestroy ? "is" : "isn't"} a destroy`, () => {
      const args = line.split(" ").filter((word) => word !== "");
      assert.equal(isDestroyCommand(args), isDestroy);
    });
});
