/** What `doctor --probe` says of a service, and that it leaves no group, or names it. */
import assert from "node:assert/strict";
import {
  startEmulator,
  type Emulator,
  type EmulatorOptions,
  type GroupValues,
} from "../../../provider/src/testing";
import { runCommand, type CommandResult } from "./runCommand";

const mapping = { sales: "warehouse" };
const options = ["--data-source", mapping.sales, "--mapping", JSON.stringify(mapping)];
const keepsAll = "Get-or-create keeps the name and properties of an existing group";
const gone = "The deletion of a group that is gone is refused (status 200)";
const newToken = (userGroupId: string) => `token-of-${userGroupId}`;

describe("doctor --probe says of a service", () => {
  const readings: [said: string, service: EmulatorOptions, unsaid?: string][] = [
    [keepsAll, {}, "gets its former token"],
    ["nothing stored was seen", { response: "requested" }, keepsAll],
    ["for a group without them, the field properties is absent.", { emptyProperties: "absent" }],
    ["for a group without them, the field properties is null.", { emptyProperties: "null" }],
    ["created again gets its former token", { newToken }],
    ["Each get-or-create returns another token, so each pulumi refresh", { existingToken: "replace" }],
    [`A deletion needs only user_group_id. ${gone}`, { deleteNeeds: ["user_group_id"] }],
    [`A deletion needs only current_token. ${gone}`, { deleteNeeds: ["current_token"] }],
    [`A deletion needs user_group_id and current_token. ${gone}`, {}],
    [
      `A deletion needs user_group_id, current_token and data_source_provided_id. ${gone}`,
      { deleteNeeds: ["user_group_id", "current_token", "data_source_provided_id"] },
    ],
  ];
  for (const [said, service, unsaid = "Use changes: update"] of readings)
    it(`with ${JSON.stringify(service)}: ${said}`, () =>
      withService(service, async ({ probe, assertClean }) => {
        const { code, out } = await probe({ flags: options });
        assert.equal(code, 0, out);
        assert(out.includes(said) && !out.includes(unsaid), out);
        assert.match(out, /Use changes: replace \(the default\), maxConnections: 16 \(the default\)/);
        assertClean();
      }));

  /** The values that an existing group has and those of the request → the values to store. */
  const updates: Readonly<Record<string, (stored: GroupValues, sent: GroupValues) => GroupValues>> = {
    "updates the name and properties": (_, sent) => sent,
    "merges properties": (stored, sent) => ({
      ...sent,
      properties: { ...stored.properties, ...sent.properties },
    }),
    "updates the name": ({ properties = {} }, sent) => ({ ...sent, properties }),
    "updates the properties": ({ name }, sent) => ({ ...sent, name }),
  };
  for (const [said, update] of Object.entries(updates))
    it(`that returns a group for its ID alone: ${said}`, () =>
      withService({ existing: "update" }, async ({ emulator, probe, assertClean }) => {
        emulator.configure({
          normalize: (sent) => update(emulator.groups.get(sent.userGroupId) ?? sent, sent),
        });
        emulator.fault({
          ...{ kind: "respond", method: "GET", times: Infinity },
          respond(response) {
            const [group] = emulator.groups.values();
            if (!group || response.body !== '{"success":0}') return response;
            const user_group = { ...group, provided_id: group.userGroupId };
            return { ...response, body: JSON.stringify({ success: 1, new_user_group: false, user_group }) };
          },
        });
        const { out } = await probe({ flags: options });
        assert(out.includes(said), out);
        assert.equal(out.includes("Use changes: update"), said === "updates the name and properties", out);
        assertClean();
      }));

  const ours = '{"success":0,"message":"quota exceeded"}';
  const theirs =
    '{"success":1,"new_user_group":true,"user_group":{"token":"t0ken","name":"B","provided_id":"b"}}';
  const failures: [said: string, status: number, body: string, method?: "DELETE"][] = [
    ["The API token isn't accepted (status 401)", 401, '{"success":0}'],
    ["Something between here and the service may refuse a GET with a body", 403, "<html>"],
    ["Nothing was found at the address (status 404)", 404, ours],
    [
      'refused to create a group (status 200): "quota exceeded".\n         If its groups need a map',
      200,
      ours,
    ],
    ['refused to create a group (status 403): "[secret]".', 403, '{"success":0,"error":"ProbeOne  Name "}'],
    ["isn't that of a user group with the ID of the request (status 200)", 200, theirs],
    ["No deletion was seen to succeed.", 200, '{"success":1}', "DELETE"],
  ];
  for (const [said, status, body, method = "GET"] of failures)
    it(`that responds to each ${method} with ${status} ${body}: ${said}`, () =>
      withService({}, async ({ emulator, probe }) => {
        const respond = () => ({ status, headers: {}, body });
        emulator.fault({ kind: "respond", method, when: "before", times: Infinity, respond });
        const { code, out } = await probe();
        assert.equal(code, 1);
        assert(out.includes(said), out);
        assert(!emulator.requests.some(({ body: sent }) => JSON.stringify(sent).includes("t0ken")));
        assert.equal(/Delete it: .* --group probe-\w{10}$/m.test(out), ![401, 404].includes(status), out);
      }));
});

