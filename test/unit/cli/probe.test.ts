/** What `doctor --probe` says of a service, and that it leaves no group, or names it. */
import assert from "node:assert/strict";
import type { Emulator, EmulatorOptions, GroupValues } from "../../../provider/src/testing";
import { until } from "../../harness/clock";
import { emulatorTest } from "../../harness/emulatorTest";
import { runCommand, type CommandOptions } from "./runCommand";

const mapping = { sales: "warehouse" };
const options = ["--data-source", mapping.sales, "--mapping", JSON.stringify(mapping)];
const keepsAll = "Get-or-create keeps the name and properties of an existing group";
const gone = "The deletion of a group that is gone is refused (status 200)";

describe("doctor --probe says of a service", () => {
  const readings: [said: string, service: EmulatorOptions, unsaid?: string][] = [
    [keepsAll, {}, "gets its former token"],
    ["nothing stored was seen", { response: "requested" }, keepsAll],
    ["for a group without them, the field properties is null.", { emptyProperties: "null" }],
    ["created again gets its former token", { newToken: (userGroupId) => `token-of-${userGroupId}` }],
    ["Each get-or-create returns another token, so each pulumi refresh", { existingToken: "replace" }],
    [`A deletion needs only user_group_id. ${gone}`, { deleteNeeds: ["user_group_id"] }],
    [`A deletion needs user_group_id and current_token. ${gone}`, {}],
  ];
  for (const [said, service, unsaid = "Use changes: update"] of readings)
    emulatorTest(`with ${JSON.stringify(service)}: ${said}`, service, async (emulator) => {
      const { code, out } = await probe(emulator, { flags: options });
      assert.equal(code, 0, out);
      assert(out.includes(said) && !out.includes(unsaid), out);
      assert.match(out, /Use changes: replace \(the default\), maxConnections: 16 \(the default\)/);
      assertClean(emulator);
    });

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
    emulatorTest(`that reads by ID alone: ${said}`, { existing: "update" }, async (emulator) => {
      const normalize = (sent: GroupValues) => update(emulator.groups.get(sent.userGroupId) ?? sent, sent);
      emulator.configure({ normalize });
      emulator.fault({
        ...{ kind: "respond", method: "GET", times: Infinity },
        respond(response) {
          const [group] = emulator.groups.values();
          if (!group || response.body !== '{"success":0}') return response;
          const user_group = { ...group, provided_id: group.userGroupId };
          return { ...response, body: JSON.stringify({ success: 1, new_user_group: false, user_group }) };
        },
      });
      const { out } = await probe(emulator, { flags: options });
      assert(out.includes(said), out);
      assert.equal(out.includes("Use changes: update"), said === "updates the name and properties", out);
      assertClean(emulator);
    });

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
    emulatorTest(`that responds to each ${method} with ${status} ${body}: ${said}`, {}, async (emulator) => {
      const respond = () => ({ status, headers: {}, body });
      emulator.fault({ kind: "respond", method, when: "before", times: Infinity, respond });
      const { code, out } = await probe(emulator);
      assert.equal(code, 1);
      assert(out.includes(said), out);
      assert(!emulator.requests.some(({ body: sent }) => JSON.stringify(sent).includes("t0ken")));
      assert.equal(/Delete it: .* --group probe-\w{10}$/m.test(out), ![401, 404].includes(status), out);
    });
});

describe("doctor --probe", () => {
  emulatorTest("says what it does, and sends nothing without consent", {}, async (emulator) => {
    const { err, out } = await probe(emulator, { confirmed: false });
    assert.match(err, /creates the user group probe-\w{10} at http:.*changes it and deletes it\.$/);
    assert.match(out, /unknown +The service wasn't tested: neither its address nor the API token\./);
    assert.deepEqual(emulator.requests, []);
  });

  for (let requests = 1; requests < 10; requests += 1)
    emulatorTest(`interrupted after request ${requests}, cleans up`, { latency: 5 }, async (emulator) => {
      const interrupted = () => until(() => emulator.requests.length >= requests);
      const { code, out } = await probe(emulator, { interrupted });
      assert.equal(code, 1);
      assert.match(out, /failed +The probe ended early: it was interrupted\./);
      assertClean(emulator);
    });

  for (const times of [1, Infinity])
    emulatorTest(
      `cleans up after ${times} creations with status 409, or names the group`,
      {},
      async (emulator) => {
        const respond = () => ({ status: 409, headers: {}, body: '{"success":0}' });
        emulator.fault({ kind: "respond", method: "GET", times, respond });
        const { code, out } = await probe(emulator);
        const [id] = emulator.groups.keys();
        assert.deepEqual([code, id === undefined], [1, times === 1]);
        if (id !== undefined) assert.match(out, new RegExp(`Delete it: .* --group ${id}$`, "m"));
      },
    );

  const deleteNeeds: EmulatorOptions["deleteNeeds"] = ["data_source_provided_id", "user_group_id"];
  emulatorTest(
    "deletes the group that it left, once it has --data-source",
    { deleteNeeds },
    async (emulator) => {
      const { code, out } = await probe(emulator, { flags: ["--mapping", JSON.stringify(mapping)] });
      const [id = ""] = emulator.groups.keys();
      assert.equal(code, 1);
      assert.match(out, new RegExp(`add --data-source\\. Delete it: npx .* --group ${id} --mapping`));
      for (const said of ["doesn't exist any more", "didn't exist, and get-or-create created it"]) {
        const removed = await probe(emulator, { flags: ["--group", id, "--data-source", mapping.sales] });
        assert.deepEqual([removed.code, emulator.groups.size], [0, 0]);
        assert(removed.out.includes(said), removed.out);
      }
    },
  );

  emulatorTest("doubts that its group is gone if a request may have arrived", {}, async (emulator) => {
    const mayExist = async (options?: ProbeOptions) => {
      return /probe-\w+ may still exist/.test((await probe(emulator, options)).out);
    };
    emulator.fault({ kind: "drop", when: "before", times: Infinity });
    assert.equal(await mayExist(), true);
    await emulator.stop();
    assert.equal(await mayExist(), false);
    assert.equal(await mayExist({ flags: ["--group", "probe-0123456789"] }), true);
  });
});

interface ProbeOptions extends Pick<CommandOptions, "confirmed" | "interrupted"> {
  readonly flags?: readonly string[];
}

function probe({ baseUrl, apiToken }: Emulator, { flags = [], ...options }: ProbeOptions = {}) {
  const environment = { USER_GROUPS_BASE_URL: baseUrl, USER_GROUPS_API_TOKEN: apiToken };
  return runCommand(["doctor", "--probe", ...flags], { environment, ...options });
}

/** No group is left, after at most fourteen requests. */
function assertClean({ groups, requests }: Emulator): void {
  assert.equal(groups.size, 0);
  assert(requests.length <= 14, `${requests.length} requests`);
}
