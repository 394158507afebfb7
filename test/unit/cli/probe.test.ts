/** What `doctor --probe` says of a service, and that it leaves no group, or names it. */
import assert from "node:assert/strict";
import type { Emulator, EmulatorOptions, GroupValues } from "../../../provider/testing";
import { until } from "../../support/harness/clock";
import { changedField } from "../../support/harness/responseFaults";
import { emulatorTest } from "../../support/harness/emulatorTest";
import { runCommand, type CommandOptions } from "./runCommand";

const mapping = { sales: "warehouse" };
const options = ["--data-source", mapping.sales, "--mapping", JSON.stringify(mapping)];
const keeps = /keeps the name of an existing group\.\nok +Get-or-create keeps the properties of/;
const updates = /updates the name of an existing group\.\nok +Get-or-create updates the properties of/;

describe("doctor --probe says of a service", () => {
  const readings: [said: RegExp, service: EmulatorOptions][] = [
    [keeps, {}],
    [/may update the name .* nothing stored was seen\.\n/, { response: "requested" }],
    [/may update the properties .* nothing stored was seen\.\n/, { existing: "update" }],
    [/created again gets its former token/, { newToken: (userGroupId) => `token-of-${userGroupId}` }],
    [/Each get-or-create returns another token, so each pulumi refresh/, { existingToken: "replace" }],
    [/A deletion deletes the group\.\n/, { deleteNeeds: ["data_source_provided_id", "current_token"] }],
  ];
  for (const [said, service] of readings)
    emulatorTest(`with ${JSON.stringify(service)}: ${said.source}`, service, async (emulator) => {
      const { code, out } = await probe(emulator, { flags: options });
      assert.equal(code, 0, out);
      assert.match(out, said);
      assert.match(out, /A request takes \d+ ms\. Use changes: replace \(the default\)\./);
      assertClean(emulator);
    });

  /** The values that an existing group has and those of the request → the values to store. */
  const services: [said: RegExp, update: (stored: GroupValues, sent: GroupValues) => GroupValues][] = [
    [updates, (_, sent) => sent],
    [
      /may update the properties/,
      ({ properties }, sent) => ({ ...sent, properties: { ...properties, ...sent.properties } }),
    ],
    [/keeps the name/, ({ name }, sent) => ({ ...sent, name })],
  ];
  for (const [said, update] of services)
    emulatorTest(`that reads by ID alone: ${said.source}`, { existing: "update" }, async (emulator) => {
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
      assert.match(out, said);
      assert.equal(out.includes("Use changes: update"), said === updates, out);
      assertClean(emulator);
    });

  for (const [isNew, said] of [
    [
      true,
      /failed +The service says of an existing group that it is new\.[^]*unknown +A deletion was reported, but not seen/,
    ],
    [false, /failed +The service says of a group that it has just created that it existed before\./],
  ] as const)
    emulatorTest(`that calls each group new: ${isNew}`, {}, async (emulator) => {
      emulator.fault({ ...changedField("new_user_group", isNew), method: "GET", times: Infinity });
      const { code, out } = await probe(emulator, { flags: options });
      assert.equal(code, 1, out);
      assert.match(out, said);
      assert.equal(out.includes("A deletion deletes the group"), false, out);
    });

  const quota = '{"success":0,"message":"quota exceeded"}';
  const other =
    '{"success":1,"new_user_group":true,"user_group":{"token":"t0ken","name":"B","provided_id":"b"}}';
  /** The sentences are those of `up`. */
  const failures: [said: RegExp, status: number, body: string, method?: "DELETE"][] = [
    [/the API token was not accepted.*status 401 /, 401, '{"success":0}'],
    [/not permitted: "\[secret\]" \(status 403 /, 403, '{"success":0,"error":"probe-one"}'],
    [/the service refused .*: "quota exceeded" .*\n +If its groups need a mapping, set --m/, 200, quota],
    [/the response is for another group/, 200, other],
    [/delete .* was not permitted: "quota exceeded" \(status 403 to DELETE .*permis/, 403, quota, "DELETE"],
    [/the service refused .*: "quota ex.*\n +If deletions need data_source_pr/, 200, quota, "DELETE"],
    [/No deletion was seen to delete the group\.\n +If deletions need/, 200, '{"success":1}', "DELETE"],
  ];
  for (const [said, status, body, method = "GET"] of failures)
    emulatorTest(
      `that responds to each ${method} with ${status} ${body}: ${said.source}`,
      {},
      async (emulator) => {
        const respond = () => ({ status, headers: {}, body });
        emulator.fault({ kind: "respond", method, when: "before", times: Infinity, respond });
        const { code, out } = await probe(emulator);
        assert.equal(code, 1);
        assert.match(out, said);
        assert(!emulator.requests.some(({ body: sent }) => JSON.stringify(sent).includes("t0ken")));
        assert.equal(/probe-\w{10} may still exist/.test(out), method === "DELETE" || status === 200, out);
      },
    );
});

describe("doctor --probe", () => {
  emulatorTest("says what it does, and sends nothing without consent", {}, async (emulator) => {
    const { err, out } = await probe(emulator, { confirmed: false });
    assert.match(err, /creates the user group probe-\w{10} at http:.*changes it and deletes it\.$/);
    assert.match(out, /unknown +The service wasn't tested: neither its address nor the API token\./);
    assert.deepEqual(emulator.requests, []);
  });

  for (let requests = 1; requests < 4; requests += 1)
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
        if (id !== undefined)
          assert(out.includes(`${id} may still exist.\n         Delete it, as docs/`), out);
      },
    );
});

interface ProbeOptions extends Pick<CommandOptions, "confirmed" | "interrupted"> {
  readonly flags?: readonly string[];
}

function probe({ baseUrl, apiToken }: Emulator, { flags = [], ...options }: ProbeOptions = {}) {
  const environment = { USER_GROUPS_BASE_URL: baseUrl, USER_GROUPS_API_TOKEN: apiToken };
  return runCommand(["doctor", "--probe", ...flags], { environment, ...options });
}

/** No group is left, after at most ten requests. */
function assertClean({ groups, requests }: Emulator): void {
  assert.equal(groups.size, 0);
  assert(requests.length <= 10, `${requests.length} requests`);
}
