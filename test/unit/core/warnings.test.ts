import assert from "node:assert/strict";
import { withWarnings, type Warn } from "../../../provider/src/core/warnings";

async function linesOf(operation: (warn: Warn) => Promise<void>): Promise<string[]> {
  const lines: string[] = [];
  const logger = { info: () => assert.fail("an information"), warn: (line: string) => void lines.push(line) };
  await withWarnings(logger, operation).catch(() => undefined);
  return lines;
}

describe("warnings", () => {
  it("are one line for each kind, with the first few groups and the connection", async () => {
    const lines = await linesOf((warn) => {
      for (let n = 1; n <= 1000; n += 1) warn("adopted", { userGroupId: `t${n}`, connection: "eu" });
      warn("created again", { userGroupId: "gone" });
      return Promise.resolve();
    });
    assert.equal(lines.length, 2);
    assert.match(
      lines[0] ?? "",
      /^user groups "t1", "t2", "t3", "t4", "t5" and 995 more \(connection "eu"\) existed before and are adopted /,
    );
    assert.equal(
      lines[1],
      `user group "gone" didn't exist in the service. It was created again, with a new token.`,
    );
  });

  it("are shown although the operation fails, because they have happened", async () => {
    const lines = await linesOf((warn) => {
      warn("created again", { userGroupId: "a" });
      return Promise.reject(new Error("it failed"));
    });
    assert.equal(lines.length, 1);
  });
});
