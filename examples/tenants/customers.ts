/** The schema of a customer, for every source. */
import { RunError } from "@pulumi/pulumi";
import { z } from "zod";

/** The columns of the list. */
const customer = z.strictObject({
  id: z
    .string("must be text")
    .regex(/^[a-z0-9][a-z0-9.-]*$/, "must be lower-case letters, digits, dots and hyphens"),
  name: z.string("must be text").min(1, "must not be empty"),
  warehouse: z.string("must be text").min(1, "must not be empty"),
  region: z.enum(["eu", "us"], 'must be "eu" or "us"'),
  seats: z.coerce.number("must be a number").int("must be a whole number").min(1, "must be at least 1"),
});

export type Customer = z.infer<typeof customer>;

export interface Row {
  /** Such as `line 3`. */
  readonly place: string;
  readonly values: unknown;
}

/** `source`: such as `file customers.csv`. Error: a RunError that names each bad row by its place. */
export function checkCustomers(source: string, rows: readonly Row[]): Customer[] {
  // An empty list is a mistake: it would delete all groups. `pulumi destroy` does that on purpose.
  if (rows.length === 0) throw badSource(source, ["it has no customers"]);
  const customers = new Map<string, Customer>();
  const issues: string[] = [];
  for (const { place, values } of rows) {
    const { data: found, error } = customer.safeParse(values);
    if (error) issues.push(...error.issues.map((issue) => `${place}: ${sentenceOf(issue)}`));
    else if (customers.has(found.id)) issues.push(`${place}: another row has the id "${found.id}" too`);
    else customers.set(found.id, found);
  }
  if (issues.length > 0) throw badSource(source, issues);
  return [...customers.values()];
}

export function badSource(source: string, issues: readonly string[]): RunError {
  const more = issues.length - 10;
  const shown = [...issues.slice(0, 10), ...(more > 0 ? [`and ${more} more`] : [])];
  return runError(`The ${source} can't be used:\n  ${shown.join("\n  ")}`);
}

/** Pulumi doesn't print the stack of a RunError, but formats it. In a rejected promise, that takes Node.js 20 ten seconds. */
export function runError(message: string): RunError {
  return Object.assign(new RunError(message), { stack: message });
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `unknown column ${issue.keys.join(", ")}`;
  return `${issue.path.join(".")} ${issue.message}`;
}
