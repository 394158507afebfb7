import assert from "node:assert/strict";
import { KeptGroups } from "../../../provider/core/deployment/keptGroups";

describe("the warning kept, of many resources", () => {
  it("is logged for the first one at once, and for all others together at the end, if there are any", () => {
    const lines: string[] = [];
    const logger = {
      info: () => undefined,
      warn: (line: string) => void lines.push(line.replace(/ because.*/, "")),
    };
    const kept = new KeptGroups();
    kept.note([{ userGroupId: "a" }], logger);
    kept.sayOthers(logger);
    assert.deepEqual(lines, ['user group "a" is kept with its token,']);
    for (const userGroupId of ["b", "c"]) kept.note([{ userGroupId }], logger);
    assert.equal(lines.length, 1);
    kept.sayOthers(logger);
    kept.sayOthers(logger);
    assert.deepEqual(lines.slice(1), ["2 user groups are kept with their tokens,"]);
  });
});
