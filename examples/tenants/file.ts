/** Reads customers from a CSV file. */
import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { badSource, checkCustomers, type Customer, type Row } from "./customers";

/** The first line of the file names the columns, in any order. Error: a RunError that names each bad row by its line. */
export function customersInFile(file: string): Customer[] {
  return checkCustomers(`file ${file}`, readRows(file));
}

function readRows(file: string): Row[] {
  try {
    const options = { columns: uniqueColumns, info: true, raw: true, skip_empty_lines: true, trim: true };
    return rows.parse(parse(readText(file), options));
  } catch (error) {
    throw badSource(`file ${file}`, [error instanceof Error ? error.message : String(error)]);
  }
}

/** The parser's rows. Its `lines` counts to the end of the row, which may contain quoted line breaks. */
const rows = z.array(
  z
    .object({ info: z.object({ lines: z.number() }), raw: z.string(), record: z.unknown() })
    .transform(({ info, raw, record }) => ({
      place: `line ${info.lines - raw.trim().split("\n").length + 1}`,
      values: record,
    })),
);

/** Refuses other encodings, which would change names silently. Removes a byte order mark. */
function readText(file: string): string {
  const bytes = readFileSync(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("it isn't UTF-8 text");
  }
}

/** The parser would keep only the last of two columns with the same name. */
function uniqueColumns(names: string[]): string[] {
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw new Error(`it has two columns ${repeated}`);
  return names;
}
