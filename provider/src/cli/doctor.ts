/** npx pulumi-user-groups doctor: shows the sources of the settings, and with --probe what the service does. */
import { randomUUID } from "node:crypto";
import * as z from "zod";
import { userGroupArguments } from "../core/arguments";
import { readSettings, type Settings } from "../settings/readSettings";
import { jsonText } from "../validation";
import type { JsonObject } from "../values";
import { type Command, type Flags, messageOf, type Terminal, UsageError } from "./command";
import { checkSettings, readSources } from "./doctor/checkSettings";
import { isWay, maxRequests, Probe } from "./doctor/probe";
import { notCreated, readingsOf } from "./doctor/readings";
import { failed, type Finding, ok, report, unknown } from "./doctor/report";

export const doctor: Command = {
  summary: "show a program's settings, and learn what the service does",

  help: `Usage: npx pulumi-user-groups doctor [options]

Shows where each setting of the program in this folder comes from, and with --probe what the service does. It prints no
token and no value of a setting.

  --folder FOLDER    folder of the program (default: this folder)
  --stack STACK      stack whose settings are checked (default: PULUMI_STACK, or the selected one)
  --connection NAME  service, for programs that use several (default: the one without a name)
  --probe            create, change and delete one group, in at most ${maxRequests} requests
  --mapping JSON     with --probe: mapping of the group, such as '{"sales":"my-warehouse"}' (default: none)
  --data-source ID   with --probe: data_source_provided_id of its deletions, if the service checks it
  --group ID         with --probe: only delete the group that an interrupted probe left
  --yes              with --probe: don't ask
  --help             show this help

Exit codes: 0 no check failed (some may be unknown), 1 a check failed, 2 wrong options.`,

  async run(flags, terminal) {
    const { connection, mapping } = checkFlags(flags);
    const isProbe = flags.has("probe");
    const sources = await readSources(flags, terminal.environment);
    const findings = checkSettings(sources, connection);
    const isSet = findings.every(({ status }) => status !== "failed");
    const readings =
      isProbe && isSet
        ? await probeService(readSettings(sources, connection), mapping, flags, terminal)
        : undefined;
    const remedy = isProbe ? undefined : "Run doctor --probe. It creates, changes and deletes one group.";
    const unprobed = unknown("The service wasn't tested: neither its address nor the API token", remedy);
    findings.push(...(readings ?? [unprobed]));
    terminal.out(report(findings));
    return findings.some(({ status }) => status === "failed") ? 1 : 0;
  },
};

/** Short, because a service may limit the length of IDs. */
const probeId = /^probe-[0-9a-f]{10}$/;

const { connection: connectionRule, mapping: mappingRule } = userGroupArguments.shape;
const flagRules = z.object({
  connection: connectionRule,
  mapping: jsonText("must be a JSON object").pipe(mappingRule).optional(),
  group: z.string().regex(probeId, "must be the ID of a probe's group").optional(),
  "data-source": z.string().min(1, "must not be empty").optional(),
});

function checkFlags(flags: Flags): z.infer<typeof flagRules> {
  const { data, error } = flagRules.safeParse(Object.fromEntries(flags));
  if (!data) {
    const [issue] = error.issues;
    throw new UsageError(`--${String(issue?.path[0])}: ${issue?.message}`);
  }
  const needless = ["group", "mapping", "data-source", "yes"].find((name) => flags.has(name));
  if (needless !== undefined && !flags.has("probe")) throw new UsageError(`--${needless} requires --probe`);
  return data;
}

/** Undefined without consent. */
async function probeService(
  settings: Settings,
  mapping: JsonObject | undefined,
  flags: Flags,
  terminal: Terminal,
): Promise<Finding[] | undefined> {
  const left = flags.get("group");
  const userGroupId = left ?? `probe-${randomUUID().replaceAll("-", "").slice(0, 10)}`;
  const plan =
    left === undefined ? `creates the user group ${userGroupId}` : `deletes the user group ${left}`;
  const rest = left === undefined ? ", changes it and deletes it" : "";
  terminal.err(`The probe ${plan} at ${settings.baseUrl}${rest}.`);
  if (!flags.has("yes") && !(await terminal.confirm("Continue? (y/n) "))) return undefined;
  const command = deletionCommand(userGroupId, flags);
  const interruption = new AbortController();
  void terminal.interrupted().then(() => {
    terminal.err(`Interrupted. The probe deletes ${userGroupId}. If it ends before: ${command}`);
    interruption.abort(new Error("it was interrupted"));
  });
  const target = { settings, userGroupId, mapping, dataSource: flags.get("data-source") };
  const probe = new Probe(target, { mayExist: left !== undefined, signal: interruption.signal });
  const findings = left === undefined ? await readService(probe) : [];
  const isLeft = await probe.remove();
  if (left !== undefined) findings.push(...removalReadings(probe, left));
  if (isLeft) findings.push(leftReading(userGroupId, command, flags));
  else if (left !== undefined) findings.push(ok(`The user group ${userGroupId} doesn't exist any more`));
  return findings;
}

async function readService(probe: Probe): Promise<Finding[]> {
  try {
    await probe.run();
    return readingsOf(probe.steps);
  } catch (error) {
    const early = failed(`The probe ended early: ${messageOf(error)}`, "Run it again.");
    return [...readingsOf(probe.steps), early];
  }
}

/** For `--group`. */
function removalReadings({ steps }: Probe, userGroupId: string): Finding[] {
  const found = steps.find(({ purpose }) => !isWay(purpose));
  if (found && !found.group) return [notCreated(found)];
  return found?.isNew ? [ok(`The user group ${userGroupId} didn't exist, and get-or-create created it`)] : [];
}

function leftReading(userGroupId: string, command: string, flags: Flags): Finding {
  const source = flags.has("data-source")
    ? ""
    : "If deletions need data_source_provided_id, add --data-source. ";
  return failed(`The user group ${userGroupId} may still exist`, `${source}Delete it: ${command}`);
}

/** The options that select the same service and group. */
function deletionCommand(userGroupId: string, flags: Flags): string {
  const same = ["folder", "stack", "connection", "mapping", "data-source"];
  const options = same.flatMap((name) => {
    const value = flags.get(name);
    return value === undefined ? [] : [`--${name} ${quoted(value)}`];
  });
  return ["npx pulumi-user-groups doctor --probe", `--group ${userGroupId}`, ...options].join(" ");
}

function quoted(value: string): string {
  return /^[\w./:@-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
