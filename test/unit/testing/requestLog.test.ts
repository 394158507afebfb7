import assert from "node:assert/strict";
import { inspect } from "node:util";
import type { RequestLogEntry } from "../../../provider/src/testing";
import { deleteGroup, getOrCreate, send, withEmulator } from "./world";

const acme = { user_group_id: "acme", name: "Acme", properties: { plan: "gold" } };

describe("emulator: request log", () => {
  it("keeps what a request was, did and got", () =>
    withEmulator({}, async (emulator) => {
      await getOrCreate(emulator, acme, { headers: { "user-agent": "test/1" } });
      const [entry] = emulator.requests;
      assert.deepEqual(
        { ...entry, receivedAt: 0 },
        {
          receivedAt: 0,
          method: "GET",
          path: "/api/user",
          headers: {
            "user-agent": "test/1",
            "content-type": "application/json",
            "content-length": String(JSON.stringify(acme).length),
            host: new URL(emulator.baseUrl).host,
            connection: "keep-alive",
          },
          authorized: true,
          body: acme,
          userGroupId: "acme",
          effect: "created",
          refusal: undefined,
          newUserGroup: true,
          status: 200,
          fault: undefined,
          connection: 1,
        },
      );
    }));

  it("says in one line what happened, and never a secret", () =>
    withEmulator({}, async (emulator) => {
      const lines: RequestLogEntry[] = [];
      await getOrCreate(emulator, acme);
      const current_token = emulator.groups.get("acme")?.token ?? "";
      emulator.fault({ kind: "drop", when: "before" });
      await assert.rejects(getOrCreate(emulator, acme));
      await deleteGroup(emulator, { user_group_id: "acme", current_token: `${current_token}0` });
      await send(emulator, {
        path: `/api/users?token=${emulator.apiToken}`,
        headers: { authorization: "x" },
      });
      await deleteGroup(emulator, { current_token });
      lines.push(...emulator.requests);

      assert.deepEqual(lines.map(String), [
        'GET "acme" created 200',
        'GET "acme" none no response [fault: drop]',
        'DELETE "acme" refused 200 (current_token does not fit)',
        "GET /api/users refused 404 (unknown path /api/users)",
        'DELETE "acme" refused 200 (user_group_id missing)',
      ]);
      const printed = [
        inspect(lines, { depth: 9 }),
        JSON.stringify(lines),
        lines.join("\n"),
        inspect(emulator),
      ].join();
      for (const secret of [current_token, emulator.apiToken, "gold"]) assert.ok(!printed.includes(secret));
    }));

  it("calls back with each request before its answer arrives", async () => {
    const lines: string[] = [];
    const log = (entry: RequestLogEntry) => lines.push(String(entry));
    await withEmulator({ log, keepRequests: false }, async (emulator) => {
      await getOrCreate(emulator, acme);
      assert.deepEqual(lines, ['GET "acme" created 200']);
      assert.deepEqual(emulator.requests, []);
    });
  });

  it("can be emptied", () =>
    withEmulator({}, async (emulator) => {
      await getOrCreate(emulator, acme);
      emulator.clearRequests();
      assert.deepEqual(emulator.requests, []);
    }));
});
