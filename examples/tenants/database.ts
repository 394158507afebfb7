/** Reads customers from a table in PostgreSQL. */
import { RunError } from "@pulumi/pulumi";
import { Client, DatabaseError } from "pg";
import { z } from "zod";
import { badSource, checkCustomers, type Customer, type Row } from "./customers";

const query = "SELECT id, name, warehouse, region, seats FROM customers ORDER BY id";

/**
 * `url`: such as `postgres://reader:password@db.example/crm?sslmode=verify-full`. Error: a RunError that names each bad row
 * by its number in the query's result and by its ID. It never contains the URL, because the URL contains a password.
 */
export function customersInDatabase(url: string | undefined): Promise<Customer[]> {
  if (!url) throw new RunError("Set CUSTOMERS_DATABASE_URL to the address of the customers' database.");
  return readCustomers(newClient(url));
}

const source = "database of CUSTOMERS_DATABASE_URL";

function newClient(connectionString: string): Client {
  try {
    return new Client({ connectionString, connectionTimeoutMillis: 10_000, query_timeout: 60_000 });
  } catch (error) {
    throw badSource(source, [reasonOf(error)]);
  }
}

async function readCustomers(client: Client): Promise<Customer[]> {
  const rows = await readRows(client).catch((error: unknown) => {
    throw badSource(source, [reasonOf(error)]);
  });
  return checkCustomers(source, rows);
}

async function readRows(client: Client): Promise<Row[]> {
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
}

const idOnly = z.looseObject({ id: z.unknown() });

/** The error of a connection, unlike that of the database, may quote the URL. */
function reasonOf(error: unknown): string {
  if (error instanceof DatabaseError) return error.message;
  if (error instanceof Error && "code" in error) return String(error.code);
  return error instanceof Error ? error.message : "unknown error";
}
