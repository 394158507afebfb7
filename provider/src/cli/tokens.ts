/**
 * `npx pulumi-user-groups tokens`: the tokens in the state of a stack. Unlike the stack's outputs, the state is right also after a
 * failed update, and after a refresh that created a group again.
 */
import * as fs from "node:fs/promises";
import * as z from "zod";
import { isObject } from "../values";
import { type Command, UsageError } from "./command";
import { kindOf } from "./importFile/coreState";
import { hasEncrypted, plain, resourcesInExport, type ExportedResource } from "./importFile/pulumiExport";

export const tokens: Command = {
  summary: "write the tokens of a state for an application",

  help: `Usage: pulumi stack export --show-secrets | npx pulumi-user-groups tokens --out FILE | --csv | --undelivered

Reads the export of a stack from standard input. Shows nobody a token, and sends no request.

  --out FILE         write userGroupId → token of all groups in the state. Only its owner can read the file; one that exists is
                     replaced as a whole
  --csv              print the tokens for a program, such as COPY of PostgreSQL: userGroupId, token and, for a former one that overlap
                     keeps, until when
  --undelivered      fail if neither the stack's outputs nor another resource, such as a secret of Kubernetes, contains a token
  --help             show this

Exit codes: 0 written or printed, or all tokens are delivered; 1 failed, or a token isn't delivered; 2 wrong options.`,

  async run(flags, terminal) {
    const out = flags.get("out");
    const isCsv = flags.has("csv");
    if ([Boolean(out), isCsv, flags.has("undelivered")].filter(Boolean).length !== 1)
      throw new UsageError("tokens requires one of --out FILE, --csv and --undelivered");
    const resources = resourcesInExport(await terminal.readInput());
    if (isCsv) {
      terminal.pipe(csv(resources.filter(isCurrent)));
      return 0;
    }
    if (out) {
      await replaceFile(out, JSON.stringify(Object.fromEntries(tokenByGroup(resources.filter(isCurrent)))));
      return 0;
    }
    const groups = undelivered(resources);
    for (const { urn } of groups)
      terminal.err(`${urn} has a token that wasn't delivered. Run pulumi up, and deliver the new tokens.`);
    return groups.length > 0 ? 1 : 0;
  },
};

/** Resources with user groups. The token of a group whose replacement has begun is dead. */
function isCurrent({ type, delete: isLeft, pendingReplacement: isDeleted }: ExportedResource): boolean {
  return kindOf(type) !== undefined && !isLeft && !isDeleted;
}

/** A lookup may have a former token of a group that the stack itself declares. */
function tokenByGroup(resources: readonly ExportedResource[]): Map<string, string> {
  const lookups = resources.filter(({ external }) => external).flatMap(tokensOf);
  const declared = new Map<string, string>();
  for (const resource of resources.filter(({ external }) => !external))
    for (const [userGroupId, token] of tokensOf(resource)) {
      // A group that moves is in two resources, with one token.
      if ((declared.get(userGroupId) ?? token) !== token)
        throw new Error(
          `${resource.urn} has the same userGroupId as another group of the stack, so one file can't contain both. If a move has failed, ` +
            "run pulumi refresh, then pulumi up.",
        );
      declared.set(userGroupId, token);
    }
  return new Map([...lookups, ...declared]);
}

const token = z.string().min(1);
const tokensOfOne = z
  .object({ userGroupId: z.string(), token })
  .transform((one) => [[one.userGroupId, one.token] as const]);
const tokensOfMany = z
  .object({ tokens: z.record(z.string(), token), groups: z.record(z.string(), z.unknown()).default({}) })
  .refine(({ tokens: all, groups }) => Object.keys(groups).every((id) => Object.hasOwn(all, id)))
  .transform(({ tokens: all }) => Object.entries(all));

function tokensOf({
  urn,
  type,
  outputs,
}: ExportedResource): (readonly [userGroupId: string, token: string])[] {
  if (hasEncrypted([outputs["token"], outputs["tokens"]]))
    throw new Error(`The tokens of ${urn} can't be read: export the stack with --show-secrets.`);
  const schema = kindOf(type) === "userGroup" ? tokensOfOne : tokensOfMany;
  const { data } = schema.safeParse(plain(outputs));
  if (data) return data;
  throw new Error(
    `The tokens of ${urn} can't be read: some are missing in the state. Run pulumi up --refresh first.`,
  );
}

type Row = readonly [userGroupId: string, token: string, until: string];

/** Throws if there is no token, because the state of another stack has none either. */
function csv(resources: readonly ExportedResource[]): string {
  const current = [...tokenByGroup(resources)].map(([id, token]): Row => [id, token, ""]);
  if (current.length === 0) throw new Error("The state has no user groups, so there is no token to deliver.");
  const former = resources.filter(({ external }) => !external).flatMap(formerRowsOf);
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  return [...current, ...former]
    .map(([id, token, until]) => `${quoted(id)},${quoted(token)},${until}\n`)
    .join("");
}

/** A former group of an earlier version has no time, because the next update deletes it. That version had one, without a list. */
const formerGroups = z
  .array(z.object({ token: z.string(), since: z.iso.datetime().optional() }))
  .catch(() => []);

function formerRowsOf({ outputs }: ExportedResource): Row[] {
  const { userGroupId, former = {}, overlap, overlapHours } = plain(outputs);
  const hours = overlap === true ? Number(overlapHours ?? 0) : 0;
  const until = (since: string) => new Date(Date.parse(since) + hours * 3_600_000).toISOString();
  const lists = isObject(former) ? former : { [String(userGroupId)]: former };
  return Object.entries(lists).flatMap(([id, list]) =>
    formerGroups
      .parse(list)
      .flatMap(({ token, since }): Row[] => (since === undefined ? [] : [[id, token, until(since)]])),
  );
}

/** Those with a token that no other resource contains, whose text may be JSON in JSON. */
function undelivered(resources: readonly ExportedResource[]): ExportedResource[] {
  const others = resources.filter(({ type }) => kindOf(type) === undefined);
  const delivered = withoutEscapes(JSON.stringify(others));
  const isMissing = (token: string) =>
    !delivered.includes(withoutEscapes(JSON.stringify(token).slice(1, -1)));
  return resources
    .filter(isCurrent)
    .filter((resource) => tokensOf(resource).some(([, token]) => isMissing(token)));
}

function withoutEscapes(text: string): string {
  return text.replaceAll("\\", "");
}

/** A reader sees the former file or the whole new one. A link stays, and leads to the new one. */
async function replaceFile(file: string, text: string): Promise<void> {
  const target = await fs.realpath(file).catch(() => file);
  const former = await fs.stat(file).catch(() => undefined);
  if (former?.isFile() === false) throw new Error(`${file} isn't a file that can be replaced.`);
  const draft = `${target}.new`;
  await fs.rm(draft, { force: true });
  await fs.writeFile(draft, text, { mode: 0o600, flag: "wx" });
  await fs.rename(draft, target);
}
