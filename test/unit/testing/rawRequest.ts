/** Requests to the emulator without the product's own client. */
import { type IncomingHttpHeaders, type IncomingMessage, request, type RequestOptions } from "node:http";
import { request as requestByTls } from "node:https";
import { buffer } from "node:stream/consumers";
import type { Emulator } from "../../../provider/src/testing";

/** One request. Its defaults are a get-or-create as the interface defines it. */
export interface RawRequest extends Pick<RequestOptions, "agent" | "signal"> {
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The certificate to trust. */
  readonly ca?: string;
}

interface RawResponse {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

type Service = Pick<Emulator, "baseUrl" | "apiToken">;

/** Sends a request. Rejects without a complete response. */
export async function send(service: Service, options: RawRequest): Promise<RawResponse> {
  const response = await open(service, options);
  const text = (await buffer(response)).toString();
  return { status: response.statusCode, headers: response.headers, text };
}

/** Sends a request. Resolves with the head of the response. */
export function open(
  { baseUrl, apiToken }: Service,
  { path = "/api/user", body, headers, ...options }: RawRequest,
): Promise<IncomingMessage> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const sent = {
    authorization: `Token ${apiToken}`,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const start = baseUrl.startsWith("https:") ? requestByTls : request;
    start(baseUrl + path, { ...options, headers: sent }, resolve)
      .on("error", reject)
      .end(text);
  });
}
