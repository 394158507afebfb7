import assert from "node:assert/strict";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../../provider/src/testing";
import { runCommand, type CommandResult } from "./runCommand";
import { deletions, existing, mapping, SmallService, type Behavior } from "./smallService";

const otherGroup = `{"success":1,"new_user_group":true,"user_group":{"token":"t0ken","name":"Globex","provided_id":"globex"}}`;
const keysOf = <Key extends string>(object: Readonly<Record<Key, unknown>>) => Object.keys(object) as Key[];

describe("doctor --probe with services of every kind", () => {
  for (const mode of keysOf(existing))
    for (const response of ["stored", "requested", "trimmed"] as const)
      it(`says only what it saw: ${mode}, shows what is ${response}`, async () => {
        for (const behavior of behaviorsOf(mode, response)) {
          const { result, service } = await probed(behavior);
          const { code, out } = result;
          const context = `${JSON.stringify(behavior)}\n${out}`;
          assert.equal(code, 0, context);
          assert.equal(service.groups.size, 0, context);
          assert(service.requests <= 14, `${service.requests} requests: ${context}`);
          for (const { claim, isTrue } of claimsOf(behavior)) assert(isTrue || !out.includes(claim), context);
          for (const { claim, isTrue } of factsOf(behavior))
            assert.equal(out.includes(claim), isTrue, `${claim}: ${context}`);
        }
      });

  it("reads what the service stores wherever a response shows it", async () => {
    const shows = {
      keeps: "keeps the name and properties",
      merges: "merges properties: one that a request leaves out stays",
    };
    for (const [mode, claim] of [
      ["keeps", shows.keeps],
      ["replaces, reads by the ID alone", "Use changes: update"],
      ["replaces what is sent", "Use changes: update"],
      ["merges", shows.merges],
      ["updates the name", "keeps the properties of"],
      ["updates properties", "keeps the name of"],
    ] as const)
      for (const response of ["stored", "trimmed"] as const) {
        const { result } = await probed({ ...usual, existing: mode, response });
        assert(result.out.includes(claim), `${mode}, ${response}: ${result.out}`);
      }
    const { result } = await probed({ ...usual, existing: "replaces what is sent" });
    assert.match(result.out, /warning +Get-or-create keeps all properties if a request has none/);
  });

  it("names the group that it can't delete without --data-source, and the printed command deletes it with it", async () => {
    const behavior = {
      ...usual,
      deletion: "user_group_id, current_token and data_source_provided_id",
    } as const;
    await withSmallService(behavior, async (service, probe) => {
      const { code, out } = await probe();
      assert.equal(code, 1);
      assert.match(out, /No deletion was seen to succeed\.\n.*set --data-source to the ID of a data source/);
      const [id = ""] = service.groups.keys();
      const command = `If deletions need data_source_provided_id, add --data-source. Delete it: npx pulumi-user-groups doctor --probe --group ${id}`;
      assert(out.includes(command), out);
      const removed = await probe("--group", id, "--data-source", mapping.sales);
      assert.deepEqual([removed.code, service.groups.size], [0, 0]);
    });
  });

  it("says that a refused creation may need a mapping, and prints the command with all options", () =>
    withSmallService({ ...usual, needsMapping: true }, async (_, probe) => {
      const { code, out } = await probe("--data-source", "it's mine");
      assert.equal(code, 1);
      assert.match(
        out,
        /refused to create a group \(status 200\), .*\n +If its groups need a mapping, set --mapping\./,
      );
      assert.doesNotMatch(out, /apiToken and baseUrl/);
      assert.match(out, /--group probe-\w+ --data-source 'it'\\''s mine'$/m);
    }));

  it("leaves no group behind for an ID that never existed", () =>
    withSmallService(usual, async (service, probe) => {
      const { code, out } = await probe("--group", "probe-0123456789");
      assert.deepEqual([code, service.groups.size], [0, 0]);
      assert.match(
        out,
        /probe-0123456789 didn't exist, and get-or-create created it\.\n.*probe-0123456789 doesn't exist any more/,
      );
    }));
});

const usual: Behavior = {
  ...{ existing: "keeps", response: "stored", token: "random", nothing: "refused", refusal: 200 },
  ...{ deletion: "user_group_id and current_token", maxIdLength: 16, needsMapping: false },
};

/** Each token with each deletion, and the rest in turn. */
function behaviorsOf(mode: Behavior["existing"], response: Behavior["response"]): Behavior[] {
  const pairs = (["random", "fresh", "reused"] as const).flatMap((token, one) =>
    keysOf(deletions).map((deletion, other) => ({ token, deletion, isOdd: (one + other) % 2 === 1 })),
  );
  return pairs.map(({ token, deletion, isOdd }, index) => ({
    ...{ ...usual, existing: mode, response, token, deletion },
    nothing: isOdd ? "success" : "refused",
    refusal: [200, 400, 403, 404, 409][index % 5] ?? 200,
    needsMapping: index % 3 === 0,
  }));
}

/** What the probe may say only if it is true. */
function claimsOf({ existing: mode }: Behavior) {
  const before = { name: "One", properties: { kept: 1, removed: 1 } };
  const after = { name: "Two", properties: { kept: 2 } };
  const { name, properties } = existing[mode](before, after);
  const stored = new Map(Object.entries(properties ?? {}));
  const isNamed = name === after.name;
  const isSet = stored.get("kept") === 2;
  const isRemoved = !stored.has("removed");
  return [
    { claim: "keeps the name", isTrue: !isNamed },
    { claim: "updates the name", isTrue: isNamed },
    { claim: "keeps the properties", isTrue: !isSet },
    { claim: "keeps the name and properties", isTrue: !isSet && !isNamed },
    { claim: "updates the properties", isTrue: isSet },
    { claim: "updates the name and properties", isTrue: isNamed && isSet },
    { claim: "merges properties", isTrue: isSet && !isRemoved },
    { claim: "changes: update", isTrue: isNamed && isSet && isRemoved },
  ];
}

/** What the probe says if and only if it is true. */
function factsOf({ token, deletion, nothing }: Behavior) {
  const success = nothing === "success" ? "succeeds (status 200)" : "is refused (status ";
  return [
    { claim: `A deletion needs ${deletion}. The deletion of a group that is gone ${success}`, isTrue: true },
    { claim: "Each get-or-create returns another token, so each pulumi refresh", isTrue: token === "fresh" },
    { claim: "created again gets its former token", isTrue: token === "reused" },
    { claim: "reports success for a deletion that deletes nothing", isTrue: nothing === "success" },
  ];
}

type Run = (...flags: readonly string[]) => Promise<CommandResult>;

async function withSmallService<Result>(
  behavior: Behavior,
  test: (service: SmallService, probe: Run) => Promise<Result>,
): Promise<Result> {
  const service = new SmallService(behavior);
  const environment = { USER_GROUPS_BASE_URL: await service.start(), USER_GROUPS_API_TOKEN: "t" };
  try {
    return await test(service, (...flags) => runCommand(["doctor", "--probe", ...flags], { environment }));
  } finally {
    service.stop();
  }
}

/** Runs the probe with all that the service needs. */
function probed(behavior: Behavior) {
  const flags = ["--data-source", mapping.sales, "--mapping", JSON.stringify(mapping)];
  return withSmallService(behavior, async (service, probe) => ({ service, result: await probe(...flags) }));
}

describe("doctor --probe", () => {
  for (const emptyProperties of ["absent", "null"] as const)
    it(`reads that a group without properties has ${emptyProperties}`, () =>
      withService({ emptyProperties }, async (service) => {
        const { code, out } = await service.probe();
        assert.equal(code, 0, out);
        assert.match(out, /Use changes: replace \(the default\), maxConnections: 16 \(the default\)\.$/m);
        const claim = `Properties are returned; for a group without them, the field properties is ${emptyProperties}.`;
        assert(out.includes(claim), out);
        service.assertClean();
      }));

  it("says before the first request what it does, and does nothing without consent", () =>
    withService({}, async (service) => {
      const { err, out } = await service.probe({ confirmed: false });
      assert.match(err, /creates the user group probe-\w{10} at http:.*changes it and deletes it\.$/);
      assert.match(out, /unknown +The service wasn't tested: neither its address nor the API token\./);
      assert.deepEqual(service.emulator.requests, []);
    }));

  it("reports an API token that isn't accepted, after one request", () =>
    withService({}, async (service) => {
      service.emulator.rotateApiToken();
      const { code, out } = await service.probe();
      assert.equal(code, 1);
      assert.match(out, /failed +The API token isn't accepted \(status 401\)/);
      assert.equal(service.emulator.requests.length, 1);
    }));

  for (const [status, body, expected] of [
    [
      403,
      "<html>Forbidden</html>",
      /isn't that .* \(status 403\): its body is not JSON\.\n.* may refuse a GET with a body/,
    ],
    [
      404,
      '{"success":0,"message":"x"}',
      /Nothing was found at the address \(status 404\)\.\n.* without \/api\/user\./,
    ],
    [
      200,
      '{"success":0,"message":"quota exceeded"}',
      /refused to create a group \(status 200\): "quota exceeded"\./,
    ],
    [
      403,
      '{"success":0,"error":"ProbeOne  Name "}',
      /refused to create a group \(status 403\): "\[secret\]"\./,
    ],
    [200, '{"success":0}', /refused to create a group \(status 200\), and the response has no reason\./],
  ] as const)
    it(`says what the response ${status} ${body} means`, () =>
      withService({}, async (service) => {
        const respond = () => ({ status, headers: {}, body });
        service.emulator.fault({ kind: "respond", method: "GET", when: "before", times: Infinity, respond });
        const { code, out } = await service.probe();
        assert.equal(code, 1);
        assert.match(out, expected);
      }));

  it("leaves no doubt about a group if no request reached a service, and some if one may have", async () => {
    const emulator = await startEmulator();
    const environment = { USER_GROUPS_BASE_URL: emulator.baseUrl, USER_GROUPS_API_TOKEN: "t" };
    const probe = (...flags: string[]) => runCommand(["doctor", "--probe", ...flags], { environment });
    emulator.fault({ kind: "drop", when: "before", times: Infinity });
    assert.match((await probe()).out, /probe-\w+ may still exist/);
    await emulator.stop();
    const refused = await probe();
    assert.equal(refused.code, 1);
    assert.match(refused.out, /failed +The probe ended early: the connection failed \(ECONNREFUSED\)\./);
    assert.doesNotMatch(refused.out, /may still exist/);
    assert.match((await probe("--group", "probe-0123456789")).out, /probe-0123456789 may still exist/);
  });

  it("interrupted after any request, deletes its group", async () => {
    for (let requests = 1; requests < 10; requests += 1)
      await withService({}, async (service) => {
        const { code, out } = await service.probe({ interruptedAfter: requests });
        assert.equal(code, 1);
        assert.match(out, /failed +The probe ended early: it was interrupted\./);
        service.assertClean();
      });
  });

  for (const status of [403, 409])
    for (const times of [1, Infinity])
      it(`deletes or names the group of a creation that took effect and is answered ${status}, ${times} times`, () =>
        withService({}, async (service) => {
          const respond = () => ({ status, headers: {}, body: '{"success":0}' });
          service.emulator.fault({ kind: "respond", method: "GET", times, respond });
          const { code, out } = await service.probe();
          const [id] = service.emulator.groups.keys();
          assert.deepEqual([code, id === undefined], [1, times === 1]);
          if (id !== undefined) assert.match(out, new RegExp(`Delete it: .* --group ${id}$`, "m"));
        }));

  for (const [method, when, body, expected] of [
    ["DELETE", "before", '{"success":1}', /No deletion was seen to succeed\./],
    ["GET", "after", "<html>", /isn't that of the user group service/],
    ["GET", "after", otherGroup, /isn't that of a user group with the ID of the request/],
  ] as const)
    it(`names the group that it may have left if each ${method} is answered with ${body}`, () =>
      withService({}, async (service) => {
        const respond = () => ({ status: 200, headers: {}, body });
        service.emulator.fault({ kind: "respond", method, when, times: Infinity, respond });
        const { code, out } = await service.probe();
        assert.deepEqual([code, service.emulator.groups.size], [1, 1]);
        assert.match(out, expected);
        assert.match(out, /Delete it: npx pulumi-user-groups doctor --probe --group/);
        assert(!service.emulator.requests.some(({ body }) => JSON.stringify(body).includes("t0ken")));
        assert.doesNotMatch(out, /normalizes|never returned/);
      }));
});

interface ProbeOptions {
  readonly confirmed?: boolean;
  readonly interruptedAfter?: number;
  readonly flags?: readonly string[];
}

interface Service {
  readonly emulator: Emulator;
  probe(options?: ProbeOptions): Promise<CommandResult>;
  /** No group is left, after at most fourteen requests. */
  assertClean(): void;
}

async function withService(
  options: EmulatorOptions,
  test: (service: Service) => Promise<void>,
): Promise<void> {
  let onRequest: () => void = () => undefined;
  const emulator = await startEmulator({
    ...options,
    log: () => {
      onRequest();
    },
  });
  const environment = { USER_GROUPS_BASE_URL: emulator.baseUrl, USER_GROUPS_API_TOKEN: emulator.apiToken };
  try {
    await test({
      emulator,
      probe({ confirmed = true, interruptedAfter = Infinity, flags = [] } = {}) {
        const interrupted = new Promise<void>((resolve) => {
          onRequest = () => {
            if (emulator.requests.length >= interruptedAfter) resolve();
          };
        });
        return runCommand(["doctor", "--probe", ...flags], { environment, confirmed, interrupted });
      },
      assertClean() {
        assert.equal(emulator.groups.size, 0);
        assert(emulator.requests.length <= 14, `${emulator.requests.length} requests`);
      },
    });
  } finally {
    await emulator.stop();
  }
}
