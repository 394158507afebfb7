import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { portOf } from "../harness/portOf";

/** A forge's API as far as the pipeline asks it: what it answers to a GET, and what was written. */
export interface Forge {
  readonly url: string;
  readonly written: { readonly request: string; readonly body: string }[];
  /** The values of a header of all requests. */
  readonly headers: (name: string) => ReadonlySet<unknown>;
  stop(): Promise<void>;
}

/** Paths are answered without their page: the second page of any list is empty. A text is sent as it is. */
export async function startForge(answers: Readonly<Record<string, unknown>>): Promise<Forge> {
  const written: { request: string; body: string }[] = [];
  const received: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer((request, response) => {
    received.push(request.headers);
    const { method = "", url = "" } = request;
    const path = url.replace(/[?&]per_page=.*$/, "");
    void text(request).then((sent) => {
      if (method !== "GET") {
        const { body } = comment.parse(JSON.parse(sent));
        written.push({ request: `${method} ${path}`, body });
      }
      const answer = method === "GET" ? answers[path] : {};
      response.statusCode = answer === undefined ? 404 : 200;
      response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
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
