import { randomBytes } from "node:crypto";
import { Router, type RequestHandler } from "express";
import { rateLimit } from "express-rate-limit";
import session from "express-session";
import { z } from "zod";
import { loginPage } from "./pages";
import type { User, Users } from "./users";

declare module "express-session" {
  interface SessionData {
    user: User;
  }
}

/** Sets `request.session.user`, and serves `/login` and `/logout`. Sessions are in `store`, or in memory for one server. */
export function login(users: Users, store?: session.Store): Router {
  const router = Router();
  router.use(assumeHttps, sessionsIn(store));
  router.get("/login", (_, response) => response.send(loginPage()));
  router.post("/login", ...attemptLimits(), async (request, response, next) => {
    const { data } = credentials.safeParse(request.body);
    const user = data && (await users.authenticate(data.name, data.password));
    if (!user) {
      response.status(401).send(loginPage("Name or password is wrong."));
      return;
    }
    // Each login starts a new session. An earlier cookie of the browser is then worth nothing.
    request.session.regenerate((error) => {
      if (error) {
        next(error);
        return;
      }
      request.session.user = user;
      response.redirect("/");
    });
  });
  router.post("/logout", (request, response, next) => {
    request.session.destroy((error) => {
      if (error) next(error);
      else response.clearCookie(cookieName, cookieOptions).redirect("/login");
    });
  });
  return router;
}

const credentials = z.object({ name: z.string(), password: z.string() });

/** Failed logins in 15 minutes: from one address, and for one name from anywhere. In memory, like the sessions. */
function attemptLimits(): RequestHandler[] {
  const common = {
    windowMs: 900_000,
    skipSuccessfulRequests: true,
    message: loginPage("Too many attempts. Try again later."),
  };
  const byName: RequestHandler = rateLimit({
    ...common,
    limit: 10,
    keyGenerator: ({ body }) => credentials.safeParse(body).data?.name.toLowerCase() ?? "",
  });
  return [rateLimit({ ...common, limit: 50 }), byName];
}

/** Browsers accept a cookie with this prefix from this host only, over https or from this machine. */
const cookieName = "__Host-session";
const cookieOptions = { httpOnly: true, path: "/", sameSite: "lax", secure: true } as const;

/** Several servers need one `store` and one `secret` for all. */
function sessionsIn(store?: session.Store): RequestHandler {
  return session({
    name: cookieName,
    secret: randomBytes(32).toString("hex"),
    proxy: true,
    resave: false,
    saveUninitialized: false,
    cookie: { ...cookieOptions, maxAge: 3_600_000 },
    ...(store && { store }),
  });
}

/** express-session sends no `Secure` cookie over http, but browsers accept it from this machine. A proxy sets the header. */
const assumeHttps: RequestHandler = ({ headers }, _response, next) => {
  headers["x-forwarded-proto"] ??= "https";
  next();
};
