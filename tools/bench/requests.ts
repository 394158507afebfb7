/**
 * `node --require ts-node/register tools/bench/requests.ts`: the processor time of a request, and how many times that of the same request by node:http or node-fetch
 * alone. All are measured in one run, because a busy machine slows all of them.
 */
import { spawn } from "node:child_process";
import http from "node:http";
import fetch from "node-fetch";
import { GroupClient } from "../../provider/service/client";
import { systemClock } from "../../provider/service/http/clock";
import { settingsSchema } from "../../provider/settings/readSettings";

const values = { name: "Acme", mapping: { sales: "acme-warehouse" }, properties: { region: "eu" } };

/** A service in a process of its own, whose time doesn't count. */
const service = `
  const server = require("node:http").createServer(async (request, response) => {
    const { user_group_id: provided_id } = JSON.parse((await request.toArray()).join(""));
    const user_group = { team_id: 7, token: "token-of-" + provided_id, name: "Acme", provided_id, properties: { region: "eu" } };
    response.end(JSON.stringify({ success: 1, new_user_group: true, user_group }));
  });
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));`;

async function measure(port: number): Promise<void> {
  const baseUrl = `http://127.0.0.1:${port}`;
  const url = `${baseUrl}/api/user`;
  const settings = settingsSchema.parse({ baseUrl, apiToken: "key" });
  const { signal } = new AbortController();
  const context = {
    settings,
    clock: systemClock,
    signal,
    logger: { info: () => undefined },
    logged: new Set<string>(),
  };
  const agent = new http.Agent({ keepAlive: true, maxSockets: settings.maxConnections });
  const headers = { authorization: "Token key", "content-type": "application/json" };
  const ways: Record<string, (userGroupId: string) => Promise<unknown>> = {
    "node:http": (user_group_id) =>
      new Promise((resolve, reject) => {
        const body = JSON.stringify({ user_group_id, ...values });
        const framed = { ...headers, "content-length": Buffer.byteLength(body) };
        const outgoing = http.request(url, { agent, headers: framed }, (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () => {
            resolve(JSON.parse(Buffer.concat(parts).toString()));
          });
        });
        outgoing.on("error", reject).end(body);
      }),
    "get-or-create": (userGroupId) =>
      new GroupClient(context, { operation: "create", userGroupId }).getOrCreate({ userGroupId, ...values }),
    "node-fetch": async (user_group_id) => {
      const body = JSON.stringify({ user_group_id, current_token: "token" });
      return (await fetch(url, { method: "DELETE", agent, headers, body })).json();
    },
    DELETE: (userGroupId) =>
      new GroupClient(context, { operation: "delete", userGroupId }).delete({ userGroupId, token: "token" }),
  };
  const least = new Map<string, number>();
  for (let round = 0; round < 20; round += 1)
    for (const [name, send] of Object.entries(ways)) {
      const start = process.cpuUsage();
      const work = async (_: unknown, worker: number) => {
        for (let n = 0; n < 125; n += 1) await send(`customer-${worker}-${n}`);
      };
      await Promise.all(Array.from({ length: 16 }, work));
      const { user, system } = process.cpuUsage(start);
      least.set(name, Math.min(least.get(name) ?? Infinity, (user + system) / 2000));
    }
  const [raw = 0, ours = 0, rawDelete = 0, ourDelete = 0] = least.values();
  console.log(
    `get-or-create: ${ours.toFixed(0)} µs, ${(ours / raw).toFixed(2)} times node:http (goal: at most 2.8)`,
  );
  console.log(
    `DELETE: ${ourDelete.toFixed(0)} µs, ${(ourDelete / rawDelete).toFixed(2)} times node-fetch (goal: at most 1.3)`,
  );
}

const child = spawn(process.execPath, ["--eval", service], {
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});
child.once("message", (port) => {
  void measure(Number(port)).finally(() => child.kill());
});
