import { randomUUID } from "node:crypto";
import { userGroupArguments } from "../core/arguments";
import { readSettings } from "../settings/readSettings";
import { type Command, type Flags, messageOf, type Terminal, UsageError } from "./command";
import { checkSettings, readSources, type Sources } from "./doctor/checkSettings";
import { Probe } from "./doctor/probe";
import { readingsOf } from "./doctor/readings";
import { failed, report, unknown } from "./doctor/report";

export const doctor: Command = {
  summary: "show a program's settings, and learn what the service does",

  help: `Usage: npx pulumi-user-groups doctor [options]

Shows where each setting of the program in this folder comes from, and with --probe what the service does. It prints no
token and no value of a setting.

  --folder FOLDER    folder of the program (default: this folder)
  --stack STACK      stack whose settings are checked (default: PULUMI_STACK, or the selected one)
  --connection NAME  service, for programs that use several (default: the one without a name)
  --probe            create, change and delete one group, in at most ten requests
  --group ID         with --probe: only delete the group that an interrupted probe left
  --yes              with --probe: don't ask
  --help             show this help

Exit codes: 0 no check failed (some may be unknown), 1 a check failed, 2 wrong options.`,

  async run(flags, terminal) {
    const [connection, isProbe] = [checkFlags(flags), flags.has("probe")];
    const sources = await readSources(flags, terminal.environment);
    const settings = checkSettings(sources, connection);
    const canProbe = isProbe && settings.every(({ status }) => status !== "failed");
    const remedy = isProbe ? undefined : "Run doctor --probe. It creates, changes and deletes one group.";
    const unprobed = unknown("The service wasn't tested: neither its address nor the API token", remedy);
    const readings = canProbe ? await probeService(sources, flags, terminal) : undefined;
    const findings = [...settings, ...(readings ?? [unprobed])];
    terminal.out(report(findings));
    return findings.some(({ status }) => status === "failed") ? 1 : 0;
  },
};

const prefix = "pulumi-user-groups-probe-";

const stackName = /^\w[\w.-]*(\/\w[\w.-]*){0,2}$/;

/** Returns the connection. */
function checkFlags(flags: Flags): string | undefined {
  const { data, error } = userGroupArguments.shape.connection.safeParse(flags.get("connection"));
  if (error) throw new UsageError(`--connection: ${error.issues[0]?.message}`);
  // On Windows, a shell gets it.
  if (!stackName.test(flags.get("stack") ?? "dev"))
    throw new UsageError("--stack: must be the name of a stack, such as dev or organization/project/dev");
  if (flags.get("group")?.startsWith(prefix) === false)
    throw new UsageError("--group: must be the ID of a probe's group");
  if (!flags.has("probe") && (flags.has("group") || flags.has("yes")))
    throw new UsageError("--group and --yes require --probe");
  return data;
}

/** Undefined without consent. */
async function probeService(sources: Sources, flags: Flags, terminal: Terminal) {
  const settings = readSettings(sources, flags.get("connection"));
  const group = flags.get("group");
  const id = group ?? prefix + randomUUID().slice(0, 8);
  const [verb, rest] = group === undefined ? ["creates", ", changes it and deletes it"] : ["deletes", ""];
  terminal.err(`The probe ${verb} the user group ${id} at ${settings.baseUrl}${rest}.`);
  if (!flags.has("yes") && !(await terminal.confirm("Continue? (y/n) "))) return undefined;
  const command = `npx pulumi-user-groups doctor --probe --group ${id}`;
  const interruption = new AbortController();
  void terminal.interrupted().then(() => {
    terminal.err(`Interrupted. The probe deletes ${id}. If it ends before: ${command}`);
    interruption.abort(new Error("it was interrupted"));
  });
  const probe = new Probe(settings, id, group !== undefined, interruption.signal);
  const endedEarly = (error: unknown) => [
    failed(`The probe ended early: ${messageOf(error)}`, "Run it again."),
  ];
  const failures = group === undefined ? await probe.run().then(() => [], endedEarly) : [];
  const readings = readingsOf(probe.steps);
  const isLeft = await probe.remove();
  const left = isLeft ? [failed(`The user group ${id} may still exist`, `Delete it: ${command}`)] : [];
  return [...readings, ...failures, ...left];
}
