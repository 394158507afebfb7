/** The address of a service. */
import * as z from "zod";
import { escaped } from "../text";

const loopbackHost = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * A base URL → its normal form: lower-case host, no default port, no slash at the end. Allowed: https, or http on a loopback
 * host; a path. Refused: white space anywhere, credentials, a query, a fragment.
 */
export const serviceAddress = z
  .string()
  .regex(/^\S+$/, "must contain no white space (look for a line break)")
  .pipe(z.url("must be an absolute URL"))
  .transform((value) => new URL(value))
  .refine(
    (url) => url.protocol === "https:" || (url.protocol === "http:" && loopbackHost.test(url.hostname)),
    "must start with https:// (http:// only on a loopback host)",
  )
  .refine(({ username, password }) => username + password === "", "must contain no user name and no password")
  .refine(({ href }) => !/[?#]/.test(href), "must have no query and no fragment")
  .transform(({ href }) => href.replace(/\/+$/, ""));

/** The normal form of the address in a state. An invalid address is compared and shown by its text. */
export function normalizedAddress(address: string): string {
  return serviceAddress.safeParse(address).data ?? escaped(address);
}
