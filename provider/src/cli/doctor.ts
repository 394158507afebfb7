import { userGroupArguments } from "../core/arguments";
import { readSettings } from "../settings/readSettings";
import { type Command, type Terminal, UsageError } from "./command";
import { checkSettings, isDecrypted, readStack, type Sources } from "./doctor/checkSettings";
import { isProbeId, newProbeId, Probe } from "./doctor/probe";
import { readingsOf } from "./doctor/readings";
import { hasPassed, report, reportAsJson, type Finding, type Result } from "./doctor/report";
import { parseFlags } from "./flags";

export const doctor: Command = {
  summary: "show a program's settings, and learn what the service does",

  async run(args, terminal) {
    const flags = flagsOf(args);
    if (flags.help) return showHelp(terminal);
    const { folder = process.cwd(), connection } = flags;
    const stack = flags.stack ?? terminal.environment["PULUMI_STACK"];
    const configuration = await readStack(folder, stack, terminal.environment);
    const sources: Sources = { environment: terminal.environment, configuration };
    const settings = checkSettings(sources, connection);
    const isReady = settings.every(({ status }) => status !== "failed");
    const service = flags.probe && isReady ? await probeService(sources, flags, terminal) : [unprobed];
    const findings = [...findingsOf("settings", settings), ...findingsOf("service", service)];
    for (const line of flags.json ? [reportAsJson(findings)] : report(findings)) terminal.out(line);
    return hasPassed(findings) ? 0 : 1;
  },
};

const help = `Usage: npx pulumi-user-groups doctor [options]

Shows the source of each setting of the program in this folder, as pulumi config and the environment have them, and with
--probe what the service does. It prints no token and no value of a setting.

  --folder FOLDER    folder of the program (default: this folder)
  --stack STACK      stack whose settings are checked (default: PULUMI_STACK, or the selected one)
  --connection NAME  service, for programs that use several (default: the one without a name)
  --probe            create, change and delete one group, in at most ten requests, and report what the service does
  --group ID         with --probe: only delete the group that an interrupted probe has left
  --yes              don't ask before the probe
  --json             print JSON: { "verdict": "ok", "failed" or "unknown", "findings": [{ "check", "status", "text", … }] }
  --help             show this help

Exit codes: 0 no check failed (some may be unknown), 1 a check failed, 2 wrong options.`;

const unprobed: Result = {
  status: "unknown",
  text: "The service wasn't tested: neither its address nor the API token",
  remedy: "Run doctor --probe. It creates, changes and deletes one group.",
};

type Flags = ReturnType<typeof flagsOf>;

function flagsOf(args: readonly string[]) {
  const { values } = parseFlags({
    args: [...args],
    options: {
      folder: { type: "string" },
      stack: { type: "string" },
      connection: { type: "string" },
      probe: { type: "boolean" },
      group: { type: "string" },
      yes: { type: "boolean" },
      json: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  const issue = userGroupArguments.shape.connection.safeParse(values.connection).error?.issues[0]?.message;
  if (issue !== undefined) throw new UsageError(`--connection: ${issue}`);
  if (values.group !== undefined && !isProbeId(values.group))
    throw new UsageError("--group: must be the ID of a probe's group");
  return values;
}

function showHelp(terminal: Terminal): number {
  terminal.out(help);
  return 0;
}

async function probeService(sources: Sources, flags: Flags, terminal: Terminal): Promise<Result[]> {
  if (!isDecrypted(sources, flags.connection))
    return [
      { ...unprobed, status: "failed", remedy: "The API token is encrypted: set it in the environment." },
    ];
  const settings = readSettings(sources, flags.connection);
  const { group: userGroupId = newProbeId() } = flags;
  const plan = `The probe creates the user group ${userGroupId} at ${settings.baseUrl}, changes it and deletes it.`;
  terminal.err(plan);
  if (!flags.yes && !(await terminal.confirm("Continue? (y/n) "))) return [unprobed];
  const interruption = new AbortController();
  void terminal.interrupted().then(() => {
    interruption.abort(new Error("it was interrupted"));
  });
  const probe = new Probe(settings, userGroupId, interruption.signal);
  const failure = flags.group === undefined ? await errorOf(() => probe.run()) : undefined;
  const command = `npx pulumi-user-groups doctor --probe --group ${userGroupId}`;
  const left = (await probe.remove(flags.group === undefined ? undefined : true))
    ? [failed(`The user group ${userGroupId} may still exist`, `Delete it: ${command}`)]
    : [];
  const stopped = failure === undefined ? [] : [failed(`The probe ended early: ${failure}`, "Run it again.")];
  return [...readingsOf(probe.steps), ...stopped, ...left];
}

async function errorOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function failed(text: string, remedy: string): Result {
  return { status: "failed", text, remedy };
}

function findingsOf(check: Finding["check"], results: readonly Result[]): Finding[] {
  return results.map((result) => ({ check, ...result }));
}
