// Where the time of a profiled process went: seconds of its own code by package.
import { z } from "zod";

export interface Summary {
  /** Seconds by package or kind of work, the most first. */
  readonly parts: Readonly<Record<string, number>>;
  /** The functions that took the most themselves, each with its seconds. */
  readonly functions: readonly (readonly [name: string, seconds: number])[];
}

export function summaryOf(profile: unknown): Summary {
  const { nodes, samples, timeDeltas } = cpuProfile.parse(profile);
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const [parts, functions] = [new Map<string, number>(), new Map<string, number>()];
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    const seconds = Math.max(0, timeDeltas[index] ?? 0) / 1e6;
    if (!frame) continue;
    add(parts, partOf(frame), seconds);
    add(functions, `${frame.functionName} (${placeOf(frame)})`, seconds);
  }
  return { parts: Object.fromEntries(largest(parts)), functions: largest(functions).slice(0, 25) };
}

type Frame = z.infer<typeof callFrame>;

const callFrame = z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() });

const cpuProfile = z.object({
  nodes: z.array(z.object({ id: z.number(), callFrame })),
  samples: z.array(z.number()),
  /** Microseconds before each sample. */
  timeDeltas: z.array(z.number()),
});

function add(sums: Map<string, number>, key: string, seconds: number): void {
  sums.set(key, (sums.get(key) ?? 0) + seconds);
}

function largest(sums: ReadonlyMap<string, number>): [string, number][] {
  return [...sums].sort(([, one], [, other]) => other - one);
}

function partOf({ functionName, url }: Frame): string {
  const known = special[functionName];
  if (url === "" && known !== undefined) return known;
  if (url === "" || url.startsWith("node:")) return "Node.js";
  const packages = [...url.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)/g)].map(([, name]) => name);
  if (url.includes("/provider/dist/")) return "pulumi-user-groups";
  return packages.at(-1) ?? "the program itself";
}

const special: Readonly<Record<string, string>> = {
  "(idle)": "waiting",
  "(garbage collector)": "garbage collection",
  "(program)": "native code",
};

function placeOf({ url, lineNumber }: Frame): string {
  return url === "" ? "native" : `${url.replace(/^.*\/node_modules\//, "")}:${lineNumber + 1}`;
}
