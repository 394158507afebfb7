/** Statements as templates, such as sql`select ${1}`, each on some connection of a pool. Connections may break. */
import { Pool, type ClientBase } from "pg";

export type Sql = ReturnType<typeof newSql>;

export function newSql(connectionString: string) {
  const pool = new Pool({ connectionString });
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", () => undefined);
  return Object.assign(statementsOn(pool), {
    /** One connection, for a transaction. */
    async reserve() {
      const client = await pool.connect();
      return Object.assign(statementsOn(client), {
        release: () => {
          client.release();
        },
      });
    },
    end: () => pool.end(),
  });
}

function statementsOn(connection: Pool | ClientBase) {
  const statement = async <Row>(texts: readonly string[], ...values: readonly unknown[]): Promise<Row[]> => {
    const text = texts.reduce((before, next, index) => `${before}$${index}${next}`);
    return (await connection.query(text, [...values])).rows as Row[];
  };
  return Object.assign(statement, {
    /** Several statements without values. The rows are those of a single one. */
    unsafe: async <Row>(text: string): Promise<Row[]> => (await connection.query(text)).rows as Row[],
  });
}
