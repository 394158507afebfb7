import assert from "node:assert/strict";
import { send } from "../../provider/src/send";
import type { Emulator } from "../../provider/src/testing";
import { methods } from "./exchanges";
import { inWorld } from "./world";

const body = '{"user_group_id":"acme","name":"Acme"}';

describe("send", () => {
  for (const method of methods) {
    it(
      `gives the answer to ${method} when its head is there`,
      inWorld({}, async ({ emulator }) => {
        emulator.fault({ kind: "raw", status: 418, headers: { "x-one": "1" }, body: "teapot" });
        const response = await send(sending(emulator, method), body, conditions());
        assert.deepEqual([response.status, response.headers.get("x-one")], [418, "1"]);
        assert.equal(await response.text(), "teapot");
      }),
    );

    it(
      `gives a redirect of ${method} as it is`,
      inWorld({}, async ({ emulator }) => {
        emulator.fault({ kind: "redirect", location: "/elsewhere" });
        const response = await send(sending(emulator, method), body, conditions());
        assert.equal(response.status, 302);
        assert.match(response.headers.get("location") ?? "", /\/elsewhere$/);
        await response.text();
        assert.equal(emulator.requests.length, 1);
      }),
    );

    it(
      `fails a ${method} that its signal ends before the head of the answer`,
      inWorld({}, async ({ emulator }) => {
        emulator.fault({ kind: "hang" });
        await assert.rejects(send(sending(emulator, method), body, conditions(AbortSignal.timeout(50))), {
          name: "AbortError",
        });
      }),
    );

    it(
      `fails a ${method} that its signal ends before the end of the answer`,
      inWorld({}, async ({ emulator }) => {
        emulator.fault({ kind: "drip", ms: 50 });
        const controller = new AbortController();
        const response = await send(sending(emulator, method), body, conditions(controller.signal));
        const text = response.text();
        controller.abort();
        await assert.rejects(text);
      }),
    );

    it(
      `reads an answer to ${method} as it comes, without decompression`,
      inWorld({}, async ({ emulator }) => {
        emulator.fault({ kind: "raw", headers: { "content-encoding": "gzip" }, body: "plain" });
        const response = await send(sending(emulator, method), body, conditions());
        assert.equal(await response.text(), "plain");
      }),
    );
  }
});

function sending({ baseUrl, apiToken }: Emulator, method: "GET" | "DELETE") {
  return { method, url: new URL(`${baseUrl}/api/user`), authorization: `Token ${apiToken}` };
}

function conditions(signal = new AbortController().signal) {
  return { maxConnections: 2, signal };
}
