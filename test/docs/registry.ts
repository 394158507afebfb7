import { once } from "node:events";
import { createServer } from "node:http";
import { portOf } from "../harness/portOf";

/** A package registry on a loopback port that knows no package. */
export interface Registry {
  readonly url: string;
  /** The methods of the requests that arrived. */
  readonly methods: readonly string[];
  stop(): void;
}

export async function startRegistry(): Promise<Registry> {
  const methods: string[] = [];
  const server = createServer(({ method = "" }, response) => {
    methods.push(method);
    response.writeHead(404).end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    methods,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
