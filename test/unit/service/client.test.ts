/** What the messages say of responses, and that they show no secret. */
import assert from "node:assert/strict";
import { UserGroupError } from "../../../provider/errors";
import { GroupClient } from "../../../provider/service/client";
import { getOrCreateBody } from "../../../provider/service/contract";
import { reasonIn } from "../../../provider/service/reason";
import { Secrets } from "../../../provider/service/secrets";
import { settingsSchema } from "../../../provider/settings/readSettings";
import type { EmulatedResponse, Emulator } from "../../../provider/testing";
import { jumpingClock } from "../../support/harness/clock";
import { emulatorTest } from "../../support/harness/emulatorTest";

const group = {
  userGroupId: "acme",
  name: "Initech Ltd",
  mapping: { sales: "my-warehouse", finance: 7 },
  properties: {
    region: "eu",
    plan: "team",
    "key-of-12-characters-and-more": 1,
    nested: { list: [1234567, { licence: 'lic"ence/é' }], off: false, none: null },
  },
};

describe("the reason of a response", () => {
  const secrets = new Secrets({ apiToken: "Key-7", headers: { "x-key": "Bearer gateway-s3cret" } });
  secrets.addBody(getOrCreateBody(group));

  for (const [body, shown] of [
    [{ message: "quota exceeded", error: "other" }, '"quota exceeded"'],
    [{ message: " ", error: { code: 7, message: " quota\nexceeded " } }, '"quota\\nexceeded"'],
    [{ message: null, error: 7, detail: "quota exceeded", title: "other" }, '"quota exceeded"'],
    [{ title: "quota exceeded", reason: "other" }, '"quota exceeded"'],
    [{ reason: "quota exceeded" }, '"quota exceeded"'],
    [{ errors: [{ detail: "quota exceeded" }, "other"] }, '"quota exceeded"'],
    [{ message: "x".repeat(201) }, `"${"x".repeat(200)}…"`],
    [{ message: "\u001b[2J##[error]\u202e" }, '"\\u001b[2J\\u0023#[error]\\u202e"'],
    [{ code: "quota exceeded", message: { text: "x" }, errors: [] }, undefined],
  ] as const)
    it(`in ${JSON.stringify(body).slice(0, 60)} is ${shown?.slice(0, 40)}`, () => {
      assert.equal(reasonIn(body, secrets), shown);
    });

  for (const [message, shown] of [
    ["the key Key-7 or KEY-7", "the key [secret] or [secret]"],
    ["Bearer gateway-s3cret; gateway-s3cret", "[secret]; [secret]"],
    ["Initech Ltd, initech ltd of acme", "[secret], [secret] of acme"],
    ["no my-warehouse in sales", "no [secret] in sales"],
    ["quota exceeded for this plan", "quota exceeded for this plan"],
    ["no key-of-12-characters-and-more", "no [secret]"],
    ["7 of 17, 7th: '7'", "[secret] of 17, 7th: '[secret]'"],
    ["eu in Europe, reuse, EU", "[secret] in Europe, reuse, [secret]"],
    ['1234567 and lic"ence/é', "[secret] and [secret]"],
    [JSON.stringify(group.properties.nested.list), '[[secret],{\\"licence\\":\\"[secret]\\"}]'],
    ["?licence=lic%22ence%2F%C3%A9&off=false", "?licence=[secret]&off=[secret]"],
    ["Initech+Ltd, Initech%20Ltd", "[secret], [secret]"],
    [Buffer.from("gateway-s3cret").toString("hex").toUpperCase(), "[secret]"],
    [`${Buffer.from("me:gateway-s3cret").toString("base64")} or`, "bWU6[secret]Q= or"],
    [Buffer.from("you:gateway-s3cret!").toString("base64url"), "eW91Om[secret]IQ"],
    [`${"x".repeat(195)} my-warehouse`, `${"x".repeat(195)} [sec…`],
  ] as const)
    it(`has no secrets: ${message.slice(0, 60)}`, () => {
      assert.equal(reasonIn({ message }, secrets), `"${shown}"`);
    });

  emulatorTest("has no tokens of the operation's earlier requests and responses", {}, async (emulator) => {
    const client = clientOf(emulator);
    const { token } = (await client.getOrCreate(group)).group;
    await assert.rejects(client.delete({ userGroupId: "acme", token: "former-token" }));
    const body = JSON.stringify({ success: 0, message: `${token} replaced former-token` });
    respondWith(emulator, { status: 200, headers: {}, body });
    const message = await messageOf(client.delete({ userGroupId: "acme", token: "other-token" }));
    assert.match(message, /: "\[secret\] replaced \[secret\]" \(/);
  });
});

describe("the message of a response", () => {
  const refusal = '{"success":0,"message":"quota exceeded"}';
  const html = "<html>Forbidden</html>";
  const zstd = { "content-encoding": "zstd" };
  const undecoded = 'the response body can\'t be decoded from the content-encoding "zstd" (status';
  const responses: [cause: string, status: number, body: string, headers?: Record<string, string>][] = [
    ['the service refused (success 0): "quota exceeded" (status', 200, refusal],
    ['the service refused (success 0): "quota exceeded" (status', 503, refusal],
    ["the service refused (success 0), and the response has no reason (status", 200, '{"success":0}'],
    ['the API token was not accepted: "quota exceeded" (status', 401, refusal],
    ['the request was not permitted: "quota exceeded" (status', 403, refusal],
    ['a status that its contract doesn\'t define: "quota exceeded" (status', 422, refusal.replace("0", "2")],
    ['the service returned status 503: "maintenance" (GET', 503, '{"message":"maintenance"}'],
    ['success must be 1, or 0 for a refusal: "maintenance" (status', 200, '{"error":"maintenance"}'],
    ['nothing was found at this address: "quota exceeded" (status', 404, refusal],
    ["nothing was found at this address (status", 404, html],
    ["the request was refused, and the response body is not JSON (status", 400, html],
    ["the request was refused, and the response body is not a JSON object (status", 403, '"Forbidden"'],
    ["status 502, and its body is not JSON (", 502, html],
    ["the method GET was refused, and the response body is not JSON (status", 405, html],
    ["the length of the body was missing, and the response body is not JSON (status", 411, html],
    ["too large: mapping has 36 bytes, properties has 142 bytes, and the response", 413, html],
    ['the URL is too long: "quota exceeded" (status', 414, refusal.replace("0", "2")],
    ["the headers are too large, and the response body is not JSON (status", 431, html],
    ['the service refused (success 0): "quota exceeded" (status', 413, refusal],
    [undecoded, 200, "?", zstd],
    [undecoded, 403, "?", zstd],
  ];
  const long = `9c858901-8a57-4791-81fe-4c455b099bc9.${"a.".repeat(4500)}com`;
  for (const [shown, location] of [
    ["https://login.example.com:8443", "https://login.example.com:8443/path?key=s3cret"],
    ["another address", "https://x-Key-7.example.com"],
    ["another address", "https://example.com.my-warehouse"],
    [`https://….${"a.".repeat(35)}…`, `https://${long}`],
  ] as const)
    responses.push([`the service redirected to ${shown}, and redirects`, 302, "", { location }]);

  // Requests about other groups may be small enough.
  const isOfOneRequest = new Set([413, 414, 431]);
  for (const [cause, status, body, headers = {}] of responses)
    emulatorTest(`says of ${status} ${body}: ${cause}`, { apiToken: "Key-7" }, async (emulator) => {
      respondWith(emulator, { status, headers, body });
      const { message, facts } = await errorOf(clientOf(emulator).getOrCreate(group));
      assert.equal(facts.isOfOneRequest ?? false, isOfOneRequest.has(status) && body !== refusal, message);
      assert(message.startsWith('Cannot create user group "acme": ') && message.includes(cause), message);
      const isInBetween = [400, 403, 502].includes(status) && !body.startsWith("{");
      assert.equal(message.includes("Something between Pulumi and the service"), isInBetween, message);
    });
});

function respondWith(emulator: Emulator, response: EmulatedResponse): void {
  emulator.clearFaults();
  emulator.fault({ kind: "respond", respond: () => response, times: Infinity });
}

function clientOf({ baseUrl, apiToken }: Emulator): GroupClient {
  const context = {
    settings: settingsSchema.parse({ baseUrl, apiToken }),
    clock: jumpingClock(),
    signal: new AbortController().signal,
    logger: { info: () => undefined },
    logged: new Set<string>(),
  };
  return new GroupClient(context, { operation: "create", userGroupId: "acme" });
}

async function messageOf(result: Promise<unknown>): Promise<string> {
  return (await errorOf(result)).message;
}

async function errorOf(result: Promise<unknown>): Promise<UserGroupError> {
  const error: unknown = await result.catch((thrown: unknown) => thrown);
  return error instanceof UserGroupError ? error : assert.fail(String(error));
}
