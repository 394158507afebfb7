/**
 * `npx pulumi-user-groups tokens`: the tokens in the state of a stack → a file for the application, or a check that each was
 * delivered. Unlike the stack's outputs, the state has the tokens of all groups also after a failed `pulumi up`.
 */
import * as fs from "node:fs/promises";
import { type Command, type Flags, UsageError } from "./command";
import { groupsInState, kindOf } from "./importFile/coreState";
import { hasEncrypted, plain, type Resource, resourcesIn } from "./stackExport";

export const tokens: Command = {
  summary: "write the tokens of a state, or check their delivery",

  help: `Usage: pulumi stack export --show-secrets | npx pulumi-user-groups tokens <option>

Reads the state of a stack from standard input. Unlike the stack's outputs, the state has all tokens also after a failed pulumi up.

  --out FILE         write userGroupId → token of all groups as JSON. Only the owner of the file can read it. A former file is
                     replaced at once
  --delivered        check that each token was delivered: the stack's outputs or another resource contains it. Prints no token
  --help             show this

Exit codes: 0 written or delivered, 1 not, 2 wrong options.`,

  async run(flags, terminal) {
    const out = checkFlags(flags);
    const resources = resourcesIn(parsed(await terminal.readInput()));
    if (out !== undefined) {
      await replacePrivate(out, `${JSON.stringify(Object.fromEntries(tokenByGroup(resources)), null, 2)}\n`);
      return 0;
    }
    const undelivered = undeliveredIn(resources);
    for (const { urn } of undelivered)
      terminal.err(`${urn}: a token wasn't delivered. Run pulumi up, and deliver the tokens.`);
    return undelivered.length > 0 ? 1 : 0;
  },
};

/** The file to write; undefined for the check. */
function checkFlags(flags: Flags): string | undefined {
  const out = flags.get("out");
  if (flags.has("delivered") && out === undefined) return undefined;
  if (!out || flags.has("delivered"))
    throw new UsageError("tokens requires either --out FILE or --delivered");
  return out;
}

/** The messages of `JSON.parse` quote the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("Standard input isn't the output of pulumi stack export --show-secrets.");
  }
}

/** A lookup may have a former token of a group that the stack itself declares. */
function tokenByGroup(resources: readonly Resource[]): Map<string, string> {
  const lookups = resources.filter(({ external }) => external).flatMap(groupsIn);
  const declared = new Map<string, string>();
  for (const resource of resources.filter(({ external }) => !external))
    for (const { userGroupId, token } of groupsIn(resource)) {
      if (declared.has(userGroupId) && declared.get(userGroupId) !== token)
        throw new Error(
          `${resource.urn} has a group whose userGroupId is that of another group in the stack, so one file can't contain both.`,
        );
      declared.set(userGroupId, token);
    }
  return new Map([...lookups.map(({ userGroupId, token }) => [userGroupId, token] as const), ...declared]);
}

/** The resources with a token that no resource of another kind contains, the stack with its outputs included. */
function undeliveredIn(resources: readonly Resource[]): Resource[] {
  const others = resources.filter(({ type }) => kindOf(type) === undefined);
  const delivered = withoutEscapes(others.map(({ inputs, outputs }) => ({ inputs, outputs })));
  return resources.filter((resource) =>
    groupsIn(resource).some(({ token }) => !delivered.includes(withoutEscapes(token).slice(1, -1))),
  );
}

/** A token may be part of a text that is JSON itself. */
function withoutEscapes(value: unknown): string {
  return JSON.stringify(value).replaceAll("\\", "");
}

/** The groups of a resource, none of one that is being replaced: their tokens are dead. */
function groupsIn(resource: Resource) {
  const kind = kindOf(resource.type);
  if (kind === undefined || resource.delete || resource.pendingReplacement) return [];
  if (hasEncrypted(resource.outputs))
    throw new Error(`${resource.urn} is encrypted: export the stack with --show-secrets.`);
  return groupsInState(kind, resource.id, plain(resource.outputs)).groups;
}

/** Readers see the former file or the new one, never a part. */
async function replacePrivate(file: string, text: string): Promise<void> {
  const next = `${file}.new`;
  await fs.rm(next, { force: true });
  await fs.writeFile(next, text, { mode: 0o600, flag: "wx" });
  await fs.rename(next, file);
}
