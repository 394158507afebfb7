/** The customers: of the database at CUSTOMERS_URL or, for a preview without it, of CUSTOMERS_FILE, the list that the last `up` returned. */
import { readFileSync } from "node:fs";
import { RunError } from "@pulumi/pulumi";
import { isDryRun } from "@pulumi/pulumi/runtime";
import { Client } from "pg";
import { z } from "zod";

const text = z.string().regex(/^(?!\s)\P{Cc}+(?<!\s)$/u, "must be one line of text without spaces around it");
const customer = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/, "must be lower-case letters, digits, dots and hyphens"),
  name: text,
  dataSource: text,
  region: z.enum(["eu", "us"]),
  rotated: z.iso.datetime(),
  leaked: z.boolean(),
});
export type Customer = z.infer<typeof customer>;

/** Error: a RunError that names bad customers by their keys. */
export async function readCustomers(): Promise<Customer[]> {
  try {
    return checked(z.array(z.looseObject({ id: z.unknown() })).parse(await readRows()));
  } catch (error) {
    const message = `The customers can't be used: ${error instanceof Error ? error.message : String(error)}`;
    // Pulumi doesn't print the stack of a RunError, but formats it. In a rejected promise, that takes Node.js 20 ten seconds.
    throw Object.assign(new RunError(message), { stack: message });
  }
}

async function readRows(): Promise<unknown> {
  const { CUSTOMERS_FILE: file, CUSTOMERS_URL: url } = process.env;
  if (file && !isDryRun()) throw new Error("CUSTOMERS_FILE is for previews only, because customers change");
  if (file) return JSON.parse(readFileSync(file, "utf8"));
  if (!url) throw new Error("set CUSTOMERS_URL, or CUSTOMERS_FILE for a preview");
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A connection that breaks between two statements throws, unless somebody listens. The next statement fails then.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(
      `select id, name, data_source as "dataSource", region, rotated_utc as rotated, leaked from served order by id`,
    );
    return rows;
  } finally {
    await client.end();
  }
}

function checked(rows: readonly { id?: unknown }[]): Customer[] {
  // An empty list would delete all groups.
  if (rows.length === 0) throw new Error("there are none");
  const { data, error } = z.array(customer).safeParse(rows);
  if (data) return data;
  const textOf = ({ path, message }: z.core.$ZodIssue) => `${path.slice(1).join(".")} ${message}`;
  const [text] = error.issues.map(textOf);
  const ids = error.issues.flatMap((each) => (textOf(each) === text ? rows[Number(each.path[0])]?.id : []));
  throw new Error(`${text} (customer ${JSON.stringify(ids.slice(0, 5)).slice(1, -1)}, ${ids.length} in all)`);
}
