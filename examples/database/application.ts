/** A page with a customer's dashboards. While it is open, it sends the token that it has to /token, and gets the current one. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Sql } from "postgres";

/** `customerOf` is your login: the customer whose user sends the request. */
export function newApplication(sql: Sql, customerOf: (request: IncomingMessage) => string): Server {
  return createServer((request, response) => {
    void validTokens(sql, customerOf(request)).then((tokens) => {
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
async function validTokens(sql: Sql, customer: string): Promise<string[]> {
  const rows = await sql`select token from dashboard_tokens where customer_id = ${customer}
    and (valid_until is null or valid_until > now()) order by valid_until desc nulls first`.catch(() => []);
  return rows.map(({ token }) => String(token));
}
