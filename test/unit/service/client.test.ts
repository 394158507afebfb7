import assert from "node:assert/strict";
import { UserGroupError } from "../../../provider/src/errors";
import { GroupClient } from "../../../provider/src/service/client";
import { settingsSchema } from "../../../provider/src/settings/readSettings";
import type { Emulator } from "../../../provider/src/testing";
import { jumpingClock } from "../../harness/clock";
import { emulatorTest } from "../../harness/emulatorTest";
import { redirect } from "../../harness/responseFaults";

const long = "9c858901-8a57-4791-81fe-4c455b099bc9";

describe("the error of a redirect", () => {
  for (const [what, location, shown] of [
    ["names the host", "https://login.example.com:8443/path?key=s3cret", "https://login.example.com:8443"],
    ["omits a host with the API token", "https://x-Key-7.example.com", "another address"],
    ["omits a host with the group's token", "https://example.com.Tok-7", "another address"],
    ["omits long parts of the host", `https://${long}.example.com`, "https://….example.com"],
    ["cuts a long host", `https://${"a.".repeat(4500)}com`, `https://${"a.".repeat(36)}…`],
  ] as const)
    emulatorTest(what, { apiToken: "Key-7" }, async (emulator) => {
      emulator.fault(redirect(location));
      const client = clientOf(emulator);
      const message = await messageOf(client.delete({ userGroupId: "acme", token: "Tok-7" }));
      const expected = `Cannot delete user group "acme": the service redirected to ${shown}, and redirects are not followed`;
      assert.equal(message.split(" (status")[0], expected);
    });
});

function clientOf({ baseUrl, apiToken }: Emulator): GroupClient {
  const context = {
    settings: settingsSchema.parse({ baseUrl, apiToken }),
    clock: jumpingClock(),
    signal: new AbortController().signal,
    logger: { info: () => undefined },
    retryCauses: new Set<string>(),
  };
  return new GroupClient(context, { operation: "delete", userGroupId: "acme" });
}

async function messageOf(result: Promise<unknown>): Promise<string> {
  const error: unknown = await result.catch((thrown: unknown) => thrown);
  return error instanceof UserGroupError ? error.message : assert.fail(String(error));
}
