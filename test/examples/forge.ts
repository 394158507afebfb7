import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { portOf } from "../harness/portOf";

/** A forge's API as far as the pipeline uses it: responses to GET requests, and the comments that were written. */
export interface Forge {
  readonly url: string;
  readonly written: { readonly request: string; readonly body: string }[];
  /** The values of a header of all requests. */
  readonly headers: (name: string) => ReadonlySet<unknown>;
  stop(): Promise<void>;
}

/**
 * `answers`: path, with its query in alphabetical order but without its page → response. A list is sent in pages of two, a text as it is.
 * Listens on a free port, or on `socket`.
 */
export async function startForge(
  answers: Readonly<Record<string, unknown>>,
  socket?: string,
): Promise<Forge> {
  const written: { request: string; body: string }[] = [];
  const received: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer((request, response) => {
    received.push(request.headers);
    const { method = "", url = "" } = request;
    // gh takes the socket for that of GitHub's API.
    const origin = socket === undefined ? `http://${request.headers.host ?? ""}` : "https://api.github.com";
    const { path, page } = pageOf(new URL(url, origin));
    void text(request).then((sent) => {
      const isRead = method === "GET";
      if (!isRead) written.push({ request: `${method} ${path}`, body: comment.parse(JSON.parse(sent)).body });
      respond(response, isRead ? answers[path] : {}, page);
    });
  });
  if (socket === undefined) server.listen(0, "127.0.0.1");
  else server.listen(socket);
  await once(server, "listening");
  return {
    url: socket === undefined ? `http://127.0.0.1:${portOf(server)}` : "",
    written,
    headers: (name) => new Set(received.map((each) => each[name])),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const comment = z.strictObject({ body: z.string() });

/** Less than what was asked for, as forges may do. */
const pageSize = 2;

interface Page {
  readonly from: number;
  readonly to: number;
  /** The address of the next page. */
  readonly next: string;
}

function pageOf({ origin, pathname, searchParams: query }: URL): { path: string; page: Page } {
  const number = Number(query.get("page") ?? 1);
  query.set("page", String(number + 1));
  const next = `${origin}${pathname}?${query.toString()}`;
  query.delete("page");
  query.delete("per_page");
  query.sort();
  const path = query.size > 0 ? `${pathname}?${query.toString()}` : pathname;
  return { path, page: { from: (number - 1) * pageSize, to: number * pageSize, next } };
}

function respond(response: ServerResponse, answer: unknown, { from, to, next }: Page): void {
  if (typeof answer === "string") return void response.end(answer);
  response.setHeader("content-type", "application/json");
  if (answer === undefined) return void response.writeHead(404).end('{"message":"Not Found"}');
  if (!Array.isArray(answer)) return void response.end(JSON.stringify(answer));
  if (answer.length > to) response.setHeader("link", `<${next}>; rel="next"`);
  response.end(JSON.stringify(answer.slice(from, to)));
}
