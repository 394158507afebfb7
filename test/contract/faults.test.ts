/** How operations end with each fault of the way to the service: with which code, after how many attempts, and that the next `up` heals all. */
import assert from "node:assert/strict";
import type { FaultKind } from "../../provider/src/testing";
import { many } from "../harness/providers";
import {
  changedBody,
  changedField,
  cutOff,
  drip,
  htmlPage,
  noResponse,
  otherGroup,
  padded,
  redirect,
  switchesProtocols,
} from "../harness/responseFaults";
import { groupsIn, type GroupValues } from "../model/groups";
import { acme, behavior, both, declareEach, declareMany, inModel, renamed, type Declare } from "./contract";
import { fails, succeeds, type StackContext } from "./stackContext";

type Row = readonly [what: string, fault: FaultKind];

/** Faults of a moment, which another attempt may not meet. */
const retried: Readonly<Record<string, readonly Row[]>> = {
  "connection-failed": [
    ["a connection closed before the effect", { kind: "drop", when: "before" }],
    ["a connection closed after the effect", { kind: "drop", when: "after" }],
    ["a connection closed inside the response", cutOff()],
    ["truncated JSON", changedBody((body) => body.slice(0, -2))],
  ],
  "timed-out": [
    ["no response", noResponse()],
    ["a response that drips", drip(500)],
  ],
  "unexpected-status": [
    ["408", { kind: "status", status: 408 }],
    ["429", { kind: "status", status: 429 }],
    ["500", { kind: "status", status: 500 }],
    ["503 after the effect", { kind: "status", status: 503, when: "after" }],
  ],
};

const final: typeof retried = {
  "service-refused": [["success 0", { kind: "refuse" }]],
  "not-found": [["404", { kind: "status", status: 404 }]],
  unauthorized: [
    ["401", { kind: "status", status: 401 }],
    ["403", { kind: "status", status: 403 }],
  ],
  "unexpected-status": [
    ["418", { kind: "status", status: 418 }],
    ["501", { kind: "status", status: 501 }],
  ],
  redirected: [["a redirect", redirect("http://127.0.0.1:9/")]],
  "response-too-large": [["a response of 2 MiB", padded(2 ** 21)]],
  "response-invalid": [
    ["a page of HTML", htmlPage()],
    ["an empty body", changedBody("")],
    ["a list", changedBody((body) => `[${body}]`)],
    ["no success", changedField("success")],
    ["success of a wrong type", changedField("success", true)],
  ],
};

/** Of get-or-create only. */
const finalOfGroups: typeof retried = {
  "response-invalid": [
    ["no token", changedField("user_group.token")],
    ["a name null", changedField("user_group.name", null)],
    ["new_user_group of a wrong type", changedField("new_user_group", "true")],
    ["a name that no state can hold", changedField("user_group.name", "Ac\udc00me")],
  ],
  "unexpected-status": [["101", switchesProtocols()]],
  "wrong-group": [["another group's response", otherGroup({ groups: new Map() })]],
};

const harmless: readonly Row[] = [
  ["a byte-order mark before the JSON", changedBody((body) => `\uFEFF${body}`)],
  ["no team_id", changedField("user_group.team_id")],
  ["properties null", changedField("user_group.properties", null)],
  ["empty properties", changedField("user_group.properties", {})],
  ["an unknown field", changedField("user_group.plan", { seats: [1] })],
];

/** One after the other: the request that the fault hits, how the setting `changes` is, and the group that the program declares then. */
const operations = [
  { method: "GET", changes: "replace", groups: { acme } },
  { method: "GET", changes: "update", groups: { acme: renamed } },
  { method: "DELETE", changes: "replace", groups: {} },
] as const;

describe("contract: each fault, in a creation, an update and a deletion", () => {
  for (const [code, rows] of Object.entries(retried))
    for (const row of rows) ends(row, { code, isRetried: true });
  for (const [code, rows] of Object.entries(final)) for (const row of rows) ends(row, { code });
  for (const [code, rows] of Object.entries(finalOfGroups))
    for (const row of rows) ends(row, { code, method: "GET" });
  for (const row of harmless) ends(row, {});
});

interface Ending {
  /** undefined: the operation succeeds. */
  readonly code?: string;
  readonly isRetried?: boolean;
  readonly method?: "GET";
}

function ends([what, fault]: Row, { code, isRetried = false, method }: Ending): void {
  const title = code === undefined ? `${what}: is harmless` : `${what}: ${code}`;
  const options = { existing: "update", drivers: ["provider"] } as const;
  both(title, options, async (context, declare) => {
    for (const operation of operations.filter((each) => !method || each.method === method)) {
      Object.assign(context.settings, { timeout: "1", changes: operation.changes });
      context.emulator.fault({ ...fault, method: operation.method, times: Infinity });
      const program = declare(operation.groups);
      const run = await context.up(program);
      if (code === undefined) succeeds(run);
      else fails(run, new RegExp(`Cannot \\w+ user group "acme": .+\\. \\S.+ \\[${code}\\]`));
      for (const secret of [context.emulator.apiToken, "Acme", "sales"])
        assert(!run.errors.includes(secret), run.errors);
      const hits = context.emulator.requests.filter((each) => each.fault).length;
      assert.equal(hits > 1, isRetried, `${hits} attempts`);
      context.heal();
      await context.applies(program);
      await agrees(context, declare, operation.groups);
    }
  });
}

/** State and service have the same groups, with the same tokens, and nothing is left to do. */
async function agrees(context: StackContext, declare: Declare, groups: object): Promise<void> {
  const stored = groupsIn(await context.resources());
  assert.deepEqual(stored.map(valuesOf), [...context.emulator.groups.values()].map(valuesOf));
  assert.deepEqual(
    stored.map(({ userGroupId }) => userGroupId),
    Object.keys(groups),
  );
  assert(await context.isUpToDate(declare({ ...groups })));
}

function valuesOf({ userGroupId, name, mapping, properties, token }: GroupValues): unknown[] {
  return [userGroupId, name, mapping, properties, token];
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

  inModel("is reported once for each cause", async (context) => {
    context.emulator.fault({ kind: "status", status: 503, times: 12 });
    const { infos } = await context.applies(declareMany(many(12, acme)));
    const reports = infos.filter((line) => line.includes("first attempt"));
    assert.match(reports.join("\n"), /^.*user group "t\d+".*status 503.* retrying for up to 5 s\.$/);
  });
});
