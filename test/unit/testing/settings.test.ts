import assert from "node:assert/strict";
import { settingsFrom } from "../../../provider/src/testing/settings";

describe("emulator: options", () => {
  it("have the documented defaults", () => {
    const { normalize, ...others } = settingsFrom({ apiToken: "t" });
    const values = { userGroupId: "acme", name: " Acme " };
    assert.deepEqual(normalize(values), values);
    assert.deepEqual(others, {
      existing: "keep",
      response: "stored",
      emptyProperties: "absent",
      deleteNeeds: ["current_token", "user_group_id"],
      deleteTokenMayBeId: false,
      latency: 0,
      port: 0,
      apiToken: "t",
      basePath: "",
      tls: undefined,
      keepRequests: true,
      log: undefined,
    });
  });

  const wrong: [object, string][] = [
    [{ port: 65_536 }, " port: must be an integer from 0 to 65535"],
    [{ port: "80" }, " port: must be an integer from 0 to 65535"],
    [{ existing: "replace" }, ' existing: Invalid option: expected one of "keep"|"update"'],
    [{ basePath: "api/" }, ' basePath: must be "" or a path such as "/tenant/v1"'],
    [{ apiToken: "two words" }, " apiToken: must be printable ASCII without blanks"],
    [{ latency: "1s" }, " latency: must be a number of milliseconds, 0 or more"],
    [{ exist: "keep" }, ': Unrecognized key: "exist"'],
  ];
  for (const [options, message] of wrong) {
    it(`don't include ${JSON.stringify(options)}`, () => {
      assert.throws(() => settingsFrom(options), { message: `Emulator option${message}` });
    });
  }
});
