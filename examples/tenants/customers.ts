/** The file of customers, checked row by row. */
import { readFileSync } from "node:fs";
import { RunError } from "@pulumi/pulumi";
import { parse } from "csv-parse/sync";
import { z } from "zod";

/** The columns of the file. Its first line names them, in any order. */
const customer = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/, "must be lower-case letters, digits, dots and hyphens"),
  name: z.string().min(1, "must not be empty"),
  warehouse: z.string().min(1, "must not be empty"),
  region: z.enum(["eu", "us"], 'must be "eu" or "us"'),
  seats: z.coerce.number("must be a number").int("must be a whole number").min(1, "must be at least 1"),
});

export type Customer = z.infer<typeof customer>;

/** Error: a RunError that names each bad row by its line. */
export function readCustomers(file: string): Customer[] {
  const customers = new Map<string, Customer>();
  const issues: string[] = [];
  for (const { line, row } of readRows(file)) {
    const { data: found, error } = customer.safeParse(row);
    if (error) issues.push(...error.issues.map((issue) => `line ${line}: ${sentenceOf(issue)}`));
    else if (customers.has(found.id))
      issues.push(`line ${line}: the id "${found.id}" stands on another line too`);
    else customers.set(found.id, found);
  }
  if (issues.length > 0) throw badFile(file, issues);
  return [...customers.values()];
}

/** What the parser gives of each row; its `lines` are those up to the end of the row, which may quote line breaks. */
const rows = z.array(
  z
    .object({ info: z.object({ lines: z.number() }), raw: z.string(), record: z.unknown() })
    .transform(({ info, raw, record }) => ({
      line: info.lines - raw.trim().split("\n").length + 1,
      row: record,
    })),
);

function readRows(file: string): z.infer<typeof rows> {
  try {
    const options = { columns: uniqueColumns, info: true, raw: true, skip_empty_lines: true, trim: true };
    return rows.parse(parse(readText(file), options));
  } catch (error) {
    throw badFile(file, [error instanceof Error ? error.message : String(error)]);
  }
}

/** In another encoding, names would be changed without a word. A byte order mark is removed. */
function readText(file: string): string {
  const bytes = readFileSync(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("it isn't UTF-8 text");
  }
}

/** Otherwise the later of two columns with one name would win. */
function uniqueColumns(names: string[]): string[] {
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw new Error(`the column ${repeated} stands there twice`);
  return names;
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `unknown column ${issue.keys.join(", ")}`;
  return `${issue.path.join(".")} ${issue.message}`;
}

/** A RunError is shown without its stack. */
function badFile(file: string, issues: readonly string[]): RunError {
  const more = issues.length - 10;
  const shown = [...issues.slice(0, 10), ...(more > 0 ? [`and ${more} more`] : [])];
  return new RunError(`The file ${file} can't be used:\n  ${shown.join("\n  ")}`);
}
