/**
 * The settings that a gateway in front of the service may demand: headers, and a client certificate with its key (mutual TLS).
 * Validation issues name headers, but contain no value and no path.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import * as z from "zod";
import { escaped } from "../text";
import { jsonText } from "../validation";
import { isObject } from "../values";

const headersForm = "must be a JSON object of header names and values, such as an access key";

/** A JSON object, header name → value. `pulumi config set --path` makes numbers and booleans of some values. */
export const requestHeaders = jsonText(headersForm).transform((value, context): Record<string, string> => {
  const entries = Object.entries(isObject(value) ? value : {}).map(([name, text]) => ({ name, text }));
  const issue = isObject(value) ? headersIssue(entries) : headersForm;
  if (issue !== undefined) context.addIssue({ code: "custom", message: issue });
  return Object.fromEntries(entries.map(({ name, text }) => [name, String(text)]));
});

export const clientCertificate = pem("a certificate", (text) => new X509Certificate(text));
export const clientKey = pem("a private key without a passphrase", createPrivateKey);

interface ClientCertificate {
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
}

/** The issue of a certificate and a key that are valid on their own, and the setting that has it. */
export function pairIssue({ clientCertificate: certificate, clientKey: key }: ClientCertificate) {
  if (certificate === undefined && key === undefined) return undefined;
  if (key === undefined)
    return { setting: "clientCertificate", reason: "requires clientKey, from the same place" } as const;
  if (certificate === undefined)
    return { setting: "clientKey", reason: "requires clientCertificate, from the same place" } as const;
  const isPair = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  return isPair ? undefined : ({ setting: "clientKey", reason: "isn't that of clientCertificate" } as const);
}

interface Header {
  readonly name: string;
  readonly text: unknown;
}

function headersIssue(headers: readonly Header[]): string | undefined {
  const names = headers.map(({ name }) => name.toLowerCase());
  if (new Set(names).size < names.length) return "has a name twice, in upper and lower case";
  return headers.map(headerIssue).find((issue) => issue !== undefined);
}

/** RFC 9110, section 5.6.2. */
const token = /^[\w!#$%&'*+.^`|~-]+$/;

/** Those that the package sets itself, and those of the connection (RFC 9110, section 7.6.1). */
const reserved =
  /^(accept(-encoding)?|authorization|cache-control|connection|content-.*|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|user-agent)$/i;

function headerIssue({ name, text }: Header): string | undefined {
  if (!token.test(name)) return "has a name that is no token (RFC 9110), for example with a blank or a colon";
  const shown = escaped(name);
  if (reserved.test(name)) return `must not have ${shown}, because the package sets or needs it itself`;
  if (typeof text === "number" && !Number.isSafeInteger(text))
    return `has a number as ${shown} that JSON can't carry exactly: write it as a string`;
  if (!["string", "number", "boolean"].includes(typeof text)) return `must have a string as ${shown}`;
  if (/[\r\n]/.test(String(text))) return `has a line break in ${shown}`;
  return /^[\t\x20-\x7e]+$/.test(String(text)) ? undefined : `must have visible ASCII as ${shown}`;
}

/** PEM text, or the path of a file with it → the text. */
function pem(what: string, parse: (text: string) => unknown) {
  return z.string().transform((value, context): string => {
    const { text, code } = value.includes("-----BEGIN ") ? { text: value } : contentOf(value);
    if (text === undefined)
      context.addIssue({
        code: "custom",
        message: `is neither PEM text nor a file that can be read (${code})`,
      });
    else if (!isParsed(text, parse))
      context.addIssue({ code: "custom", message: `must be ${what} in PEM, or the path of a file with it` });
    return text ?? "";
  });
}

function contentOf(path: string): { readonly text?: string; readonly code?: string } {
  try {
    return { text: readFileSync(path, "utf8") };
  } catch (error) {
    return { code: error instanceof Error && "code" in error ? String(error.code) : "unknown" };
  }
}

function isParsed(text: string, parse: (text: string) => unknown): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
