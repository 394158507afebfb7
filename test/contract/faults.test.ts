/** How operations end with each fault of the way to the service: with which code, after how many attempts, and that the next `up` heals all. */
import assert from "node:assert/strict";
import type { FaultKind } from "../../provider/src/testing";
import { many } from "../harness/providers";
import { changedField, cutOff, htmlPage, noResponse, padded, redirect } from "../harness/responseFaults";
import { acme, behavior, declareEach, declareMany, renamed } from "./contract";

type Row = readonly [what: string, code: string, fault: FaultKind];

/** Faults of a moment, which another attempt may not meet. */
const retried: readonly Row[] = [
  ["a connection closed after the effect", "connection-failed", { kind: "drop", when: "after" }],
  ["a connection closed inside the response", "connection-failed", cutOff()],
  ["no response", "timed-out", noResponse()],
  ["429", "unexpected-status", { kind: "status", status: 429 }],
  ["503 after the effect", "unexpected-status", { kind: "status", status: 503, when: "after" }],
];

const final: readonly Row[] = [
  ["success 0", "service-refused", { kind: "refuse" }],
  ["404", "not-found", { kind: "status", status: 404 }],
  ["401", "unauthorized", { kind: "status", status: 401 }],
  ["403", "unauthorized", { kind: "status", status: 403 }],
  ["418", "unexpected-status", { kind: "status", status: 418 }],
  ["a redirect", "redirected", redirect("http://127.0.0.1:9/")],
  ["a response of 2 MiB", "response-too-large", padded(2 ** 21)],
  ["a page of HTML", "response-invalid", htmlPage()],
  ["no success", "response-invalid", changedField("success")],
  ["success of a wrong type", "response-invalid", changedField("success", true)],
];

const finalOfGetOrCreate: readonly Row[] = [
  ["an empty token", "response-invalid", changedField("user_group.token", "")],
  ["a name null", "response-invalid", changedField("user_group.name", null)],
  ["new_user_group of a wrong type", "response-invalid", changedField("new_user_group", "true")],
  ["a name that no state can hold", "response-invalid", changedField("user_group.name", "Ac\udc00me")],
  ["another group's response", "wrong-group", changedField("user_group.provided_id", "globex")],
];

/** One after the other: the request that the fault hits, the setting `changes`, and the groups that the program declares then. */
const operations = [
  { method: "GET", changes: "replace", groups: { acme } },
  { method: "GET", changes: "update", groups: { acme: renamed } },
  { method: "DELETE", changes: "replace", groups: {} },
] as const;

const service = { existing: "update", drivers: ["provider"] } as const;

describe("contract: a fault in a creation, an update and a deletion", () => {
  for (const [what, code, fault] of [...retried, ...final, ...finalOfGetOrCreate])
    behavior(`${what}: ${code}`, service, async (context) => {
      const isRetried = retried.some(([name]) => name === what);
      const isOfAll = !finalOfGetOrCreate.some(([name]) => name === what);
      for (const { method, changes, groups } of operations.filter(
        (each) => isOfAll || each.method === "GET",
      )) {
        Object.assign(context.settings, { timeout: "1", changes });
        context.emulator.fault({ ...fault, method, times: Infinity });
        const program = declareEach(groups);
        const { errors } = await context.up(program);
        assert.match(errors, new RegExp(`Cannot \\w+ user group "acme": .+\\. \\S.+ \\[${code}\\]`));
        for (const secret of [context.emulator.apiToken, "Acme", "sales"])
          assert(!errors.includes(secret), errors);
        const attempts = context.emulator.requests.filter((each) => each.fault).length;
        assert.equal(attempts > 1, isRetried, `${attempts} attempts`);
        context.heal();
        await context.applies(program);
        assert.deepEqual([...context.emulator.groups.keys()], Object.keys(groups));
        assert.equal((await context.group("acme"))?.token, context.token("acme"));
        assert(await context.isUpToDate(program));
      }
    });

  for (const [what, harmless] of [
    ["no team_id", changedField("user_group.team_id")],
    ["properties null", changedField("user_group.properties", null)],
    ["an unknown field", changedField("user_group.plan", { seats: [1] })],
  ] as const)
    behavior(`${what}: none`, service, async (context) => {
      context.emulator.fault({ ...harmless, times: Infinity });
      await context.applies(declareEach({ acme }));
      assert.equal((await context.group("acme"))?.token, context.token("acme"));
    });
});

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

  behavior("is reported once for each cause", { engine: "never" }, async (context) => {
    context.emulator.fault({ kind: "status", status: 503, times: 12 });
    const { infos } = await context.applies(declareMany(many(12, acme)));
    const reports = infos.filter((line) => line.includes("first attempt"));
    assert.match(reports.join("\n"), /^.*user group "t\d+".*status 503.* retrying for up to 5 s\.$/);
  });
});
