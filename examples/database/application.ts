/** A page with a customer's dashboards. While it is open, it sends the token that it has to /token, and gets the current one. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Pool } from "pg";

/** `customerOf` is your login: the customer whose user sends the request. */
export function newApplication(database: Pool, customerOf: (request: IncomingMessage) => string): Server {
  return createServer((request, response) => {
    void validTokens(database, customerOf(request)).then((tokens) => {
      const current = tokens.at(0);
      const isOpen = tokens.some((token) => request.headers.authorization === `Bearer ${token}`);
      response.setHeader("cache-control", "no-store");
      if (current === undefined) response.writeHead(503).end("Come back later.");
      else if (request.url === "/token") response.writeHead(isOpen ? 200 : 403).end(isOpen ? current : "");
      else response.end(`<div id="dashboard" data-token="${encodeURIComponent(current)}"></div>`);
    });
  });
}

/** The current token first. None while the database is down. */
async function validTokens(database: Pool, customer: string): Promise<string[]> {
  const statement = `select token from dashboard_tokens where customer_id = $1
    and (valid_until is null or valid_until > now()) order by valid_until desc nulls first`;
  const { rows } = await database.query<{ token: string }>(statement, [customer]).catch(() => ({ rows: [] }));
  return rows.map(({ token }) => token);
}
