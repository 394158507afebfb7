/**
 * `npx pulumi-user-groups import-file`: groups that another tool, script or stack created → a file for `pulumi import`, which puts
 * them into a state with their tokens and without a request.
 */
import * as fs from "node:fs/promises";
import { namesOf } from "../errors";
import { readPartialSettings, waysToSet } from "../settings/readSettings";
import { type Command, type Flags, type Terminal, UsageError } from "./command";
import { connectionIn, readSources } from "./doctor/checkSettings";
import { assertEngine } from "./importFile/assertEngine";
import { hasArgument, type Kind, type Target } from "./importFile/coreState";
import type { FoundGroup } from "./importFile/foundGroup";
import { allAsOneResource, eachAsResource, groupsOfProgram } from "./importFile/importedResources";
import { listOf, readGroups, type Source } from "./importFile/readGroups";

export const importFile: Command = {
  summary: "bring existing groups into a state without a request",

  help: `Usage: npx pulumi-user-groups import-file --from FILE --out FILE [options]

Writes a file for pulumi import (engine 3.254 and newer), with which groups enter a state without a request. Prints the groups
object for the program. Neither this command nor the import sends a request to the service.

  --from FILE        the source; - for standard input. A state of OpenTofu or Terraform (resources of Mastercard/restapi or
                     terracurl), the output of pulumi stack export --show-secrets, or JSON:
                     { "<userGroupId>": { "name", "token", "mapping"?, "properties"?, "dataSourceProvidedId"?, "keepers"? } }
  --out FILE         file to write; it must not exist. It contains tokens, so only its owner can read it
  --resource NAME    name of the UserGroups resource for all groups (default: user-groups)
  --each             a UserGroup for each group instead, with the name of its userGroupId, or of its resource in Pulumi
  --plugin           resources of the plugin (default: those of the npm package)
  --program FILE     write the groups object to a file instead of standard output
  --connection NAME  service, for programs that use several (default: the one without a name)
  --stack STACK      stack whose settings have the service's address (default: PULUMI_STACK, or the selected one)
  --help             show this

Exit codes: 0 written, 1 nothing was written, 2 wrong options.`,

  async run(flags, terminal) {
    const { from, out } = checkFlags(flags);
    await assertEngine(terminal.environment);
    const { target, addresses } = await targetOf(flags, terminal);
    const text = from === "-" ? await terminal.readInput() : await fs.readFile(from, "utf8");
    const source = readGroups(text, addresses);
    const resources = flags.has("each")
      ? eachAsResource(source.groups, target)
      : [allAsOneResource(flags.get("resource") ?? "user-groups", source.groups, target)];
    const groups = `${JSON.stringify(groupsOfProgram(source.groups, target), null, 2)}\n`;
    const program = flags.get("program");
    const hidden = source.groups.filter(({ secretFields = [] }) => secretFields.length > 0);
    if (hidden.length > 0 && program === undefined)
      throw new UsageError(
        `values of ${subjectOf(hidden)} are secret, so they aren't printed; set --program FILE`,
      );
    await writePrivate([
      [out, `${JSON.stringify({ resources }, null, 2)}\n`],
      ...(program === undefined ? [] : [[program, groups] as const]),
    ]);
    if (program === undefined) terminal.out(groups.trimEnd());
    const kind = flags.has("each") ? "userGroup" : "userGroups";
    for (const line of notesOf(source, hidden, out, kind)) terminal.err(line);
    return 0;
  },
};

function checkFlags(flags: Flags): { readonly from: string; readonly out: string } {
  const from = flags.get("from");
  const out = flags.get("out");
  if (!from || !out) throw new UsageError("import-file requires --from FILE and --out FILE");
  if (flags.has("each") && flags.has("resource"))
    throw new UsageError("--resource and --each exclude each other");
  return { from, out };
}

/** The form and the service of the new resources, and the addresses of that service. */
async function targetOf(flags: Flags, { environment }: Terminal) {
  const connection = connectionIn(flags);
  const sources = await readSources(flags, environment);
  const { baseUrl, formerBaseUrl } = readPartialSettings(sources, connection);
  if (baseUrl === undefined) {
    const issue = sources.issue === undefined ? "" : ` (The stack's configuration ${sources.issue}.)`;
    throw new Error(`The address of the service is missing. ${waysToSet("baseUrl", { connection })}${issue}`);
  }
  const target: Target = { isPlugin: flags.has("plugin"), baseUrl, connection };
  return { target, addresses: formerBaseUrl === undefined ? [baseUrl] : [baseUrl, formerBaseUrl] };
}

/** Writes all files or none. Only their owner can read them. */
async function writePrivate(files: readonly (readonly [name: string, text: string])[]): Promise<void> {
  const written: string[] = [];
  try {
    for (const [name, text] of files) {
      const file = await fs.open(name, "wx", 0o600);
      written.push(name);
      await file.writeFile(text).finally(() => file.close());
    }
  } catch (error) {
    for (const name of written) await fs.rm(name);
    const exists = error instanceof Error && "code" in error && error.code === "EEXIST";
    const [failed] = files[written.length] ?? [];
    throw exists ? new Error(`No file was written, because ${failed} exists.`) : error;
  }
}

function notesOf(
  { groups, leftOut }: Source,
  hidden: readonly FoundGroup[],
  out: string,
  kind: Kind,
): string[] {
  const unknown = groups.filter(({ isMappingKnown }) => !isMappingKnown);
  const others = groups.filter(({ hasOtherValues }) => hasOtherValues);
  return [
    `${subjectOf(groups)}: written to ${out}.`,
    ...(leftOut.length > 0 ? [`Left out:\n${listOf(leftOut)}`] : []),
    ...(unknown.length > 0 ? [`${subjectOf(unknown)}: the source doesn't know the mapping.`] : []),
    ...(others.length > 0
      ? [
          `${subjectOf(others)}: the service has another name or other properties than the source sent. They are used.`,
        ]
      : []),
    ...sharedNotes(groups, kind),
    ...(hidden.length > 0 ? [`${subjectOf(hidden)}: pass the secret values with pulumi.secret.`] : []),
    `Next: pulumi import --file ${out} --generate-code=false. Then delete ${out}, because it contains tokens.`,
  ];
}

/** The program has only the groups, so the preview would show that their resource had other arguments. */
function sharedNotes(groups: readonly FoundGroup[], kind: Kind): string[] {
  const shared = groups.flatMap((found) => Object.entries(found.shared ?? {}));
  const names = [...new Set(shared.flatMap(([name, value]) => (value === undefined ? [] : name)))].sort();
  const accepted = names.filter((name) => hasArgument(kind, name));
  const others = names.filter((name) => !hasArgument(kind, name));
  return [
    ...(accepted.length > 0
      ? [`The resources of the source have ${accepted.join(", ")}: declare that in the program, too.`]
      : []),
    ...(others.length > 0
      ? [`The resources of the source have ${others.join(", ")}: no argument of a UserGroup.`]
      : []),
  ];
}

/** `3 user groups "a", "b", "c"` */
function subjectOf(groups: readonly FoundGroup[]): string {
  const names = namesOf(groups.map(({ group: { userGroupId } }) => ({ userGroupId })));
  return groups.length === 1 ? names : `${groups.length} ${names}`;
}
