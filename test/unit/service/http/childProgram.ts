/** Runs what `inChild` asks for, and prints the outcomes. */
import { HttpsProxyAgent } from "https-proxy-agent";
import { z } from "zod";
import { agentFor } from "../../../../provider/src/service/http/agents";
import { TransportError } from "../../../../provider/src/service/http/transportError";
import { methods, request, type RequestOptions } from "./requests";

const task = z.union([
  z.object({ proxyFor: z.string(), env: z.record(z.string(), z.string()) }),
  z.object({ method: z.enum(methods), url: z.string(), apiToken: z.string(), maxConnections: z.number() }),
]);

export type Task = z.infer<typeof task>;

const tasks = z.array(task).parse(JSON.parse(process.argv[2] ?? ""));
const outcomes = tasks.map(async (each) => ("env" in each ? proxyOf(each) : outcomeOf(each, each.apiToken)));
void Promise.all(outcomes).then((outcomes) => {
  console.log(JSON.stringify(outcomes));
});

/** The proxy of the agent for a URL, in an environment with these variables. */
function proxyOf({ proxyFor, env }: Extract<Task, { env: object }>): string {
  for (const name of Object.keys(process.env))
    if (/_proxy$/i.test(name)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  const agent = agentFor(new URL(proxyFor), 3);
  return agent instanceof HttpsProxyAgent ? `${agent.proxy.href} ${agent.maxSockets}` : "none";
}

async function outcomeOf(options: RequestOptions, apiToken: string): Promise<string> {
  try {
    const { status, attempts } = await request({ baseUrl: "", apiToken }, options);
    return `status ${status}, ${attempts} attempts`;
  } catch (error) {
    if (error instanceof TransportError) return `${error.fault.message}, ${error.attempts} attempts`;
    throw error;
  }
}
