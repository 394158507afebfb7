/** npx --no pulumi-user-groups doctor: shows the sources of the settings, and with --probe what the service does. */
import { randomUUID } from "node:crypto";
import { userGroupArguments } from "../core/arguments";
import { UserGroupError } from "../errors";
import { readSettings, type Settings } from "../settings/readSettings";
import { jsonText } from "../validation";
import type { JsonObject } from "../values";
import { type Command, type Flags, messageOf, type Terminal, UsageError, valueOfFlag } from "./command";
import { checkSettings } from "./doctor/checkSettings";
import { maxRequests, Probe, type ProbeTarget } from "./doctor/probe";
import { readingsOf } from "./doctor/readings";
import { failed, type Finding, report, unknown, verdictOf } from "./doctor/report";
import { readSources, settingOptions, type Sources } from "./programSettings";

export const doctor: Command = {
  summary: "show a program's settings, and learn what the service does",
  usage: "npx --no pulumi-user-groups doctor [options]",

  about: `Shows where each setting of the program in this folder comes from, and with --probe what the service does. It prints no
token and no value of a setting.`,

  options: {
    ...settingOptions,
    probe: { text: `create, change and delete one group, in at most ${maxRequests} requests` },
    mapping: { value: "JSON", text: `with --probe: its mapping, such as '{"sales":"my-warehouse"}'` },
    "data-source": { value: "ID", text: "with --probe: data_source_provided_id of its deletions" },
    yes: { text: "with --probe: don't ask" },
    json: { text: "print the same as JSON: verdict, and findings with status, text and remedy" },
  },

  exitCodes: "0 no check failed (some may be unknown), 1 a check failed, 2 wrong options",

  async run(flags, terminal) {
    const isProbe = flags.has("probe");
    const needless = ["mapping", "data-source", "yes"].find((name) => flags.has(name));
    if (needless !== undefined && !isProbe) throw new UsageError(`--${needless} requires --probe`);
    const mapping = mappingIn(flags);
    const sources = await readSources(flags, terminal.environment);
    const findings = checkSettings(sources);
    const settings = isProbe ? completeSettings(findings, sources) : undefined;
    if (settings) {
      const service = { settings, mapping };
      findings.push(...(await probeService(service, flags, terminal)));
    } else if (isProbe) findings.push(untested);
    const note = isProbe ? "" : " The service wasn't tested: doctor --probe does it.";
    if (flags.has("json")) terminal.out(JSON.stringify({ verdict: verdictOf(findings), findings }, null, 2));
    else terminal.out(report(findings, note));
    return findings.some(({ status }) => status === "failed") ? 1 : 0;
  },
};

function mappingIn(flags: Flags): JsonObject | undefined {
  const schema = jsonText("must be a JSON object").pipe(userGroupArguments.shape.mapping);
  return valueOfFlag(flags, "mapping", schema.optional());
}

/** Undefined: a check failed, or a setting may be missing. */
function completeSettings(findings: readonly Finding[], sources: Sources): Settings | undefined {
  if (findings.some(({ status }) => status === "failed")) return undefined;
  try {
    return readSettings(sources);
  } catch (error) {
    if (error instanceof UserGroupError) return undefined;
    throw error;
  }
}

const untested = unknown("The service wasn't tested: neither its address nor the API token");

type Service = Pick<ProbeTarget, "settings" | "mapping">;

async function probeService(service: Service, flags: Flags, terminal: Terminal): Promise<Finding[]> {
  // Short, because a service may limit the length of IDs.
  const userGroupId = `probe-${randomUUID().replaceAll("-", "").slice(0, 10)}`;
  const { baseUrl } = service.settings;
  terminal.err(`The probe creates the user group ${userGroupId} at ${baseUrl}, changes it and deletes it.`);
  if (!flags.has("yes") && !(await terminal.confirm("Continue? (y/n) "))) return [untested];
  const interruption = new AbortController();
  void terminal.interrupted().then(() => {
    terminal.err(`Interrupted. The probe deletes ${userGroupId}.`);
    interruption.abort(new Error("it was interrupted"));
  });
  const probe = new Probe({ ...service, userGroupId, dataSource: flags.get("data-source") });
  const failure = await probe.run(interruption.signal).catch((error: unknown) => failureOf(error));
  const isLeft = await probe.remove();
  const findings = readingsOf(probe);
  if (failure) findings.push(failure);
  if (isLeft) findings.push(failed(`The user group ${userGroupId} may still exist`, leftRemedy));
  return findings;
}

const leftRemedy = "Delete it, as docs/existing-groups.md says of a group that no stack has.";

/** If the probe ended early. */
function failureOf(error: unknown): Finding {
  if (!(error instanceof UserGroupError))
    return failed(`The probe ended early: ${messageOf(error)}`, "Run it again.");
  const isRefused = error.code === "service-refused";
  return failed(error.sentence, isRefused ? "If its groups need a mapping, set --mapping." : undefined);
}
