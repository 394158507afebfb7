import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Who is logged in. It is kept in memory: with several servers it belongs into a store that they share. */
export class Sessions {
  readonly #tenants = new Map<string, { readonly tenant: string; readonly ends: number }>();

  /** A new session for each login, so that a cookie from before it is worth nothing. Gives the cookie. */
  start(tenant: string): string {
    this.#forgetEnded();
    const id = randomBytes(32).toString("base64url");
    this.#tenants.set(id, { tenant, ends: Date.now() + lifetimeSeconds * 1000 });
    return cookie(id, lifetimeSeconds);
  }

  /** The tenant whose user sends the request; undefined where nobody is logged in. */
  tenantOf(request: IncomingMessage): string | undefined {
    const session = this.#tenants.get(idIn(request) ?? "");
    return session && session.ends > Date.now() ? session.tenant : undefined;
  }

  /** Ends the session of the request. Gives the cookie that removes the browser's. */
  end(request: IncomingMessage): string {
    this.#tenants.delete(idIn(request) ?? "");
    return cookie("", 0);
  }

  #forgetEnded(): void {
    for (const [id, { ends }] of this.#tenants) if (ends <= Date.now()) this.#tenants.delete(id);
  }
}

const lifetimeSeconds = 3600;

/** The prefix makes browsers refuse the cookie unless it comes over https (or from this machine), for this host only. */
const cookieName = "__Host-session";

function cookie(id: string, seconds: number): string {
  return `${cookieName}=${id}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Lax`;
}

function idIn({ headers }: IncomingMessage): string | undefined {
  const cookies = (headers.cookie ?? "").split(";").map((each) => each.trim().split("="));
  return cookies.find(([name]) => name === cookieName)?.[1];
}
