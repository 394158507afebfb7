/**
 * One attempt. There are two ways out, since the Fetch standard forbids a GET with a body: that one goes through
 * `node:http(s)` and comes back as a node-fetch `Response`; the rest goes through node-fetch.
 */
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import path from "node:path";
import fetch, { Response } from "node-fetch";
import { z } from "zod";
import { agentFor } from "./agents";

export interface Sending {
  readonly method: "GET" | "DELETE";
  readonly url: URL;
  /** Value of the header `Authorization`. */
  readonly authorization: string;
}

interface Conditions {
  readonly maxConnections: number;
  readonly signal: AbortSignal;
}

/** A group's answer has some hundred bytes; reading more than this fails. */
const maxAnswerBytes = 1024 * 1024;

/** Sends `body`, and gives the answer as soon as its head is there. Redirects are not followed. */
export async function send(sending: Sending, body: string, conditions: Conditions): Promise<Response> {
  const options = {
    method: sending.method,
    headers: headersOf(sending, body),
    agent: agentFor(sending.url, conditions.maxConnections),
    signal: conditions.signal,
  };
  if (sending.method === "GET") return sendWithNodeHttp(sending.url, options, body);
  return fetch(sending.url, { ...options, body, redirect: "manual", compress: false, size: maxAnswerBytes });
}

/** Node writes the body of a GET unframed, unless `content-length` is set by hand. */
function headersOf({ authorization }: Sending, body: string): Record<string, string> {
  return {
    accept: "application/json",
    "accept-encoding": "identity",
    authorization,
    "content-length": Buffer.byteLength(body).toString(),
    "content-type": "application/json",
    "user-agent": userAgent,
  };
}

const packageFile = path.join(__dirname, "..", "package.json");
const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageFile, "utf8")));
const userAgent = `pulumi-user-groups/${version}`;

function sendWithNodeHttp(url: URL, options: https.RequestOptions, body: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === "https:" ? https : http;
    const outgoing = request(url, options, (incoming) => {
      try {
        resolve(toResponse(incoming));
      } catch (error) {
        reject(error instanceof Error ? error : new Error("unreadable head of the answer"));
      }
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function toResponse(incoming: http.IncomingMessage): Response {
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  // `size` works as it does in the options of fetch, though its type doesn't say so.
  const init = { status: incoming.statusCode ?? 0, headers, size: maxAnswerBytes };
  return new Response(incoming, init);
}
