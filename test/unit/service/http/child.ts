/** A process of its own for requests, because a process reads proxies and certificates from its environment. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { channelTo } from "../../../../provider/src/service/http/channel";
import { TransportError } from "../../../../provider/src/service/http/transportError";
import { TunnelAgent } from "../../../../provider/src/service/http/tunnelAgent";
import { inherited, run, succeeds, withFolder, type Environment } from "../../../harness/run";
import { loopbackCertificate } from "../../testing/loopbackCertificate";
import { methods, request, type RequestOptions } from "./requests";

const task = z.union([
  z.object({ proxyFor: z.string(), env: z.record(z.string(), z.string()) }),
  z.object({ method: z.enum(methods), url: z.string(), apiToken: z.string(), maxConnections: z.number() }),
]);

export type Task = z.infer<typeof task>;

/** The outcomes of tasks. `isTrusted`: whether the process trusts the tests' certificate. */
export function inChild(
  tasks: readonly Task[],
  { env = {}, isTrusted = true }: { env?: Environment; isTrusted?: boolean } = {},
): Promise<string[]> {
  return withFolder(async (folder) => {
    const trusted = join(folder, "trusted.pem");
    await writeFile(trusted, loopbackCertificate.cert);
    const trust = isTrusted ? { NODE_EXTRA_CA_CERTS: trusted } : {};
    const args = ["--require", "ts-node/register", __filename, JSON.stringify(tasks)];
    const environment = { ...inherited(), ...env, ...trust, TS_NODE_TRANSPILE_ONLY: "true" };
    const { stdout } = succeeds(await run(process.execPath, args, { env: environment }));
    return z.array(z.string()).parse(JSON.parse(stdout));
  });
}

if (require.main === module) {
  const tasks = z.array(task).parse(JSON.parse(process.argv[2] ?? ""));
  const outcomes = tasks.map(async (each) =>
    "env" in each ? proxyOf(each) : outcomeOf(each, each.apiToken),
  );
  void Promise.all(outcomes).then((texts) => {
    console.log(JSON.stringify(texts));
  });
}

/** The proxy of the agent for a URL, in an environment with these variables. */
function proxyOf({ proxyFor, env }: Extract<Task, { env: object }>): string {
  for (const name of Object.keys(process.env))
    if (/_proxy$/i.test(name)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  try {
    const { agent } = channelTo(new URL(proxyFor), 3);
    return agent instanceof TunnelAgent ? agent.proxy.href : "none";
  } catch (error) {
    return String(error);
  }
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
