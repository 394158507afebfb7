/** Reads customers from a table in PostgreSQL. */
import { Client, DatabaseError } from "pg";
import { z } from "zod";
import { badSource, checkCustomers, runError, type Customer, type Row } from "./customers";

const query = "SELECT id, name, warehouse, region, seats FROM customers ORDER BY id";

/**
 * `url`: such as `postgres://reader:password@db.example/crm?sslmode=verify-full`. Error: a RunError that names each bad row
 * by its number in the query's result and by its ID. It never contains the URL, because the URL contains a password.
 */
export async function customersInDatabase(url: string | undefined): Promise<Customer[]> {
  if (!url) throw runError("Set CUSTOMERS_DATABASE_URL to the address of the customers' database.");
  return checkCustomers(source, await readRows(url));
}

const source = "database of CUSTOMERS_DATABASE_URL";

async function readRows(connectionString: string): Promise<Row[]> {
  try {
    const client = new Client({ connectionString, connectionTimeoutMillis: 10_000, query_timeout: 60_000 });
    try {
      await client.connect();
      const { rows } = await client.query(query);
      return z
        .array(idOnly)
        .parse(rows)
        .map((values, index) => ({
          place: `row ${index + 1} (id ${JSON.stringify(values.id)})`,
          values,
        }));
    } finally {
      await client.end();
    }
  } catch (error) {
    throw badSource(source, [reasonOf(error)]);
  }
}

const idOnly = z.looseObject({ id: z.unknown() });

/** The error of a connection, unlike that of the database, may quote the URL. */
function reasonOf(error: unknown): string {
  if (error instanceof DatabaseError) return error.message;
  if (error instanceof Error && "code" in error) return String(error.code);
  return error instanceof Error ? error.message : "unknown error";
}
