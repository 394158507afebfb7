/** What `askInChild` runs: exchanges at once, and prints what came of each. */
import { z } from "zod";
import { TransportError } from "../../provider/src/transportError";
import { ask, methods, type Ask } from "./exchanges";

const order = z.object({
  service: z.object({ baseUrl: z.string(), apiToken: z.string() }),
  asks: z.array(z.object({ method: z.enum(methods), url: z.url(), maxConnections: z.number() })),
});

const { service, asks } = order.parse(JSON.parse(process.env["ASKS"] ?? ""));
void Promise.all(asks.map(attempt)).then((outcomes) => {
  console.log(JSON.stringify(outcomes));
});

async function attempt(asked: Ask): Promise<object> {
  try {
    return { status: (await ask(service, asked)).status };
  } catch (error) {
    if (error instanceof TransportError) return { failure: error.fault.message };
    throw error;
  }
}
