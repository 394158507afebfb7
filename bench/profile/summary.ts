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
  const stacks = stacksOf(nodes);
  const [parts, functions] = [new Map<string, number>(), new Map<string, number>()];
  for (const [index, id] of samples.entries()) {
    const [frame, ...callers] = stacks.get(id) ?? [];
    const seconds = Math.max(0, timeDeltas[index] ?? 0) / 1e6;
    if (!frame) continue;
    add(parts, partOf(frame, callers), seconds);
    add(functions, `${frame.functionName} (${placeOf(frame)})`, seconds);
  }
  return { parts: Object.fromEntries(largest(parts)), functions: largest(functions).slice(0, 25) };
}

type Frame = z.infer<typeof callFrame>;

const callFrame = z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() });

const node = z.object({ id: z.number(), callFrame, children: z.array(z.number()).default([]) });

const cpuProfile = z.object({
  nodes: z.array(node),
  samples: z.array(z.number()),
  /** Microseconds before each sample. */
  timeDeltas: z.array(z.number()),
});

/** Of each node its frame and those of its callers, the nearest first. */
function stacksOf(nodes: readonly z.infer<typeof node>[]): Map<number, Frame[]> {
  const stacks = new Map<number, Frame[]>();
  // The format lists a node before its children.
  for (const { id, callFrame: frame, children } of nodes) {
    const stack = [frame, ...(stacks.get(id) ?? [])];
    stacks.set(id, stack);
    for (const child of children) stacks.set(child, stack);
  }
  return stacks;
}

function add(sums: Map<string, number>, key: string, seconds: number): void {
  sums.set(key, (sums.get(key) ?? 0) + seconds);
}

function largest(sums: ReadonlyMap<string, number>): [string, number][] {
  return [...sums].sort(([, one], [, other]) => other - one);
}

function partOf(frame: Frame, callers: readonly Frame[]): string {
  const known = special[frame.functionName];
  if (frame.url === "" && known !== undefined) return known;
  if (isNode(frame)) return isLoading([frame, ...callers]) ? "loading modules" : "Node.js";
  if (frame.url.includes("/provider/dist/")) return "pulumi-user-groups";
  return packageOf(frame.url) ?? "the program itself";
}

function isNode({ url }: Frame): boolean {
  return url === "" || url.startsWith("node:");
}

/** Whether Node's own code was called by its module loader, with nobody else's between. */
function isLoading(stack: readonly Frame[]): boolean {
  const end = stack.findIndex((frame) => !isNode(frame));
  const own = end < 0 ? stack : stack.slice(0, end);
  return own.some(({ url }) => /^node:internal\/(modules|bootstrap)\//.test(url));
}

function packageOf(url: string): string | undefined {
  const name = [...url.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)/g)].at(-1)?.[1];
  return name === undefined || shown.includes(name) ? name : "other packages";
}

const shown = [
  "@grpc/grpc-js",
  "@pulumi/pulumi",
  "google-protobuf",
  "node-fetch",
  "p-map",
  "p-retry",
  "ts-node",
  "typescript",
  "zod",
];

const special: Readonly<Record<string, string>> = {
  "(idle)": "waiting",
  "(garbage collector)": "garbage collection",
  "(program)": "native code",
};

function placeOf({ url, lineNumber }: Frame): string {
  return url === "" ? "native" : `${url.replace(/^.*\/node_modules\//, "")}:${lineNumber + 1}`;
}
