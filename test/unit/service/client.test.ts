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
    [
      "omits long parts of the host, and cuts it",
      `https://${long}.${"a.".repeat(4500)}com`,
      `https://….${"a.".repeat(35)}…`,
    ],
  ] as const)
    emulatorTest(what, { apiToken: "Key-7" }, async (emulator) => {
      emulator.fault(redirect(location));
      const client = clientOf(emulator);
      const message = await messageOf(client.delete({ userGroupId: "acme", token: "Tok-7" }));
      const expected = `Cannot delete user group "acme": the service redirected to ${shown}, and redirects are not followed`;
      assert.equal(message.split(" (status")[0], expected);
    });
});

const group = {
  userGroupId: "acme",
  name: "Initech Ltd",
  mapping: { sales: "my-warehouse", finance: 7 },
  properties: {
    region: "eu",
    nested: { list: [1234567, { licence: 'lic"ence/é' }], off: false, none: null },
  },
};

describe("the reason of a refusal", () => {
  const none = ", and the response has no reason";
  for (const [body, shown] of [
    [{ message: "quota exceeded", error: "other" }, ': "quota exceeded"'],
    [{ message: " ", error: { code: 7, message: " quota\nexceeded " } }, ': "quota\\nexceeded"'],
    [{ message: null, error: 7, detail: "quota exceeded", title: "other" }, ': "quota exceeded"'],
    [{ title: "quota exceeded", reason: "other" }, ': "quota exceeded"'],
    [{ reason: "quota exceeded" }, ': "quota exceeded"'],
    [{ errors: [{ detail: "quota exceeded" }, "other"] }, ': "quota exceeded"'],
    [{ message: "x".repeat(201) }, `: "${"x".repeat(200)}…"`],
    [{ message: "\u001b[2J##[error]\u202e" }, ': "\\u001b[2J\\u0023#[error]\\u202e"'],
    [{ code: "quota exceeded", message: { text: "x" }, errors: [] }, none],
  ] as const)
    emulatorTest(
      `in ${JSON.stringify(body).slice(0, 60)} is shown as ${shown.slice(0, 40)}`,
      {},
      async (emulator) => {
        for (const [status, sent, cause] of [
          [200, { success: 0, ...body }, "the service refused (success 0)"],
          [503, { success: 0, ...body }, "the service refused (success 0)"],
          [401, { success: 0, ...body }, "the API token was not accepted"],
          [403, { success: 0, ...body }, "the request was not permitted"],
          [422, body, "the service returned a status that its contract doesn't define"],
        ] as const) {
          const message = await refusalOf(emulator, status, sent);
          assert.equal(message.split(" (status")[0], `Cannot create user group "acme": ${cause}${shown}`);
        }
      },
    );

  emulatorTest(
    "is shown with a retryable status, and with a body that lacks a field",
    {},
    async (emulator) => {
      const retried = await refusalOf(emulator, 503, { message: "maintenance" });
      assert.match(retried, /status 503: "maintenance" \(GET/);
      const lacking = await refusalOf(emulator, 200, { error: "maintenance" });
      assert.match(
        lacking,
        /the response's success must be 1, or 0 for a refusal: "maintenance" \(status 200/,
      );
    },
  );

  for (const [message, shown] of [
    ["the key Key-7 or KEY-7", "the key [secret] or [secret]"],
    ["Bearer gateway-s3cret; gateway-s3cret", "[secret]; [secret]"],
    ["Initech Ltd, initech ltd of acme", "[secret], [secret] of acme"],
    ["no my-warehouse in sales", "no [secret] in sales"],
    ["7 of 17, 7th: '7'", "[secret] of 17, 7th: '[secret]'"],
    ["eu in Europe, reuse, EU", "[secret] in Europe, reuse, [secret]"],
    ['1234567 and lic"ence/é', "[secret] and [secret]"],
    [JSON.stringify(group.properties.nested.list), '[[secret],{\\"licence\\":\\"[secret]\\"}]'],
    ["?licence=lic%22ence%2F%C3%A9&off=false", "?licence=[secret]&off=[secret]"],
    [`${"x".repeat(195)} my-warehouse`, `${"x".repeat(195)} [sec…`],
  ] as const)
    emulatorTest(
      `is shown without secrets: ${message.slice(0, 60)}`,
      { apiToken: "Key-7" },
      async (emulator) => {
        const headers = { "x-key": "Bearer gateway-s3cret" };
        const error = await refusalOf(emulator, 200, { success: 0, message }, headers);
        assert(error.includes(`: "${shown}" (status`), error);
      },
    );

  emulatorTest(
    "is shown without the tokens of the operation's earlier requests and responses",
    {},
    async (emulator) => {
      const client = clientOf(emulator);
      const { token } = (await client.getOrCreate(group)).group;
      await assert.rejects(client.delete({ userGroupId: "acme", token: "former-token" }));
      const body = JSON.stringify({ success: 0, message: `${token} replaced former-token` });
      emulator.fault({ kind: "respond", respond: () => ({ status: 200, headers: {}, body }) });
      const message = await messageOf(client.delete({ userGroupId: "acme", token: "other-token" }));
      assert.match(message, /: "\[secret\] replaced \[secret\]" \(/);
    },
  );
});

describe("a body that isn't the service's JSON", () => {
  for (const [body, issue] of [
    ["<html>Forbidden</html>", "is not JSON"],
    ['"Forbidden"', "is not a JSON object"],
  ] as const)
    emulatorTest(`is said to be from something in between: ${body}`, {}, async (emulator) => {
      for (const status of [400, 401, 403, 405, 501]) {
        const message = await refusalOf(emulator, status, body);
        const cause = `Cannot create user group "acme": the request was refused, and the response body ${issue} (status ${status} to`;
        assert(message.startsWith(cause), message);
        assert.match(
          message,
          /may refuse a GET with a body, .* demand a header .*USER_GROUPS_HEADERS.*_CERTIFICATE/,
        );
      }
      const retried = await refusalOf(emulator, 502, body);
      assert.match(
        retried,
        new RegExp(`status 502, and its body ${issue} \\(.* Something between Pulumi and the service`),
      );
    });

  emulatorTest("has its encoding named, if it can't be decoded", {}, async (emulator) => {
    for (const status of [200, 403]) {
      const message = await refusalOf(emulator, status, "?", {}, { "content-encoding": "zstd" });
      assert.match(message, /the response body can't be decoded from the content-encoding "zstd" \(status/);
    }
  });

  for (const [body, said] of [
    ['{"success":0,"message":"no such route"}', ': "no such route"'],
    ["<html>", ""],
    ["", ""],
  ] as const)
    emulatorTest(`or a refusal, with status 404, is about the address: ${body}`, {}, async (emulator) => {
      const message = await refusalOf(emulator, 404, body);
      const cause = `Cannot create user group "acme": nothing was found at this address${said} (status`;
      assert(message.startsWith(cause), message);
      assert.match(
        message,
        /Check user-groups:baseUrl \(.*\): it is the address without \/api\/user\. \[not-found\]$/,
      );
    });
});

/** The message for a get-or-create with this response. */
async function refusalOf(
  emulator: Emulator,
  status: number,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
  responseHeaders: Readonly<Record<string, string>> = {},
): Promise<string> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const respond = () => ({ status, headers: responseHeaders, body: text });
  emulator.clearFaults();
  emulator.fault({ kind: "respond", respond, times: Infinity });
  return messageOf(clientOf(emulator, "create", headers).getOrCreate(group));
}

function clientOf(
  { baseUrl, apiToken }: Emulator,
  operation: "create" | "delete" = "delete",
  headers: Readonly<Record<string, string>> = {},
): GroupClient {
  const context = {
    settings: settingsSchema.parse({ baseUrl, apiToken, headers: JSON.stringify(headers) }),
    clock: jumpingClock(),
    signal: new AbortController().signal,
    logger: { info: () => undefined },
    said: new Set<string>(),
  };
  return new GroupClient(context, { operation, userGroupId: "acme" });
}

async function messageOf(result: Promise<unknown>): Promise<string> {
  const error: unknown = await result.catch((thrown: unknown) => thrown);
  return error instanceof UserGroupError ? error.message : assert.fail(String(error));
}
