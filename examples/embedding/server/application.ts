import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { dashboardPage, html, loginPage, noDashboardPage, type Page } from "./pages";
import { Sessions } from "./sessions";
import type { Tokens } from "./tokens";
import type { Users } from "./users";

export interface Parts {
  readonly tokens: Tokens;
  readonly users: Users;
}

/** A web application that shows each tenant's users their own dashboards. */
export function newApplication(parts: Parts): Server {
  const application = new Application(parts);
  return createServer((request, response) => {
    application.answer(request, response).catch((error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    });
  });
}

class Application {
  readonly #sessions = new Sessions();

  constructor(private readonly parts: Parts) {}

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "POST" && !isOwnForm(request)) {
      response.writeHead(403).end();
      return;
    }
    switch (`${request.method ?? ""} ${request.url ?? ""}`) {
      case "GET /":
        return this.#showDashboard(request, response);
      case "GET /login":
        show(response, 200, loginPage());
        return;
      case "POST /login":
        return this.#logIn(request, response);
      case "POST /logout":
        redirect(response, "/login", this.#sessions.end(request));
        return;
      default:
        response.writeHead(404).end();
    }
  }

  /** The tenant comes from the session alone: nothing that the browser says can name another one. */
  async #showDashboard(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const tenant = this.#sessions.tenantOf(request);
    if (tenant === undefined) {
      redirect(response, "/login");
      return;
    }
    const token = await this.parts.tokens.of(tenant);
    if (token === undefined) show(response, 503, noDashboardPage(tenant));
    else show(response, 200, dashboardPage(tenant, token));
  }

  async #logIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    const tenant = this.parts.users.tenantOf(form.get("name") ?? "", form.get("password") ?? "");
    if (tenant === undefined) show(response, 401, loginPage("Name or password is wrong."));
    else redirect(response, "/", this.#sessions.start(tenant));
  }
}

/** Another site must not log anybody in or out here, and nobody needs to send much. */
function isOwnForm({ headers }: IncomingMessage): boolean {
  const { origin = "", host, "content-length": length = "Infinity" } = headers;
  return URL.canParse(origin) && new URL(origin).host === host && Number(length) <= 4096;
}

/** The page carries a token, so that no cache may keep it, no other page may frame it, and only its own script runs. */
function show(response: ServerResponse, status: number, page: Page): void {
  const nonce = randomBytes(16).toString("base64");
  response.writeHead(status, {
    "cache-control": "no-store",
    "content-security-policy":
      `default-src 'none'; script-src 'nonce-${nonce}'; form-action 'self'; ` +
      "base-uri 'none'; frame-ancestors 'none'",
    "content-type": "text/html; charset=utf-8",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
  });
  response.end(html(page, nonce));
}

function redirect(response: ServerResponse, location: string, cookie?: string): void {
  response.writeHead(303, { location, ...(cookie !== undefined && { "set-cookie": cookie }) }).end();
}
