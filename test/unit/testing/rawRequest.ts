/** Requests to the emulator without the product's own client. */
import { type IncomingHttpHeaders, type IncomingMessage, request, type RequestOptions } from "node:http";
import { request as requestByTls } from "node:https";
import { buffer } from "node:stream/consumers";
import type { Emulator } from "../../../provider/src/testing";

/** One request, by default a get-or-create. `ca`: the certificate to trust. */
interface RawRequest extends Pick<RequestOptions, "agent"> {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent as it is, instead of the JSON of `body`. */
  readonly text?: string;
  readonly ca?: string;
}

interface RawResponse {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request. Rejects without a complete response. */
export async function send(
  { baseUrl, apiToken }: Pick<Emulator, "baseUrl" | "apiToken">,
  { path = "/api/user", body, text = JSON.stringify(body ?? ""), headers, ...options }: RawRequest,
): Promise<RawResponse> {
  const type = { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) };
  const sent = { authorization: `Token ${apiToken}`, ...type, ...headers };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const start = baseUrl.startsWith("https:") ? requestByTls : request;
    start(baseUrl + path, { ...options, headers: sent }, resolve)
      .on("error", reject)
      .end(text);
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    text: (await buffer(response)).toString(),
  };
}
