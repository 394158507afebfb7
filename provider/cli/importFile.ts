/**
 * `npx --no pulumi-user-groups import-file`: groups that another tool, script or stack created → a file for `pulumi import`, which puts
 * them into a state with their tokens and without a request.
 */
import { existsSync } from "node:fs";
import * as fs from "node:fs/promises";
import { resolve } from "node:path";
import type { SharedArguments } from "../core/state/shapes";
import { namesOf } from "../errors";
import { escaped } from "../text";
import { readPartialSettings, waysToSet } from "../settings/readSettings";
import { type Command, type Flags, type Terminal, UsageError } from "./command";
import {
  allAsOneResource,
  eachAsResource,
  groupsOfProgram,
  type Target,
} from "./importFile/importedResources";
import { listOf, readGroups, type FoundGroup } from "./importFile/readGroups";
import { readSources, settingOptions } from "./programSettings";
import { writeNewFiles } from "./writeFiles";
import { runPulumi } from "./runPulumi";

export const importFile: Command = {
  summary: "bring existing groups into a state without a request",
  usage: "npx --no pulumi-user-groups import-file --from FILE --out FILE --program FILE [options]",

  about: `Writes a file for pulumi import (engine 3.254 and newer), with which groups enter a state without a request, and the groups
object for the program. Neither this command nor the import sends a request to the service. No file is replaced, and only
their owner can read them.`,

  options: {
    from: {
      value: "FILE",
      text:
        "the source; - for standard input. A state of OpenTofu or Terraform (resources of Mastercard/restapi),\n" +
        'the output of pulumi stack export --show-secrets, or JSON: { "<userGroupId>": { "name", "token",\n' +
        '"mapping"?, "properties"?, "dataSourceProvidedId"?, "keepers"? } }',
    },
    out: { value: "FILE", text: "file for pulumi import. It contains tokens" },
    program: { value: "FILE", text: "file for the groups object" },
    resource: {
      value: "NAME",
      text: "name of the UserGroups resource for all groups (default: user-groups)",
    },
    each: {
      text: "a UserGroup for each group instead, with the name of its userGroupId, or of its resource in Pulumi",
    },
    plugin: { text: "resources of the plugin (default: those of the npm package)" },
    ...settingOptions,
  },

  exitCodes: "0 written, 1 nothing was written, 2 wrong options",

  async run(flags, terminal) {
    const { from, out, program } = checkFlags(flags);
    await assertEngine(terminal.environment);
    const target = await targetOf(flags, terminal);
    const text = from === "-" ? await terminal.readInput("the source") : await fs.readFile(from, "utf8");
    const { groups, others } = readGroups(text, target.baseUrl);
    const resources = flags.has("each")
      ? eachAsResource(groups, target)
      : [allAsOneResource(flags.get("resource") ?? "user-groups", groups, target)];
    const groupsObject = groupsOfProgram(groups);
    await writeNewFiles([
      [out, json({ resources })],
      [program, json(groupsObject)],
    ]);
    for (const line of notesOf(groups, others)) terminal.err(line);
    terminal.err(
      `Next: pulumi import --file ${out} --generate-code=false. Then delete ${out}: it contains tokens.`,
    );
    return 0;
  },
};

function checkFlags(flags: Flags) {
  const from = flags.get("from");
  const out = flags.get("out");
  const program = flags.get("program");
  if (!from || !out || !program)
    throw new UsageError("import-file requires --from FILE, --out FILE and --program FILE");
  if (flags.has("each") && flags.has("resource"))
    throw new UsageError("--resource and --each exclude each other");
  if (resolve(out) === resolve(program)) throw new UsageError("--out and --program must be two files");
  const existing = [out, program].find((file) => existsSync(file));
  if (existing !== undefined) throw new Error(`No file was written, because ${existing} exists.`);
  return { from, out, program };
}

/** Engines before 3.254 ignore the outputs in an import file, and ask the provider instead. Throws if the one on the PATH is such. */
async function assertEngine(environment: Terminal["environment"]): Promise<void> {
  const stdout = await runPulumi(["version"], { env: environment }).catch(() => "");
  const [version, major, minor] = /(\d+)\.(\d+)\.\d+/.exec(stdout) ?? [];
  if (version === undefined || Number(major) > 3 || Number(minor) >= 254) return;
  throw new Error(
    `No file was written, because the pulumi on the PATH is ${version}, and pulumi import reads outputs from a file only ` +
      "from 3.254 on. Install a newer one.",
  );
}

/** The form and the service of the new resources. */
async function targetOf(flags: Flags, { environment }: Terminal): Promise<Target> {
  const sources = await readSources(flags, environment);
  const { baseUrl } = readPartialSettings(sources);
  if (baseUrl !== undefined) return { isPlugin: flags.has("plugin"), baseUrl };
  if (sources.isUnread)
    throw new Error(
      `The address of the service isn't known, because the stack's configuration ${sources.issue}. Correct this, or set the address in ` +
        "the environment.",
    );
  const issue = sources.issue === undefined ? "" : ` (The stack's configuration ${sources.issue}.)`;
  throw new Error(`The address of the service is missing. ${waysToSet("baseUrl", {})}${issue}`);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function notesOf(groups: readonly FoundGroup[], others: readonly string[]): string[] {
  const subjectOf = (found: readonly FoundGroup[]) => namesOf(found.map(({ group }) => group));
  const notes = [`${subjectOf(groups)}: written.`];
  if (others.length > 0) notes.push(`Left out:\n${listOf(others)}`);
  const withoutMapping = groups.filter(({ group }) => group.notImported?.includes("mapping"));
  if (withoutMapping.length > 0)
    notes.push(`${subjectOf(withoutMapping)}: the source doesn't know the mapping.`);
  const hidden = groups.filter(({ from }) => from?.isSecret);
  if (hidden.length > 0) notes.push(`${subjectOf(hidden)}: pass the secret values with pulumi.secret.`);
  return [...notes, ...argumentNotes(groups)];
}

/** The arguments of the source's resources, which the groups object doesn't have, such as guards. */
function argumentNotes(groups: readonly FoundGroup[]): string[] {
  const sources = new Set(groups.flatMap(({ from }) => from ?? []));
  const argumentLines = [...sources].flatMap(({ name, state }) => {
    const { adopt, overlap, overlapHours, removed, deletionLimit } = state;
    const shared: Required<SharedArguments> = { adopt, overlap, overlapHours, removed, deletionLimit };
    const given = Object.entries(shared);
    const texts = given.flatMap(([key, value]) => (value == null ? [] : `${key}: ${JSON.stringify(value)}`));
    return texts.length > 0 ? [`${escaped(name)} has ${texts.join(", ")}`] : [];
  });
  if (argumentLines.length === 0) return [];
  return [`State these arguments in the program, too, or they are lost:\n${listOf(argumentLines)}`];
}
