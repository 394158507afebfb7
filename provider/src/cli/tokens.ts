/**
 * `npx pulumi-user-groups tokens`: the tokens in the state of a stack. Unlike the stack's outputs, the state is right also after a
 * failed update, and after a refresh that created a group again.
 */
import { randomUUID } from "node:crypto";
import * as fs from "node:fs/promises";
import { serviceAddress } from "../settings/serviceAddress";
import { type Command, type Flags, UsageError } from "./command";
import { isCurrent, kindOf, readExport, stateOf, untilOf, type ExportedResource } from "./stackExport";

export const tokens: Command = {
  summary: "write the tokens of a state for an application",
  usage:
    "pulumi stack export --show-secrets | npx pulumi-user-groups tokens --out FILE | --csv | --undelivered [--base-url URL]",

  about: `Reads the export of a stack from standard input. Shows nobody a token, and sends no request. Each format is in the order
of the IDs. A state without groups is refused.`,

  options: {
    out: {
      value: "FILE",
      text:
        "write userGroupId → token of all groups in the state. Only its owner can read the file; one that\n" +
        "exists is replaced as a whole",
    },
    csv: {
      text:
        "print the tokens for a program, such as COPY of PostgreSQL: userGroupId, token and, for a former one\n" +
        "that overlap keeps, until when",
    },
    undelivered: {
      text:
        "fail if neither the stack's outputs nor another resource, such as a secret of Kubernetes, contains a\n" +
        "token",
    },
    "base-url": {
      value: "URL",
      text: "only groups of the service at this address, for stacks that use several (default: all)",
    },
  },

  exitCodes:
    "0 written or printed, or all tokens are delivered; 1 failed, or a token isn't delivered; 2 wrong options",

  async run(flags, terminal) {
    const out = flags.get("out");
    const isCsv = flags.has("csv");
    if ([Boolean(out), isCsv, flags.has("undelivered")].filter(Boolean).length !== 1)
      throw new UsageError("tokens requires exactly one of --out FILE, --csv and --undelivered");
    const address = addressIn(flags);
    const { resources } = readExport(await terminal.readInput());
    const isOwn = (each: ExportedResource) => address === undefined || stateOf(each).baseUrl === address;
    const own = resources.filter(isCurrent).filter(isOwn);
    if (!out && !isCsv) {
      const urns = undelivered(own, resources);
      for (const urn of urns)
        terminal.err(`${urn} has a token that wasn't delivered. Run pulumi up, and deliver the new tokens.`);
      return urns.length > 0 ? 1 : 0;
    }
    const groups = groupsIn(own);
    if (out) await replaceFile(out, json(groups));
    else terminal.pipe(csv(groups));
    return 0;
  },
};

/** The option `--base-url` in its normal form. Throws a `UsageError` for an invalid address. */
function addressIn(flags: Flags): string | undefined {
  const { data, error } = serviceAddress.optional().safeParse(flags.get("base-url"));
  if (error) throw new UsageError(`--base-url: ${error.issues[0]?.message}`);
  return data;
}

/** The tokens of a customer in one service. */
interface Customer {
  readonly baseUrl: string | undefined;
  readonly userGroupId: string;
  readonly token: string;
  readonly former: readonly { readonly token: string; readonly until: string }[];
}

/** By ID. Throws if there is none, because the state of another stack has none either. */
function groupsIn(resources: readonly ExportedResource[]): Customer[] {
  const byId = new Map<string, Customer>();
  // A lookup may have a former token of a group that the stack itself declares.
  for (const resource of resources.filter(({ external }) => external))
    for (const customer of customersOf(resource)) byId.set(customer.userGroupId, customer);
  const declared = new Map<string, Customer>();
  for (const resource of resources.filter(({ external }) => !external))
    for (const customer of customersOf(resource)) {
      const other = declared.get(customer.userGroupId);
      // A group that moves is in two resources, with one token.
      if (other !== undefined && other.token !== customer.token)
        throw declaredTwice(resource, other, customer);
      const former = [...(other?.former ?? []), ...customer.former];
      declared.set(customer.userGroupId, { ...customer, former });
    }
  const all = [...new Map([...byId, ...declared]).values()];
  if (all.length === 0)
    throw new Error(
      "The state has no user groups, or none at --base-url, so there is no token to deliver. Is another stack selected?",
    );
  return all.sort((one, other) => (one.userGroupId < other.userGroupId ? -1 : 1));
}

function declaredTwice({ urn }: ExportedResource, one: Customer, other: Customer): Error {
  const problem = `${urn} has the same userGroupId as another group of the stack, so one file can't contain both. `;
  if (one.baseUrl !== other.baseUrl)
    return new Error(`${problem}They are in two services: write a file for each, with --base-url.`);
  return new Error(
    `${problem}If a move has failed, deliver the new resource's token from the stack's outputs ` +
      "(pulumi stack output --show-secrets), then run pulumi up.",
  );
}

function customersOf(resource: ExportedResource): Customer[] {
  const state = stateOf(resource);
  return [...state.groups.values()].map((group) => {
    const { userGroupId, token, former = [] } = group;
    const list = former.map((each) => ({ token: each.token, until: untilOf(each, group, state) }));
    return { baseUrl: state.baseUrl, userGroupId, token, former: list };
  });
}

/** Written by hand, because an object has IDs that are integers first. */
function json(groups: readonly Customer[]): string {
  const entries = groups.map(({ userGroupId, token }) => {
    return `${JSON.stringify(userGroupId)}:${JSON.stringify(token)}`;
  });
  return `{${entries.join(",")}}`;
}

function csv(groups: readonly Customer[]): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = groups.flatMap(({ userGroupId, token, former }) => {
    const rows = [{ token, until: "" }, ...former];
    return rows.map((row) => `${quoted(userGroupId)},${quoted(row.token)},${row.until}\n`);
  });
  return lines.join("");
}

/** The URNs of resources of `own` with a token that no other resource of `all` contains, whose text may be JSON in JSON. */
function undelivered(own: readonly ExportedResource[], all: readonly ExportedResource[]): string[] {
  const others = all.filter(({ type }) => kindOf(type) === undefined);
  const delivered = withoutEscapes(JSON.stringify(others));
  const isMissing = ({ token }: Customer) =>
    !delivered.includes(withoutEscapes(JSON.stringify(token).slice(1, -1)));
  const missing = own.filter((resource) => customersOf(resource).some(isMissing));
  return missing.map(({ urn }) => urn).sort();
}

function withoutEscapes(text: string): string {
  return text.replaceAll("\\", "");
}

/** A reader sees the file before or the whole new one. A link stays, and leads to the new one. */
async function replaceFile(file: string, text: string): Promise<void> {
  const target = await fs.realpath(file).catch(() => file);
  const before = await fs.stat(file).catch(() => undefined);
  if (before?.isFile() === false) throw new Error(`${file} isn't a file that can be replaced.`);
  const draft = `${target}.${randomUUID()}`;
  try {
    await fs.writeFile(draft, text, { mode: 0o600, flag: "wx" });
    await fs.rename(draft, target);
  } catch (error) {
    await fs.rm(draft, { force: true });
    throw error;
  }
}