describe("doctor --probe", () => {
  it("says before the first request what it does, and does nothing without consent", () =>
    withService({}, async ({ emulator, probe }) => {
      const { err, out } = await probe({ confirmed: false });
      assert.match(err, /creates the user group probe-\w{10} at http:.*changes it and deletes it\.$/);
      assert.match(out, /unknown +The service wasn't tested: neither its address nor the API token\./);
      assert.deepEqual(emulator.requests, []);
    }));

  it("interrupted after any request, deletes its group", async () => {
    for (let requests = 1; requests < 10; requests += 1)
      await withService({}, async ({ probe, assertClean }) => {
        const { code, out } = await probe({ interruptedAfter: requests });
        assert.equal(code, 1);
        assert.match(out, /failed +The probe ended early: it was interrupted\./);
        assertClean();
      });
  });

  for (const times of [1, Infinity])
    it(`deletes or names the group of a creation that took effect and has status 409, ${times} times`, () =>
      withService({}, async ({ emulator, probe }) => {
        const respond = () => ({ status: 409, headers: {}, body: '{"success":0}' });
        emulator.fault({ kind: "respond", method: "GET", times, respond });
        const { code, out } = await probe();
        const [id] = emulator.groups.keys();
        assert.deepEqual([code, id === undefined], [1, times === 1]);
        if (id !== undefined) assert.match(out, new RegExp(`Delete it: .* --group ${id}$`, "m"));
      }));

  it("deletes with --group and --data-source the group that it couldn't delete", () =>
    withService(
      { deleteNeeds: ["data_source_provided_id", "user_group_id"] },
      async ({ emulator, probe }) => {
        const { code, out } = await probe({ flags: ["--mapping", JSON.stringify(mapping)] });
        const [id = ""] = emulator.groups.keys();
        assert.equal(code, 1);
        assert.match(out, new RegExp(`add --data-source\\. Delete it: npx .* --group ${id} --mapping`));
        for (const said of ["doesn't exist any more", "didn't exist, and get-or-create created it"]) {
          const removed = await probe({ flags: ["--group", id, "--data-source", mapping.sales] });
          assert.deepEqual([removed.code, emulator.groups.size], [0, 0]);
          assert(removed.out.includes(said), removed.out);
        }
      },
    ));

  it("doubts that its group is gone only if a request may have reached the service", async () => {
    const service = await startEmulator();
    const environment = { USER_GROUPS_BASE_URL: service.baseUrl, USER_GROUPS_API_TOKEN: "t" };
    const outputOf = async (...flags: string[]) =>
      (await runCommand(["doctor", "--probe", ...flags], { environment })).out;
    service.fault({ kind: "drop", when: "before", times: Infinity });
    assert.match(await outputOf(), /probe-\w+ may still exist/);
    await service.stop();
    assert.doesNotMatch(await outputOf(), /may still exist/);
    assert.match(await outputOf("--group", "probe-0123456789"), /probe-0123456789 may still exist/);
  });
});

interface ProbeOptions {
  readonly confirmed?: boolean;
  readonly interruptedAfter?: number;
  readonly flags?: readonly string[];
}

interface Service {
  readonly emulator: Emulator;
  readonly probe: (options?: ProbeOptions) => Promise<CommandResult>;
  /** No group is left, after at most fourteen requests. */
  readonly assertClean: () => void;
}

async function withService(
  options: EmulatorOptions,
  test: (service: Service) => Promise<void>,
): Promise<void> {
  let onRequest: () => void = () => undefined;
  const log = () => {
    onRequest();
  };
  const emulator = await startEmulator({ ...options, log });
  const environment = { USER_GROUPS_BASE_URL: emulator.baseUrl, USER_GROUPS_API_TOKEN: emulator.apiToken };
  const probe: Service["probe"] = ({ confirmed = true, interruptedAfter = Infinity, flags = [] } = {}) => {
    const interrupted = new Promise<void>((resolve) => {
      onRequest = () => {
        if (emulator.requests.length >= interruptedAfter) resolve();
      };
    });
    const args = ["doctor", "--probe", ...flags];
    return runCommand(args, { environment, confirmed, interrupted: () => interrupted });
  };
  const assertClean = () => {
    assert.equal(emulator.groups.size, 0);
    assert(emulator.requests.length <= 14, `${emulator.requests.length} requests`);
  };
  try {
    await test({ emulator, probe, assertClean });
  } finally {
    await emulator.stop();
  }
}
