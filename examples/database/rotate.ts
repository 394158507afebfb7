/**
 * Marks customers whose tokens are older than 90 days in the database at ROTATION_URL, so that the next `up` gives them new ones. Once a
 * day, at most a thirtieth of all customers: those who signed up on one day don't get their tokens on one day again.
 */
import postgres from "postgres";

rotate().catch((error: unknown) => {
  console.error(`Not rotated: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});

async function rotate(): Promise<void> {
  const { ROTATION_URL: url } = process.env;
  if (!url) throw new Error("set ROTATION_URL");
  const sql = postgres(url, { max: 1, connect_timeout: 10 });
  try {
    const { count } = await sql`update customers set rotated = current_date where id in (
      select id from customers where rotated < current_date - 90 and left_at is null order by rotated, id
      limit (select ceil(count(*) / 30.0) from customers))`;
    console.log(`Customers to get a new token: ${count}`);
  } finally {
    await sql.end();
  }
}
