/** The summary of docs/reliability.md: faults that end alike make one row. The matrix says how they end. */
import { committedTable, table } from "./page";

export interface Row {
  readonly event: string;
  readonly reaction: string;
  readonly remedy: string;
  /** The faults of the row, by name. */
  readonly faults: RegExp;
  /** The operations on which these faults count, by name. */
  readonly operations: RegExp;
  /** The outcomes that are no error. */
  readonly successes: readonly string[];
}

const adoptFalse = /adopt false/;
const deletions = /deletion|delete|removal/;
const others = /^(?!.*(adopt false|deletion|delete|removal))/;
const all = /^(?!.*adopt false)/;
const lost =
  /^(connection|no response|a response that drips|truncated|408|429|500|502|503)|^`success` 0 with 429/;

/** Each cell of the matrix belongs to one row, except that cells of `adopt: false` count in one row only. */
export const rows: readonly Row[] = [
  {
    event: "The connection breaks; a response is late or truncated; the status is 408, 429 or 5xx",
    reaction: "Repeats the request until `timeout`, then fails. The next `up` finds what was applied",
    remedy: "Run the same command again when the service is healthy",
    ...{ faults: lost, operations: all, successes: ["retried"] },
  },
  {
    event: "The same, in the creation of a group with `adopt: false`",
    reaction: "Stores the group only if this stack certainly created it",
    remedy: "Look in the service whose group it is. If it is yours, adopt it",
    ...{ faults: lost, operations: adoptFalse, successes: ["retried", "not recorded unless certain"] },
  },
  {
    event: "The service refuses a deletion (`success` 0), or its status is 404",
    reaction:
      "Checks whether the group still exists. If so, a replacement deletes it with its current token; any other deletion fails",
    remedy: "Run `pulumi destroy --refresh`, which reads the current token first",
    ...{ faults: /^`success` 0 with (200|400|404|500)|^404/, operations: deletions, successes: ["done"] },
  },
  {
    event: "The service refuses anything else",
    reaction: "Fails at once",
    remedy: "Compare the arguments with the service",
    ...{ faults: /^`success` 0 with (200|400|404|500)/, operations: others, successes: [] },
  },
  {
    event: "Nothing is found at the address (404)",
    reaction: "Fails at once. It never means that the group is gone",
    remedy: "Correct the address",
    ...{ faults: /^404/, operations: others, successes: [] },
  },
  {
    event: "The host is unknown or redirects; its certificate isn't trusted",
    reaction: "Fails at once. The API token reaches no other host",
    remedy: "Run `npx pulumi-user-groups doctor`; correct the address or the certificate",
    ...{ faults: /^redirect|^no such host|certificate/, operations: all, successes: [] },
  },
  {
    event: "The service rejects the API token",
    reaction: "Fails at once",
    remedy: "Set the current token in `USER_GROUPS_API_TOKEN`",
    ...{ faults: /401$|^403$/, operations: all, successes: [] },
  },
  {
    event: "The status isn't in the contract, such as 418 or 501",
    reaction: "Fails at once",
    remedy: "Check the address, and the service itself",
    ...{ faults: /^(418|501|505)$/, operations: all, successes: [] },
  },
  {
    event: "A response isn't JSON, breaks the contract, is too large, or is about another group",
    reaction: "Fails at once, and stores nothing of the response",
    remedy: "Check the address; if it is right, report the response to the service's operator",
    faults:
      /^(204|an empty body|a page|an array|200 MB|another)|^`(success|new_|user_group`|user_group.(token|name|provided)).*(missing|null|type)$|properties` of a wrong type/,
    ...{ operations: all, successes: [] },
  },
  {
    event: "A response has unusual values or unknown fields",
    reaction: "Succeeds",
    remedy: "Nothing",
    faults: /^(a byte|an empty name|a name|a lone|empty prop|unusual|an unknown|a token)|team_id|es` [mn]/,
    ...{ operations: all, successes: ["done"] },
  },
  {
    event: "The package has a defect",
    reaction: "Fails at once. Other groups aren't affected",
    remedy: "Report the message, then run the command again",
    ...{ faults: /^a defect/, operations: all, successes: [] },
  },
];

/** The table for readers. The errors come from the matrix. */
export function summary(): string {
  const cells = rows.map((row) => [row.event, row.reaction, errorsOf(row), row.remedy]);
  return table(["what can happen", "what the package does", "error", "what you do"], cells);
}

/** The outcomes of a row in both committed matrices. */
export function outcomesOf({ faults, operations }: Row): Set<string> {
  const found = committedCells().filter(
    ({ fault, operation }) => faults.test(fault) && operations.test(operation),
  );
  return new Set(found.flatMap(({ cell }) => cell.split(" / ")));
}

/** The cells in which a fault met an operation. */
export function committedCells(): { fault: string; operation: string; cell: string }[] {
  const tables = ["UserGroup", "UserGroups"].flatMap((part) => [...committedTable(part)]);
  return tables
    .flatMap(([fault, cells]) => [...cells].map(([operation, cell]) => ({ fault, operation, cell })))
    .filter(({ cell }) => cell !== "–");
}

function errorsOf(row: Row): string {
  const codes = [...outcomesOf(row)].filter((outcome) => outcome.startsWith("`")).sort();
  return codes.map((code) => `[${code}](errors.md#${code.replaceAll("`", "")})`).join(", ") || "–";
}
