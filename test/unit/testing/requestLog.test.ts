import assert from "node:assert/strict";
import { inspect } from "node:util";
import type { RequestLogEntry } from "../../../provider/src/testing";
import { emulatorTest } from "../../harness/emulatorTest";
import { send } from "./rawRequest";

const body = { user_group_id: "acme", name: "Acme", properties: { plan: "gold" } };

describe("emulator: request log", () => {
  emulatorTest("has a request, its effect and its response", {}, async (emulator) => {
    await send(emulator, { body, headers: { "user-agent": "test/1" } });
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
          "content-length": String(JSON.stringify(body).length),
          host: new URL(emulator.baseUrl).host,
          connection: "keep-alive",
        },
        authorized: true,
        body,
        userGroupId: "acme",
        effect: "created",
        refusal: undefined,
        newUserGroup: true,
        status: 200,
        fault: undefined,
        connection: 1,
      },
    );
    emulator.clearRequests();
    assert.deepEqual(emulator.requests, []);
  });

  emulatorTest("prints one line for each request, and no secret", {}, async (emulator) => {
    const remove = (sent: object) => send(emulator, { method: "DELETE", body: sent });
    await send(emulator, { body });
    const token = emulator.groups.get("acme")?.token ?? "";
    emulator.fault({ kind: "drop", when: "before" });
    await assert.rejects(send(emulator, { body }));
    await remove({ user_group_id: "acme", current_token: `${token}0` });
    await send(emulator, { path: `/api/users?token=${emulator.apiToken}`, headers: { authorization: "x" } });
    await remove({ current_token: token });
    const { requests } = emulator;
    assert.deepEqual(requests.map(String), [
      'GET "acme" created 200',
      'GET "acme" none no response [fault: drop]',
      'DELETE "acme" refused 200 (current_token does not fit)',
      "GET /api/users refused 404 (unknown path /api/users)",
      'DELETE "acme" refused 200 (user_group_id missing)',
    ]);
    const printed = [inspect(requests, { depth: 9 }), JSON.stringify(requests), inspect(emulator)].join();
    for (const secret of [token, emulator.apiToken, "gold"]) assert(!printed.includes(secret));
  });

  const lines: string[] = [];
  const log = (entry: RequestLogEntry) => lines.push(String(entry));
  emulatorTest("calls `log` before a response arrives", { log, keepRequests: false }, async (emulator) => {
    await send(emulator, { body });
    assert.deepEqual(lines, ['GET "acme" created 200']);
    assert.deepEqual(emulator.requests, []);
  });
});
