import { userGroupArguments } from "../core/arguments";
import { readSettings } from "../settings/readSettings";
import { type Command, parseFlags, type Terminal, UsageError } from "./command";
import { checkSettings, readStack, type Sources } from "./doctor/checkSettings";
import { isProbeId, newProbeId, Probe } from "./doctor/probe";
import { readingsOf } from "./doctor/readings";
import { finding, report, type Finding } from "./doctor/report";

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
  --yes              probe without a question
  --help             show this help

Exit codes: 0 no check failed (some may be unknown), 1 a check failed, 2 wrong options.`,

  async run(args, terminal) {
    const { environment } = terminal;
    const flags = flagsOf(args);
    const configuration = await readStack(flags.folder ?? process.cwd(), flags.stack, environment);
    const sources: Sources = { environment, configuration };
    const settings = checkSettings(sources, flags.connection);
    const canProbe = flags.probe && settings.every(({ status }) => status !== "failed");
    const findings = [...settings, ...(canProbe ? await probeService(sources, flags, terminal) : [unprobed])];
    terminal.out(report(findings));
    return findings.some(({ status }) => status === "failed") ? 1 : 0;
  },
};

const unprobed = finding(
  "unknown",
  "The service wasn't tested: neither its address nor the API token",
  "Run doctor --probe. It creates, changes and deletes one group.",
);

type Flags = ReturnType<typeof flagsOf>;

function flagsOf(args: readonly string[]) {
  const flags = parseFlags(args, {
    folder: { type: "string" },
    stack: { type: "string" },
    connection: { type: "string" },
    probe: { type: "boolean" },
    group: { type: "string" },
    yes: { type: "boolean" },
  });
  const issue = userGroupArguments.shape.connection.safeParse(flags.connection).error?.issues[0]?.message;
  if (issue !== undefined) throw new UsageError(`--connection: ${issue}`);
  if (flags.group !== undefined && !isProbeId(flags.group))
    throw new UsageError("--group: must be the ID of a probe's group");
  return flags;
}

async function probeService(sources: Sources, flags: Flags, terminal: Terminal): Promise<Finding[]> {
  const { connection, group, yes } = flags;
  const settings = readSettings(sources, connection);
  const id = group ?? newProbeId();
  const plan = `The probe creates the user group ${id} at ${settings.baseUrl}, changes it and deletes it.`;
  terminal.err(group === undefined ? plan : `The probe deletes the user group ${id} at ${settings.baseUrl}.`);
  if (!yes && !(await terminal.confirm("Continue? (y/n) "))) return [unprobed];
  const command = `npx pulumi-user-groups doctor --probe --group ${id}`;
  const interruption = new AbortController();
  void terminal.interrupted().then(() => {
    terminal.err(`Interrupted. The probe deletes ${id}. If it ends before: ${command}`);
    interruption.abort(new Error("it was interrupted"));
  });
  const probe = new Probe(settings, id, interruption.signal);
  const failure = group === undefined ? await probe.run().then(() => undefined, reasonOf) : undefined;
  const isLeft = await probe.remove(group !== undefined);
  return [
    ...readingsOf(probe.steps),
    ...(failure ? [finding("failed", `The probe ended early: ${failure}`, "Run it again.")] : []),
    ...(isLeft ? [finding("failed", `The user group ${id} may still exist`, `Delete it: ${command}`)] : []),
  ];
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
