/** The connections of a worker, beside those of pg-boss. They come back when the database was down. */
import { Pool, type PoolClient } from "pg";

export type Database = Pool | PoolClient;

export function connect(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: 3, connectionTimeoutMillis: 10_000 });
  // A connection that breaks between two statements throws, unless somebody listens. The next statement fails then.
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", (error) => console.error(`database: ${error.message}`));
  return pool;
}

export async function transaction<Result>(
  pool: Pool,
  run: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await run(client);
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    // Closing the connection rolls back, also when it is broken.
    client.release(true);
    throw error;
  }
}
