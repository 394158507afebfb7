/** How operations end with each fault of the way to the service: with which code, after how many attempts, and that the next `up` heals all. */
import assert from "node:assert/strict";
import type { FaultKind } from "../../provider/testing";
import { numbered } from "../support/harness/providers";
import * as faults from "../support/harness/responseFaults";
import { acme, behavior, declareEach, declareMany, inModel, renamed } from "./contract";

type Row = readonly [what: string, code: string, fault: FaultKind];

/** Faults of a moment, which another attempt may not meet. */
const retried: readonly Row[] = [
  ["a connection closed before the effect", "connection-failed", { kind: "drop", when: "before" }],
  ["a connection closed after the effect", "connection-failed", { kind: "drop", when: "after" }],
  ["a connection closed inside the response", "connection-failed", faults.cutOff()],
  ["truncated JSON", "connection-failed", faults.changedBody((body) => body.slice(0, -2))],
  ["no response", "timed-out", faults.noResponse()],
  ["a response that drips", "timed-out", faults.drip(500)],
  ["429", "unexpected-status", { kind: "status", status: 429 }],
  ["503 after the effect", "unexpected-status", { kind: "status", status: 503, when: "after" }],
];

const final: readonly Row[] = [
  ["success 0", "service-refused", { kind: "refuse" }],
  ["404", "not-found", { kind: "status", status: 404 }],
  ["403", "unauthorized", { kind: "status", status: 403 }],
  ["a redirect", "redirected", faults.redirect("http://127.0.0.1:9/")],
  ["a response of 2 MiB", "response-invalid", faults.padded(2 ** 21)],
  ["a page of HTML", "response-invalid", faults.changedBody("<html>")],
  ["success of a wrong type", "response-invalid", faults.changedField("success", true)],
  ["a byte that isn't UTF-8", "response-invalid", faults.changedBody(inLatin1)],
  ["JSON and more JSON", "response-invalid", faults.changedBody((body) => body + body)],
  ["a key twice", "response-invalid", faults.changedBody((body) => body.replace("{", '{"success":1,'))],
];

function inLatin1(body: string): Buffer {
  return Buffer.from(body.replace("{", '{"note":"\u00e9",'), "latin1");
}

const finalOfGetOrCreate: readonly Row[] = [
  ["101", "unexpected-status", faults.switchesProtocols()],
  ["no token", "response-invalid", faults.changedField("user_group.token")],
  ["new_user_group of a wrong type", "response-invalid", faults.changedField("new_user_group", "true")],
  ["another group's response", "wrong-group", faults.changedField("user_group.provided_id", "globex")],
];

/** One after the other: the request that the fault hits, the setting `changes`, and the groups that the program declares then. */
const operations = [
  { method: "GET", changes: "replace", groups: { acme } },
  { method: "GET", changes: "update", groups: { acme: renamed } },
  { method: "DELETE", changes: "replace", groups: {} },
] as const;

const service = { existing: "update", drivers: ["provider"] } as const;

describe("contract: a fault in a creation, an update and a deletion", () => {
  endWith(retried, { isRetried: true });
  endWith(final, { isRetried: false });
  endWith(finalOfGetOrCreate, { isRetried: false, method: "GET" });

  for (const [what, harmless] of [
    ["a byte-order mark", faults.changedBody((body) => `\uFEFF${body}`)],
    ["an unknown field", faults.changedField("user_group.plan", { seats: [1] })],
  ] as const)
    behavior(`${what}: none`, service, async (context) => {
      context.emulator.fault({ ...harmless, times: Infinity });
      await context.applies(declareEach({ acme }));
      assert.equal((await context.group("acme"))?.token, context.token("acme"));
    });
});

/** `method`: the only one whose responses can have the fault. */
function endWith(
  rows: readonly Row[],
  { isRetried, method }: { readonly isRetried: boolean; readonly method?: "GET" },
): void {
  for (const [what, code, fault] of rows)
    behavior(`${what}: ${code}`, service, async (context) => {
      for (const operation of operations.filter((each) => !method || each.method === method)) {
        Object.assign(context.settings, { timeout: "1", changes: operation.changes });
        context.emulator.fault({ ...fault, method: operation.method, times: Infinity });
        const program = declareEach(operation.groups);
        const { errors } = await context.up(program);
        assert.match(errors, new RegExp(`Cannot \\w+ user group "acme": .+\\. \\S.+ \\[${code}\\]`));
        for (const secret of [context.emulator.apiToken, "Acme", "sales"])
          assert(!errors.includes(secret), errors);
        const attempts = context.emulator.requests.filter((each) => each.fault).length;
        assert.equal(attempts > 1, isRetried, `${attempts} attempts`);
        context.heal();
        await context.applies(program);
        assert.deepEqual([...context.emulator.groups.keys()], Object.keys(operation.groups));
        assert.equal((await context.group("acme"))?.token, context.token("acme"));
        assert(await context.isUpToDate(program));
      }
    });
}

describe("contract: a fault of a moment", () => {
  behavior(
    "isn't noticed: 503 and a broken connection, also at a path",
    { basePath: "/tenant/with%20space" },
    async (context) => {
      context.emulator.fault({ kind: "status", status: 503 });
      context.emulator.fault({ kind: "drop", when: "before" });
      const { warnings } = await context.applies(declareEach({ acme }, { adopt: false }));
      assert.deepEqual(context.requests(), ["GET acme none", "GET acme none", "GET acme created"]);
      assert.deepEqual([warnings, (await context.group("acme"))?.adopted], [[], false]);
    },
  );

  behavior("is reported once for each cause, and once for each group", inModel, async (context) => {
    context.emulator.fault({ kind: "status", status: 503, times: 12 });
    const { infos } = await context.applies(declareMany(numbered(12, acme)));
    context.emulator.fault({ kind: "drop", when: "before" });
    context.emulator.fault({ kind: "status", status: 502 });
    const twice = await context.applies(declareMany({ ...numbered(12, acme), beta: acme }));
    const isReport = (line: string) => line.includes("first attempt");
    assert.equal(twice.infos.filter(isReport).length, 1, twice.infos.join("\n"));
    const reports = infos.filter(isReport);
    assert.match(
      reports.join("\n"),
      /^.*user group "t\d+".*status 503.* retrying for up to 5 s\. \[unexpected-status\]$/,
    );
  });
});
