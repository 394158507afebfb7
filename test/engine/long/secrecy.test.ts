/** What docs/security.md says of tokens and other secrets, in all that the engine prints and writes. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import { z } from "zod";
import { startEmulator, type Emulator, type RequestLogEntry } from "../../../provider/src/testing";
import type { Ended, Environment } from "../../harness/run";
import { canKill, newFixture, packageProgram, ProcessKiller, succeeds } from "../harness";
import { secretsOf } from "../harness/secrets";

const own = {
  name: "s3cret-name",
  mapping: "s3cret-mapping",
  property: "s3cret-property",
  "configured property": "s3cret-configuration",
};
/** The SDK notes what a program gets, the engine what it passes on. */
const inDebugNotes = ["group token", "mapping", "name", "property"];
const inVerboseLog = [...inDebugNotes, "configured API token", "configured property"].sort();

/** The stack searches all files after each command, and the tests what it printed. */
describe("secrecy", () => {
  const killer = new ProcessKiller();
  const serviceLog: string[] = [];
  const log = (entry: RequestLogEntry) => {
    serviceLog.push(String(entry), inspect(entry), JSON.stringify(entry));
    killer.onRequest();
  };
  const groupTokens = new Set<string>();
  let eu: Emulator;
  before("another service", async () => {
    eu = await startEmulator({ log });
  });
  const fixture = newFixture(
    () => ({
      program: { ...packageProgram(program), "crash.cjs": crash },
      services: [eu],
      config: {
        "user-groups:eu.baseUrl": eu.baseUrl,
        "user-groups:eu.apiToken": { secret: eu.apiToken },
        "tests:region": { secret: own["configured property"] },
      },
      env: { PULUMI_EXPERIMENTAL: "true", ...killer.env },
      secrets: Object.values(own),
    }),
    { log },
  );
  after("its end", () => eu.stop());

  const file = (name: string) => join(fixture.stack.folder, name);
  const textOf = (name: string) => fs.readFile(file(name), "utf8");
  const run = (command: readonly string[], env: Environment = {}) =>
    fixture.stack.run([...command, "--stack", "dev"], { env, isPlain: true });
  const up = (flags: readonly string[], tenant: string) =>
    run(["up", "--yes", "--skip-preview", ...flags], { TENANT: tenant });

  /** The kinds of secrets that a text has. */
  const kindsIn = (text: string) => {
    const services = [fixture.emulator, eu];
    const apiTokens = services.map(({ apiToken }) => apiToken);
    for (const token of services.flatMap(secretsOf)) if (!apiTokens.includes(token)) groupTokens.add(token);
    const [first = "", second = ""] = apiTokens;
    const kinds = Object.entries<string>({
      ...own,
      "API token": first,
      "configured API token": second,
      passphrase: fixture.stack.env["PULUMI_CONFIG_PASSPHRASE"] ?? "",
    });
    const found = kinds.filter(([, secret]) => text.includes(secret)).map(([kind]) => kind);
    const hasToken = [...groupTokens].some((token) => text.includes(token));
    return [...found, ...(hasToken ? ["group token"] : [])].sort();
  };
  const assertNone = (text: string) => {
    assert.deepEqual(kindsIn(text), []);
  };
  const holdsFor = async (...commands: Promise<Ended>[]) => {
    for (const command of commands) assertNone(succeeds(await command).output);
  };

  it("holds for previews, plans, updates by a plan, and for state, history and outputs", async () => {
    for (const TENANT of ["1", "2"]) {
      await holdsFor(run(["preview", "--diff", "--save-plan", file("plan")], { TENANT }));
      assertNone(await textOf("plan"));
      await holdsFor(up(["--plan", file("plan")], TENANT));
    }
    for (const command of ["stack export", "stack history --json", "stack output --json", "preview --json"])
      await holdsFor(run(command.split(" "), { TENANT: "2" }));
  });

  it("holds for a crash of the provider, but not for the environment in a report of Node.js", async () => {
    const env = { NODE_OPTIONS: `--require ${file("crash.cjs")}`, REPORT: file("report.json") };
    const { code, output } = await run(["refresh", "--yes", "--skip-preview"], env);
    assert.notEqual(code, 0);
    assert.match(output, /no such luck/);
    assertNone(output);
    const { environmentVariables, ...rest } = report.parse(JSON.parse(await textOf("report.json")));
    assert.deepEqual(kindsIn(JSON.stringify(environmentVariables)), ["API token", "passphrase"]);
    assertNone(JSON.stringify(rest));
  });

  it("doesn't hold for the SDK's debug notes in JSON, in an event log and with --debug, nor for a verbose log", async () => {
    const { output } = succeeds(await up(["--json", "--event-log", file("events")], "2"));
    for (const text of [output, await textOf("events")]) {
      assert.deepEqual(kindsIn(text), inDebugNotes);
      for (const line of text.split("\n")) if (!line.includes('"severity":"debug"')) assertNone(line);
    }
    const debugged = succeeds(await up(["--debug"], "3"));
    assert.deepEqual(kindsIn(debugged.output), inDebugNotes);
    const verbose = succeeds(await up(["-v=9", "--logtostderr"], "4"));
    assert.deepEqual(kindsIn(verbose.output), inVerboseLog);
  });

  it("holds where everything is killed in the middle, for the destruction, and for the log of the emulator", async () => {
    const destroy = ["destroy", "--yes", "--skip-preview"];
    if (canKill) {
      const { code, output } = await killer.during({ requests: 2 }, () => run(destroy));
      assert.equal(code, null);
      assertNone(output);
      await fixture.stack.recover();
    }
    await holdsFor(run([...destroy, "--refresh"]));
    for (const { groups } of [fixture.emulator, eu]) assert.equal(groups.size, 0);
    assert.match(serviceLog.join("\n"), /"acme"/);
    assertNone(serviceLog.join("\n"));
  });
});

const report = z.looseObject({ environmentVariables: z.record(z.string(), z.string()) });

/** TENANT makes another name of each. */
const program = `
  const region = new pulumi.Config().requireSecret("region");
  const name = pulumi.secret("${own.name}" + (process.env.TENANT || ""));
  new UserGroup("acme", {
    userGroupId: "acme", name, mapping: { sales: pulumi.secret("${own.mapping}") }, properties: { region },
  });
  new UserGroup("globex", { userGroupId: "globex", name, connection: "eu" });
  exports.tokens = new UserGroups("many", {
    groups: { initech: { name, properties: pulumi.secret({ licence: "${own.property}" }) } },
  }).tokens;
`;

/** In a provider's process: after a response an error that nobody catches, then a report of Node.js, then the end. */
const crash = `
  const { REPORT } = process.env;
  if (process.argv.some((argument) => argument.includes("dynamic-provider"))) {
    const http = require("node:http");
    const { request } = http;
    const die = () => {
      process.report.writeReport(REPORT);
      process.kill(process.pid, "SIGKILL");
    };
    http.request = (...args) =>
      request(...args).once("response", (response) =>
        response.once("end", () => {
          setImmediate(die);
          throw new Error("no such luck");
        }),
      );
  }
`;
