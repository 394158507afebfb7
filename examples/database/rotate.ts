/**
 * Marks customers whose tokens are older than 90 days in the database at ROTATION_URL, so that the next `up` gives them new ones. Once a
 * day, at most a thirtieth of all customers: those who signed up on one day don't get their tokens on one day again.
 */
import { Client } from "pg";

rotate().catch((error: unknown) => {
  console.error(`Not rotated: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});

async function rotate(): Promise<void> {
  const { ROTATION_URL: url } = process.env;
  if (!url) throw new Error("set ROTATION_URL");
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined); // the next statement fails then
  try {
    await client.connect();
    const { rowCount } = await client.query(`update customers set rotated = now() where id in (
      select id from customers where rotated < now() - interval '90 days' and left_at is null order by rotated, id
      limit (select ceil(count(*) / 30.0) from customers))`);
    console.log(`Customers to get a new token: ${rowCount ?? 0}`);
  } finally {
    await client.end();
  }
}
