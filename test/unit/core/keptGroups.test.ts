import assert from "node:assert/strict";
import { KeptGroups } from "../../../provider/core/deployment/keptGroups";

describe("the warning kept", () => {
  it("is logged once for all resources, at the end, if there are any", () => {
    const lines: string[] = [];
    const logger = {
      info: () => undefined,
      warn: (line: string) => void lines.push(line.replace(/ because.*/, "")),
    };
    const kept = new KeptGroups();
    kept.say(logger);
    for (const userGroupId of ["a", "b"]) kept.note([{ userGroupId }]);
    assert.deepEqual(lines, []);
    kept.say(logger);
    kept.say(logger);
    assert.deepEqual(lines, ["2 user groups are kept with their tokens,"]);
  });
});
