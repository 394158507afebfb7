import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import type { Store } from "express-session";
import helmet from "helmet";
import { login } from "./login";
import { dashboardPage, noDashboardPage } from "./pages";
import { snippet, snippetOrigins } from "./snippet";
import type { Tokens } from "./tokens";
import type { Users } from "./users";

/** A web application that shows each tenant's users their own dashboards. */
export function newApplication(tokens: Tokens, users: Users, store?: Store): Express {
  const application = express();
  // The proxy on this machine passes the browser's address, which limits attempts to log in.
  application.set("trust proxy", "loopback");
  application.use(headers, refuseOtherSites, express.urlencoded({ extended: false, limit: "4kb" }));
  application.use(login(users, store));
  application.get("/snippet.js", (_, response) => response.type("js").send(snippet));
  // The session's user has the tenant. Nothing else that the browser sends can select another one.
  application.get("/", async ({ session: { user } }, response) => {
    const token = user && (await tokens(user.tenant));
    if (!user) response.redirect("/login");
    else if (token === undefined) response.status(503).send(noDashboardPage(user.tenant));
    else response.send(dashboardPage(user.tenant, token));
  });
  application.use(onError);
  return application;
}

/** No other site may frame a page, and only the snippet runs in it. */
const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'", ...snippetOrigins],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // Without a referrer, browsers would not send the origin with a form.
  referrerPolicy: { policy: "same-origin" },
});

/** Pages have tokens, so no cache may keep them. */
const headers: RequestHandler = (request, response, next) => {
  response.set("cache-control", "no-store");
  securityHeaders(request, response, next);
};

/** Another site must not log anybody in or out here. */
const refuseOtherSites: RequestHandler = ({ method, headers: { origin = "" }, host }, response, next) => {
  const isOwn = URL.canParse(origin) && new URL(origin).host === host;
  if (method === "POST" && !isOwn) response.sendStatus(403);
  else next();
};

/** Express itself would show errors to the browser. A bad request, such as a long form, isn't logged. */
const onError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  if (status >= 500) console.error(error);
  if (response.headersSent) next(error);
  else response.sendStatus(status);
};
