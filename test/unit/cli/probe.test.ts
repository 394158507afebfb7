import assert from "node:assert/strict";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../../provider/src/testing";
import { runCommand, type CommandResult } from "./runCommand";

const keeps = "Get-or-create keeps the name and properties of an existing group, and returns what is stored.";
const unclear =
  "Get-or-create returns requested values of an existing group: it updates the group, or only repeats";
const both = "A deletion needs user_group_id and current_token.";

const deletions: [NonNullable<EmulatorOptions["deleteNeeds"]>, needs: string][] = [
  [["user_group_id"], "A deletion needs only user_group_id."],
  [["current_token"], "A deletion needs only current_token."],
  [[], "A deletion needs only user_group_id, or only current_token."],
  [["current_token", "user_group_id"], both],
  [
    ["current_token", "user_group_id", "data_source_provided_id"],
    "A deletion needs user_group_id, current_token and data_source_provided_id.",
  ],
];

const otherGroup = `{"success":1,"new_user_group":true,"user_group":{"token":"t0ken","name":"Globex","provided_id":"globex"}}`;

describe("doctor --probe", () => {
  for (const existing of ["keep", "update"] as const)
    for (const response of ["stored", "requested"] as const)
      for (const emptyProperties of ["absent", "null"] as const)
        for (const [deleteNeeds, needs] of deletions)
          it(`recognizes ${existing}, ${response}, ${emptyProperties}, ${deleteNeeds.join("+") || "any deletion"}`, () =>
            withService({ existing, response, emptyProperties, deleteNeeds }, async (service) => {
              const { code, out } = await service.probe();
              assert.equal(code, 0, out);
              // A response that repeats the request is that of a service that updates: nobody can tell them apart.
              assert(out.includes(existing === "keep" && response === "stored" ? keeps : unclear), out);
              assert(
                out.includes("Use changes: replace (the default), maxConnections: 16 (the default)"),
                out,
              );
              assert(
                out.includes(`for a group without them, the field properties is ${emptyProperties}.`),
                out,
              );
              assert(out.includes("Properties are returned;"), out);
              assert(out.includes(needs), out);
              assert(out.includes("The deletion of a group that is gone is refused (status 200)."), out);
              service.assertClean();
            }));

  it("recognizes a service that updates by what it normalizes, and proposes changes: update", () =>
    withService(
      { existing: "update", normalize: ({ name, ...values }) => ({ ...values, name: name.trim() }) },
      async (service) => {
        const { out } = await service.probe();
        assert.match(out, /ok .*Get-or-create updates the name and properties.*\n/);
        assert.match(out, /The service normalizes values/);
        assert.match(out, /Use changes: update, maxConnections/);
        service.assertClean();
      },
    ));

  it("says before the first request what it does, and does nothing without consent", () =>
    withService({}, async (service) => {
      const { err, out } = await service.probe({ confirmed: false });
      assert.match(
        err,
        /creates the user group pulumi-user-groups-probe-\w+ at http:.*changes it and deletes it\.$/,
      );
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

  it("interrupted after any request, deletes its group", async () => {
    for (let requests = 1; requests < 9; requests += 1)
      await withService({}, async (service) => {
        const { code, out } = await service.probe({ interruptedAfter: requests });
        assert.equal(code, 1);
        assert.match(out, /failed +The probe ended early: it was interrupted\./);
        service.assertClean();
      });
  });

  it("names the command that deletes a group which it couldn't delete, and the command does", () =>
    withService({}, async (service) => {
      service.emulator.fault({ kind: "refuse", method: "DELETE", times: Infinity });
      const { code, out } = await service.probe();
      assert.equal(code, 1);
      const [id = ""] = service.emulator.groups.keys();
      assert.match(out, new RegExp(`Delete it: npx pulumi-user-groups doctor --probe --group ${id}$`, "m"));
      service.emulator.clearFaults();
      assert.equal((await service.probe({ flags: ["--group", id] })).code, 0);
      assert.equal(service.emulator.groups.size, 0);
    }));

  for (const [method, when, body, expected] of [
    ["DELETE", "before", '{"success":1}', /No deletion was seen to succeed\./],
    ["GET", "after", "<html>", /isn't that of a user group/],
    ["GET", "after", otherGroup, /isn't that of a user group/],
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
  /** No group is left, after at most ten requests. */
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
        assert(emulator.requests.length <= 10, `${emulator.requests.length} requests`);
      },
    });
  } finally {
    await emulator.stop();
  }
}
