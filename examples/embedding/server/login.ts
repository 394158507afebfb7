/* eslint-disable @typescript-eslint/no-unsafe-argument -- Passport's types call its handlers `any`. */
import { randomBytes } from "node:crypto";
import { Router, type RequestHandler } from "express";
import session from "express-session";
import { Passport } from "passport";
import { Strategy } from "passport-local";
import { loginPage } from "./pages";
import type { Users } from "./users";

/** Sets `request.user` from the session, and serves `/login` and `/logout`. */
export function login(users: Users): Router {
  const router = Router();
  const passport = passportOf(users);
  router.use(assumeHttps, sessions(), passport.session());
  router.get("/login", ({ query }, response) => response.send(loginPage("failed" in query)));
  // Each login starts a new session. An earlier cookie of the browser is then worth nothing.
  const redirects = { successRedirect: "/", failureRedirect: "/login?failed" };
  router.post("/login", passport.authenticate("local", redirects));
  router.post("/logout", (request, response, next) => {
    request.session.destroy((error) => {
      if (error) next(error);
      else response.clearCookie(cookieName, cookieOptions).redirect("/login");
    });
  });
  return router;
}

function passportOf(users: Users): InstanceType<typeof Passport> {
  const passport = new Passport();
  const check = new Strategy({ usernameField: "name" }, (name, password, done) => {
    users.authenticate(name, password).then((user) => {
      done(null, user ?? false);
    }, done);
  });
  passport.use(check);
  passport.serializeUser((user, done) => {
    done(null, user.name);
  });
  passport.deserializeUser((name, done) => {
    done(null, users.find(name) ?? false);
  });
  return passport;
}

/** In memory, for one server. Several servers need one `store` and one `secret` for all. */
function sessions(): RequestHandler {
  return session({
    name: cookieName,
    secret: randomBytes(32).toString("hex"),
    proxy: true,
    resave: false,
    saveUninitialized: false,
    cookie: { ...cookieOptions, maxAge: 3_600_000 },
  });
}

/** Browsers accept a cookie with this prefix from this host only, over https or from this machine. */
const cookieName = "__Host-session";

const cookieOptions = { httpOnly: true, path: "/", sameSite: "lax", secure: true } as const;

/** express-session sends no `Secure` cookie over http, but browsers accept it from this machine. A proxy sets the header. */
const assumeHttps: RequestHandler = ({ headers }, _response, next) => {
  headers["x-forwarded-proto"] ??= "https";
  next();
};
