import assert from "node:assert/strict";
import { withNotices, type Notify } from "../../../provider/src/provider/notices";
import { withWarnings } from "../world";

describe("notices", () => {
  const linesOf = async (operation: (notify: Notify) => Promise<void>) => {
    let lines: readonly string[] = [];
    await withWarnings(async (warnings) => {
      await withNotices(operation).catch(() => undefined);
      lines = [...warnings];
    });
    return lines;
  };

  it("are one line for each kind, with the first few groups", async () => {
    const lines = await linesOf((notify) => {
      for (let n = 1; n <= 1000; n += 1) notify("adopted", { userGroupId: `t${n}` });
      notify("created again", { userGroupId: "gone" });
      return Promise.resolve();
    });
    assert.equal(lines.length, 2);
    assert.match(
      lines[0] ?? "",
      /^warning: user groups "t1", "t2", "t3", "t4", "t5" and 995 more were there before and are adopted with their tokens/,
    );
    assert.match(
      lines[1] ?? "",
      /^warning: user group "gone" was gone; it has been created again and has a new token\.\n$/,
    );
  });

  it("name the connection", async () => {
    const lines = await linesOf((notify) => {
      for (const userGroupId of ["a", "b"]) notify("kept", { userGroupId, connection: "eu" });
      notify("adopted", { userGroupId: "c", connection: "eu" });
      return Promise.resolve();
    });
    assert.match(lines[0] ?? "", /^warning: user groups "a", "b" \(connection "eu"\) are kept/);
    assert.match(lines[1] ?? "", /^warning: user group "c" \(connection "eu"\) was there before/);
  });

  it("are shown although the operation fails, since what they say has happened", async () => {
    const lines = await linesOf((notify) => {
      notify("created again", { userGroupId: "a" });
      return Promise.reject(new Error("no such luck"));
    });
    assert.equal(lines.length, 1);
  });

  it("leave the outcome as it is", async () => {
    assert.equal(await withNotices(() => Promise.resolve("outcome")), "outcome");
    await assert.rejects(
      withNotices(() => Promise.reject(new Error("no such luck"))),
      /no such luck/,
    );
  });
});
