import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { z } from "zod";
import { startEmulator, type Emulator } from "../../../provider/src/testing";
import { canKill, succeeds } from "../harness";
import { crash, program, secrets } from "./secrecyPrograms";
import { SecrecyContext } from "./secrecyContext";
import { redirect } from "../../harness/responseFaults";

/** What docs/security.md says of debug output: the SDK notes what a program gets, the engine what it passes on. */
const inDebugNotes = ["group token", "mapping", "name", "property"];
const inVerboseLog = [...inDebugNotes, "configured API token", "configured property"].sort();

describe("secrecy", () => {
  let context: SecrecyContext;
  let stranger: Emulator;
  before("services and a stack", async () => {
    stranger = await startEmulator();
    context = await SecrecyContext.make({ "index.js": program, "crash.cjs": crash }, secrets);
    const { baseUrl, apiToken } = context.services.eu;
    succeeds(await context.run(["stack", "init", "--no-select"]));
    const plain = ["--plaintext", `user-groups:eu.baseUrl=${baseUrl}`];
    const hidden = [
      ["--secret", `user-groups:eu.apiToken=${apiToken}`],
      ["--secret", `tests:region=${secrets["configured property"]}`],
    ].flat();
    succeeds(await context.run(["config", "set-all", "--path", ...plain, ...hidden]));
  });
  after("their end", async () => {
    await context.end();
    await stranger.stop();
  });

  const up = (flags: readonly string[], tenant: string) =>
    context.run(["up", "--yes", "--skip-preview", ...flags], { TENANT: tenant });
  const assertNone = (text: string) => {
    assert.deepEqual(context.kindsIn(text), []);
  };
  const textOf = (name: string) => fs.readFile(context.file(name), "utf8");

  const previewWithPlan = async (tenant: string) => {
    const command = ["preview", "--diff", "--save-plan", context.file("plan")];
    assertNone(succeeds(await context.run(command, { TENANT: tenant })).output);
    assertNone(await textOf("plan"));
  };

  it("holds for the preview of what isn't there yet, and for its plan", () => previewWithPlan("1"));

  it("holds for an update by that plan, and for state, history and outputs", async () => {
    assertNone(succeeds(await up(["--plan", context.file("plan")], "1")).output);
    for (const command of [
      ["stack", "export"],
      ["stack", "history", "--json"],
      ["stack", "output", "--json"],
    ])
      assertNone(succeeds(await context.run(command)).output);
  });

  it("holds for the preview of a change, also as JSON, and for its plan", async () => {
    await previewWithPlan("2");
    assertNone(succeeds(await context.run(["preview", "--json"], { TENANT: "2" })).output);
  });

  it("holds where a provider meets an error that nobody catches, and where it dies", async () => {
    const env = {
      NODE_OPTIONS: `--require ${context.file("crash.cjs")}`,
      REPORT: context.file("report.json"),
    };
    const { code, output } = await context.run(["refresh", "--yes", "--skip-preview"], env);
    assert.notEqual(code, 0);
    assert.match(output, /no such luck/);
    assertNone(output);
  });

  it("doesn't hold for the environment in a report of Node.js, and does for the rest of it", async () => {
    const { environmentVariables, ...rest } = report.parse(JSON.parse(await textOf("report.json")));
    assert.deepEqual(context.kindsIn(JSON.stringify(environmentVariables)), ["API token", "passphrase"]);
    assertNone(JSON.stringify(rest));
  });

  it("doesn't hold for the SDK's debug notes, in JSON and in an event log, which hold no API token", async () => {
    const { output } = succeeds(await up(["--json", "--event-log", context.file("events")], "2"));
    for (const text of [output, await textOf("events")]) {
      assert.deepEqual(context.kindsIn(text), inDebugNotes);
      assertNone(
        text
          .split("\n")
          .filter((line) => !isDebugNote(line))
          .join("\n"),
      );
    }
  });

  it("doesn't hold with --debug, which shows these notes", async () => {
    assert.deepEqual(context.kindsIn(succeeds(await up(["--debug"], "3")).output), inDebugNotes);
  });

  it("doesn't hold for a verbose log, which has no API token of the environment", async () => {
    const { output } = succeeds(await up(["-v=9", "--logtostderr"], "4"));
    assert.deepEqual(context.kindsIn(output), inVerboseLog);
  });

  it("holds against a service that redirects, and no other host gets a request", async () => {
    for (const service of Object.values(context.services))
      service.fault({ ...redirect(`${stranger.baseUrl}/api/user`), times: Infinity });
    const { code, output } = await up([], "5");
    for (const service of Object.values(context.services)) service.clearFaults();
    assert.notEqual(code, 0);
    assert.match(output, /\[redirected\]/);
    assertNone(output);
    assert.equal(stranger.connections, 0);
  });

  it("holds between services: each is sent its own API token only", () => {
    for (const { requests } of Object.values(context.services)) {
      assert.notEqual(requests.length, 0);
      assert(requests.every(({ authorized }) => authorized));
    }
  });

  it("holds where everything is killed in the middle", async function () {
    if (!canKill) return this.skip();
    const destroy = ["destroy", "--yes", "--skip-preview"];
    const { code, output } = await context.killer.during({ requests: 2 }, () => context.run(destroy));
    assert.equal(code, null);
    assertNone(output);
    assertNone(succeeds(await context.run(["cancel", "--yes"])).output);
  });

  it("holds for the destruction, and for the log of the emulator", async () => {
    assertNone(succeeds(await context.run(["destroy", "--yes", "--skip-preview", "--refresh"])).output);
    for (const { groups } of Object.values(context.services)) assert.equal(groups.size, 0);
    assert.match(context.serviceLog, /"acme"/);
    assertNone(context.serviceLog);
  });
});

const report = z.looseObject({ environmentVariables: z.record(z.string(), z.string()) });

/** Whether a line of JSON is an event with one of the SDK's notes. */
function isDebugNote(line: string): boolean {
  return line.includes('"severity":"debug"');
}
