import { randomBytes } from "node:crypto";
import { Router, type RequestHandler } from "express";
import session from "express-session";
import { z } from "zod";
import { loginPage } from "./pages";
import type { User, Users } from "./users";

declare module "express-session" {
  interface SessionData {
    user: User;
  }
}

/** Sets `request.session.user`, and serves `/login` and `/logout`. */
export function login(users: Users): Router {
  const router = Router();
  router.use(assumeHttps, sessions);
  router.get("/login", ({ query }, response) => response.send(loginPage("failed" in query)));
  router.post("/login", async (request, response, next) => {
    const { data } = credentials.safeParse(request.body);
    const user = data && (await users.authenticate(data.name, data.password));
    if (!user) response.redirect("/login?failed");
    // Each login starts a new session. An earlier cookie of the browser is then worth nothing.
    else
      request.session.regenerate((error) => {
        request.session.user = user;
        if (error) next(error);
        else response.redirect("/");
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

/** Browsers accept a cookie with this prefix from this host only, over https or from this machine. */
const cookieName = "__Host-session";
const cookieOptions = { httpOnly: true, path: "/", sameSite: "lax", secure: true } as const;

/** In memory, for one server. Several servers need one `store` and one `secret` for all. */
const sessions = session({
  name: cookieName,
  secret: randomBytes(32).toString("hex"),
  proxy: true,
  resave: false,
  saveUninitialized: false,
  cookie: { ...cookieOptions, maxAge: 3_600_000 },
});

/** express-session sends no `Secure` cookie over http, but browsers accept it from this machine. A proxy sets the header. */
const assumeHttps: RequestHandler = ({ headers }, _response, next) => {
  headers["x-forwarded-proto"] ??= "https";
  next();
};
