/** A message states a cause only if it was seen, with real servers in the place of the service. */
import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import type { UserGroupError } from "../../../provider/errors";
import { GroupClient } from "../../../provider/service/client";
import { settingsSchema } from "../../../provider/settings/readSettings";
import { jumpingClock } from "../../support/harness/clock";
import { portOf } from "../../support/harness/port";
import { failureOf } from "../../support/harness/providers";
import { loopbackCertificate as tls } from "../testing/loopbackCertificate";

type Start = () => net.Server;

const raw =
  (answer: (socket: net.Socket) => void): Start =>
  () =>
    net.createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => {
        answer(socket);
      });
    });

const responds =
  (status: number, headers: Readonly<Record<string, string>>, body = ""): Start =>
  () =>
    http.createServer((_, response) => {
      response.writeHead(status, headers).end(body);
    });

const overTls =
  (options: https.ServerOptions): Start =>
  () =>
    https.createServer({ ...tls, ...options }).on("tlsClientError", () => undefined);

const plain = responds(200, {});
const json = { "content-type": "application/json" };
const rateLimit = /: the service limits requests.*\. Set user-groups:requestsPerSecond /;
const anotherServer = /\. Check user-groups:baseUrl .*, and everything between Pulumi and the service\. /;
const oldTls = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
const otherCipher = { maxVersion: "TLSv1.2", ciphers: "ECDHE-RSA-AES128-GCM-SHA256" } as const;

const cases: readonly [what: string, scheme: string, start: Start, code: string, expected: RegExp[]][] = [
  [
    "a port without TLS",
    "https",
    plain,
    "connection-failed",
    [/speak TLS at this port/, /scheme and its port/],
  ],
  [
    "TLS 1.1",
    "https",
    overTls(oldTls),
    "connection-failed",
    [/speaks no TLS version/, /accept TLS 1\.2 or 1\.3/],
  ],
  [
    "no cipher in common",
    "https",
    overTls(otherCipher),
    "certificate-untrusted",
    [/handshake_failure/, /TLS ciphers/],
  ],
  [
    "a certificate without a known issuer",
    "https",
    overTls({}),
    "certificate-untrusted",
    [/NODE_EXTRA_CA_CERTS/],
  ],
  [
    "headers over 16 kB",
    "http",
    responds(200, { "x-long": "x".repeat(20_000) }),
    "response-invalid",
    [
      /larger headers than Node\.js reads \(HPE_HEADER_OVERFLOW\)/,
      /NODE_OPTIONS=--max-http-header-size=65536/,
    ],
  ],
  [
    "no HTTP",
    "http",
    raw((socket) => socket.end("garbage\r\n\r\n")),
    "response-invalid",
    [/isn't valid HTTP/, anotherServer],
  ],
  [
    "a header that ends early",
    "http",
    raw((socket) => socket.end("HTTP/1.1 200 OK\r\nx:")),
    "connection-failed",
    [],
  ],
  [
    "status 403 with Retry-After",
    "http",
    responds(403, { "retry-after": "9" }),
    "unexpected-status",
    [rateLimit],
  ],
  [
    "status 403 with a reason",
    "http",
    responds(403, json, '{"message":"API rate limit exceeded"}'),
    "unexpected-status",
    [rateLimit],
  ],
  [
    "a refusal with a reason",
    "http",
    responds(200, json, '{"success":0,"error":"Too many requests"}'),
    "service-refused",
    [rateLimit],
  ],
  [
    "status 403 with another reason",
    "http",
    responds(403, json, '{"error":"no access"}'),
    "unauthorized",
    [/its permissions/],
  ],
  [
    "status 429",
    "http",
    responds(429, { "retry-after": "9" }),
    "unexpected-status",
    [/Set user-groups:requestsPerSecond /],
  ],
];

describe("a message states no other cause than that of", () => {
  for (const [what, scheme, start, code, expected] of cases)
    it(`${what}, in a creation and a deletion`, () =>
      withServer(start, async (port) => {
        for (const error of await failuresAt(`${scheme}://127.0.0.1:${port}`)) {
          assert.equal(error.code, code, error.message);
          for (const pattern of expected) assert.match(error.message, pattern);
          if (!expected.some((pattern) => pattern.source === "NODE_EXTRA_CA_CERTS"))
            assert.doesNotMatch(error.message, /NODE_EXTRA_CA_CERTS/);
        }
      }));
});

describe("a request that never left isn't called possibly applied", () => {
  /** The end of the message says what a request may have done. */
  const mayBe = /The group may (exist|be gone) now/;

  it("by a port that nobody listens on", async () => {
    const port = await withServer(plain, (each) => Promise.resolve(each));
    for (const error of await failuresAt(`http://127.0.0.1:${port}`))
      assert.doesNotMatch(error.message, mayBe);
  });

  for (const [what, answer] of [
    ["ends", (socket: net.Socket) => socket.end()],
    ["is silent", () => undefined],
  ] as const)
    it(`by a TLS handshake that ${what}`, () =>
      withServer(raw(answer), async (port) => {
        for (const error of await failuresAt(`https://127.0.0.1:${port}`))
          assert.doesNotMatch(error.message, mayBe);
      }));

  it("but one without a response is", () =>
    withServer(
      raw((socket) => socket.end()),
      async (port) => {
        for (const error of await failuresAt(`http://127.0.0.1:${port}`)) assert.match(error.message, mayBe);
      },
    ));
});

/** The errors of a GET and a DELETE. */
async function failuresAt(baseUrl: string): Promise<UserGroupError[]> {
  const settings = settingsSchema.parse({ baseUrl, apiToken: "t0ken", timeout: "0.5" });
  const clientFor = (operation: "create" | "delete") => {
    const context = {
      settings,
      clock: jumpingClock(),
      signal: new AbortController().signal,
      logger: { info: () => undefined },
      logged: new Set<string>(),
    };
    return new GroupClient(context, { operation, userGroupId: "acme" });
  };
  return [
    await failureOf(clientFor("create").getOrCreate({ userGroupId: "acme", name: "Acme" })),
    await failureOf(clientFor("delete").delete({ userGroupId: "acme", token: "the-token" })),
  ];
}

async function withServer<Result>(start: Start, test: (port: number) => Promise<Result>): Promise<Result> {
  const server = start();
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    return await test(portOf(server));
  } finally {
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }
}
