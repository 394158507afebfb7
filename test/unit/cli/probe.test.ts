import assert from "node:assert/strict";
import {
  startEmulator,
  type Emulator,
  type EmulatorOptions,
  type GroupValues,
} from "../../../provider/src/testing";
import { runCommand, type CommandResult } from "./runCommand";

const otherGroup = `{"success":1,"new_user_group":true,"user_group":{"token":"t0ken","name":"Globex","provided_id":"globex"}}`;

/** Services that update existing groups: the values that they stored first and those of the request → the values to store. */
const updates = {
  "updates the name and properties": (_: GroupValues, sent: GroupValues) => sent,
  "merges properties": (stored: GroupValues, sent: GroupValues) => ({
    ...sent,
    properties: { ...stored.properties, ...sent.properties },
  }),
  "updates the name": ({ properties = {} }: GroupValues, sent: GroupValues) => ({ ...sent, properties }),
  "updates the properties": ({ name }: GroupValues, sent: GroupValues) => ({ ...sent, name }),
} as const;

describe("doctor --probe says only what it saw", () => {
  const mapping = { sales: "warehouse" };
  const flags = ["--data-source", mapping.sales, "--mapping", JSON.stringify(mapping)];
  const reading = (
    options: EmulatorOptions,
    test: (out: string) => void,
    prepare?: (emulator: Emulator) => void,
  ) =>
    withService(options, async (service) => {
      prepare?.(service.emulator);
      const { code, out } = await service.probe({ flags });
      assert.equal(code, 0, out);
      service.assertClean();
      test(out);
    });

  for (const [what, update] of Object.entries(updates))
    it(`of a service that ${what}, and returns a group for its ID alone`, () =>
      reading(
        { existing: "update" },
        (out) => {
          assert(out.includes(what), out);
          assert.equal(out.includes("Use changes: update"), what === "updates the name and properties", out);
        },
        (emulator) => {
          const normalize = (sent: GroupValues) =>
            update(emulator.groups.get(sent.userGroupId) ?? sent, sent);
          emulator.configure({ normalize });
          emulator.fault({
            ...{ kind: "respond", method: "GET", times: Infinity },
            respond: (response) => {
              const [group] = emulator.groups.values();
              if (!group || response.body !== '{"success":0}') return response;
              const user_group = { ...group, provided_id: group.userGroupId };
              const body = JSON.stringify({ success: 1, new_user_group: false, user_group });
              return { ...response, body };
            },
          });
        },
      ));

  for (const response of ["stored", "requested"] as const)
    it(`of a service that keeps values, and shows those that are ${response}`, () =>
      reading({ response }, (out) => {
        assert.equal(out.includes("keeps the name and properties"), response === "stored", out);
        assert.equal(out.includes("nothing stored was seen"), response === "requested", out);
        assert.match(out, /Use changes: replace/);
      }));

  for (const [needed, ...deleteNeeds] of [
    ["only user_group_id", "user_group_id"],
    ["only current_token", "current_token"],
    ["user_group_id and current_token", "user_group_id", "current_token"],
    [
      "user_group_id, current_token and data_source_provided_id",
      ...(["user_group_id", "current_token", "data_source_provided_id"] as const),
    ],
  ] as const)
    it(`of a service whose deletions need ${needed}`, () =>
      reading({ deleteNeeds }, (out) => {
        const gone = "The deletion of a group that is gone is refused (status 200)";
        assert(out.includes(`A deletion needs ${needed}. ${gone}`), out);
      }));

  it("of a service whose tokens come again or change", async () => {
    const newToken = (userGroupId: string) => `token-of-${userGroupId}`;
    const changes = "Each get-or-create returns another token, so each pulumi refresh";
    for (const [options, claims] of [
      [{ newToken }, [true, false]],
      [{ existingToken: "replace" }, [false, true]],
      [{}, [false, false]],
    ] as const)
      await reading(options, (out) => {
        const said = [out.includes("created again gets its former token"), out.includes(changes)];
        assert.deepEqual(said, claims, out);
      });
  });

  it("and names the group that it can't delete without --data-source", () =>
    withService({ deleteNeeds: ["data_source_provided_id", "user_group_id"] }, async (service) => {
      const { code, out } = await service.probe({ flags: ["--mapping", JSON.stringify(mapping)] });
      assert.equal(code, 1);
      assert.match(out, /No deletion was seen to succeed\.\n.*set --data-source to the ID of a data source/);
      const [id = ""] = service.emulator.groups.keys();
      const command = `If deletions need data_source_provided_id, add --data-source. Delete it: npx pulumi-user-groups doctor --probe --group ${id}`;
      assert(out.includes(command), out);
      const removed = await service.probe({ flags: ["--group", id, "--data-source", mapping.sales] });
      assert.deepEqual([removed.code, service.emulator.groups.size], [0, 0]);
    }));

  it("and leaves no group behind for an ID that never existed", () =>
    withService({}, async (service) => {
      const { code, out } = await service.probe({ flags: ["--group", "probe-0123456789"] });
      assert.deepEqual([code, service.emulator.groups.size], [0, 0]);
      assert.match(
        out,
        /didn't exist, and get-or-create created it\.\n.*probe-0123456789 doesn't exist any more/,
      );
    }));
});

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
      /refused to create a group \(status 200\): "quota exceeded"\.\n +If its groups need a mapping, set --mapping\./,
    ],
    [
      403,
      '{"success":0,"error":"ProbeOne  Name "}',
      /refused to create a group \(status 403\): "\[secret\]"\./,
    ],
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
