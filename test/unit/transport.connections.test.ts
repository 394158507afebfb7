import assert from "node:assert/strict";
import provider from "../../provider/package.json";
import { ask, FixedDeadline, methods } from "./exchanges";
import { until } from "./testing/world";
import { inWorld } from "./world";

describe("transport: a request", () => {
  for (const method of methods) {
    it(
      `by ${method} carries its body, framed by its length in bytes`,
      inWorld({}, async ({ emulator }) => {
        const body = {
          user_group_id: "acme",
          name: "Ácme & Søn 株式会社 🏢",
          properties: { list: [1, null] },
        };
        await ask(emulator, { method, body });
        const [request] = emulator.requests;
        assert.deepEqual([request?.method, request?.body], [method, body]);
        assert.equal(request?.headers["content-length"], String(Buffer.byteLength(JSON.stringify(body))));
        assert.equal(request.headers["transfer-encoding"], undefined);
      }),
    );

    it(
      `by ${method} says whom it comes from, and shows the API token`,
      inWorld({}, async ({ emulator }) => {
        await ask(emulator, { method });
        const [request] = emulator.requests;
        assert.equal(request?.headers["user-agent"], `pulumi-user-groups/${provider.version}`);
        assert.equal(request.headers["content-type"], "application/json");
        assert.equal(request.headers.host, new URL(emulator.baseUrl).host);
        assert.equal(request.authorised, true);
      }),
    );
  }

  it(
    "by GET may have a body of many segments",
    inWorld({}, async ({ emulator }) => {
      const body = { user_group_id: "acme", name: "A".repeat(500_000) };
      assert.equal((await ask(emulator, { body })).status, 200);
      assert.equal(emulator.groups.get("acme")?.name, body.name);
    }),
  );
});

describe("transport: connections", () => {
  it(
    "are kept and shared by both methods",
    inWorld({}, async ({ emulator }) => {
      for (const method of [...methods, ...methods, ...methods]) await ask(emulator, { method });
      assert.equal(emulator.requests.length, 6);
      assert.equal(emulator.connections, 1);
    }),
  );

  it(
    "are maxConnections at most, however many requests there are at once",
    inWorld({ latency: 5 }, async ({ emulator }) => {
      const asks = Array.from({ length: 24 }, (_, index) => methods[index % 2] ?? "GET");
      await Promise.all(asks.map((method) => ask(emulator, { method, maxConnections: 3 })));
      assert.equal(emulator.requests.length, 24);
      assert.deepEqual([emulator.peakConnections, emulator.connections], [3, 3]);
    }),
  );

  it(
    "are opened anew where the service has closed them",
    inWorld({}, async ({ emulator }) => {
      emulator.fault({ kind: "raw", headers: { connection: "close" }, body: (answer) => answer });
      for (const attempts of [1, 1]) assert.equal((await ask(emulator)).attempts, attempts);
      assert.equal(emulator.connections, 2);
    }),
  );

  it(
    "are opened anew where an answer was left unread",
    inWorld({}, async ({ emulator }) => {
      emulator.fault({ kind: "hang" });
      await ask(emulator, { deadline: new FixedDeadline({ attempts: [50, 60_000] }) });
      await until(() => emulator.openConnections === 1);
      assert.equal(emulator.connections, 2);
    }),
  );
});
