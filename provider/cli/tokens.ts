/**
 * `npx --no pulumi-user-groups tokens`: the tokens in the state of a stack. Unlike the stack's outputs, the state is right also after a
 * failed update, and after a refresh that created a group again.
 */
import { serviceAddress } from "../settings/serviceAddress";
import { escaped } from "../text";
import { type Command, UsageError, valueOfFlag } from "./command";
import { replaceFile } from "./writeFiles";
import { exportIn, exportOptions, isCurrent, kindOf, stateOf, type ExportedResource } from "./stackExport";

export const tokens: Command = {
  summary: "write the tokens of a state for an application",
  usage:
    "pulumi stack export --show-secrets | npx --no pulumi-user-groups tokens --out FILE | --csv | --undelivered [--base-url URL]",

  about: `Reads the export of a stack, from standard input or with --stack. Shows nobody a token, and sends no request. Each format is in the order
of the IDs. A state without groups is refused.`,

  options: {
    ...exportOptions,
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
    const address = valueOfFlag(flags, "base-url", serviceAddress.optional());
    const { resources } = await exportIn(flags, terminal);
    const isWanted = ({ baseUrl }: Customer) => address === undefined || baseUrl === address;
    const customers = resources.filter(isCurrent).flatMap(customersOf).filter(isWanted);
    if (!out && !isCsv) {
      const urns = undelivered(customers, resources);
      for (const urn of urns)
        terminal.err(
          `${escaped(urn)} has a token that wasn't delivered. Run pulumi up, and deliver the new tokens.`,
        );
      return urns.length > 0 ? 1 : 0;
    }
    const delivered = byId(customers);
    if (out) await replaceFile(out, json(delivered));
    else terminal.pipe(csv(delivered));
    return 0;
  },
};

/** The tokens of a customer in one resource. */
interface Customer {
  readonly resource: ExportedResource;
  readonly baseUrl: string | undefined;
  readonly userGroupId: string;
  readonly token: string;
  readonly former: readonly { readonly token: string; readonly until: string }[];
}

/** Each customer once, by ID. Throws if there is none, because the state of another stack has none either. */
function byId(customers: readonly Customer[]): Customer[] {
  const ofLookups = customers.filter(({ resource }) => resource.external);
  const lookedUp = new Map(ofLookups.map((each) => [each.userGroupId, each]));
  const declared = new Map<string, Customer>();
  for (const customer of customers.filter(({ resource }) => !resource.external)) {
    const other = declared.get(customer.userGroupId);
    // A group that moves is in two resources, with one token.
    if (other !== undefined && other.token !== customer.token) throw declaredTwice(customer, other);
    const former = [...(other?.former ?? []), ...customer.former];
    declared.set(customer.userGroupId, { ...customer, former });
  }
  // A lookup may have a former token of a group that the stack itself declares.
  const all = [...new Map([...lookedUp, ...declared]).values()];
  if (all.length === 0)
    throw new Error(
      "The state has no user groups, or none at --base-url, so there is no token to deliver. Is another stack selected?",
    );
  return all.sort((one, other) => (one.userGroupId < other.userGroupId ? -1 : 1));
}

function declaredTwice(one: Customer, other: Customer): Error {
  const problem = `${escaped(one.resource.urn)} has the same userGroupId as another group of the stack, so one file can't contain both. `;
  if (one.baseUrl !== other.baseUrl)
    return new Error(`${problem}They are in two services: write a file for each, with --base-url.`);
  return new Error(
    `${problem}If one group has moved to the other's resource and pulumi up has failed, deliver the new resource's token from the stack's ` +
      "outputs (pulumi stack output --show-secrets), then run pulumi up. If they are groups of two accounts (two providers with one " +
      "address), deliver their tokens from the stack's outputs, or give each account a stack of its own.",
  );
}

function customersOf(resource: ExportedResource): Customer[] {
  const state = stateOf(resource);
  return [...state.groups.values()].map((group) => {
    const { userGroupId, token, former = [] } = group;
    return { resource, baseUrl: state.baseUrl, userGroupId, token, former };
  });
}

/** Written by hand, because an object has IDs that are integers first. */
function json(customers: readonly Customer[]): string {
  const entries = customers.map(({ userGroupId, token }) => {
    return `${JSON.stringify(userGroupId)}:${JSON.stringify(token)}`;
  });
  return `{${entries.join(",")}}`;
}

function csv(customers: readonly Customer[]): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = customers.flatMap(({ userGroupId, token, former }) => {
    const rows = [{ token, until: "" }, ...former];
    return rows.map((row) => `${quoted(userGroupId)},${quoted(row.token)},${row.until}\n`);
  });
  return lines.join("");
}

/** The URNs of resources with a token that no other resource contains, whose text may be JSON in JSON. */
function undelivered(customers: readonly Customer[], resources: readonly ExportedResource[]): string[] {
  const others = resources.filter(({ type }) => kindOf(type) === undefined);
  const delivered = withoutEscapes(JSON.stringify(others));
  const isMissing = ({ token }: Customer) =>
    !delivered.includes(withoutEscapes(JSON.stringify(token).slice(1, -1)));
  const urns = customers.filter(isMissing).map(({ resource }) => resource.urn);
  return [...new Set(urns)].sort();
}

function withoutEscapes(text: string): string {
  return text.replaceAll("\\", "");
}
