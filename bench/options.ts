// The flags of `npm run bench`.
import { parseArgs } from "node:util";
import { z } from "zod";
import { contestantIds } from "./contestants";

export type Options = z.infer<typeof options>;

/** Throws an Error fit to be shown where a flag is wrong. */
export function optionsFrom(args: readonly string[]): Options {
  const { values } = parseArgs({ args: [...args], options: flags });
  const parsed = options.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`--${String(issue?.path[0] ?? "")}: ${issue?.message ?? "is wrong"}`);
}

/** Whether the run is one of everything, fit for the page. */
export function isWhole({ sizes, only, latency, profile }: Options): boolean {
  return sizes.join() === allSizes.join() && only === undefined && latency === 0 && !profile;
}

export const help = `Usage: npm run bench -- [options]

Measures contestants side by side on this machine, and keeps the results in bench/results/<date>.json. A run of
everything (no --sizes, --only or --latency) then writes the tables and charts of docs/performance.md.

  --sizes 100,1000,10000  numbers of groups; the slow contestants leave out those above 1,000
  --only IDS              contestants, by letter or ID: ${contestantIds.join(", ")}
  --repeat N              repetitions of each (default: 3)
  --latency MS            milliseconds before each answer of the service (default: 0)
  --minutes N             stop after so many minutes in all (default: no bound)
  --out FILE              results file (default: bench/results/<date>.json)
  --resume                add what is missing to the results file instead of beginning a new one
  --profile               measure nothing: profile up, preview and refresh of UserGroups (or --only) at the largest
                          size, and add that to the results file
  --page FILE             measure nothing: write docs/performance.md from this results file
  --help                  show this`;

const flags = {
  sizes: { type: "string" },
  only: { type: "string" },
  repeat: { type: "string" },
  latency: { type: "string" },
  minutes: { type: "string" },
  out: { type: "string" },
  resume: { type: "boolean" },
  profile: { type: "boolean" },
  page: { type: "string" },
  help: { type: "boolean" },
} as const;

const allSizes = [100, 1000, 10_000];

const commas = z.string().transform((text) => text.split(",").map((part) => part.trim()));
const number = z.string().transform(Number).pipe(z.number("must be a number"));
const whole = number.pipe(z.int("must be a whole number"));

const count = whole.pipe(z.number().min(1, "must be at least 1"));

const options = z.object({
  sizes: commas.pipe(z.array(count)).default(allSizes),
  only: commas
    .pipe(z.array(z.string()))
    .transform((names) => contestantIds.filter((id) => names.some((name) => isNamed(id, name))))
    .refine((ids) => ids.length > 0, "names no contestant")
    .optional(),
  repeat: count.default(3),
  latency: whole.pipe(z.number().min(0, "must be 0 or more")).default(0),
  minutes: number.pipe(z.number().positive("must be more than 0")).optional(),
  out: z.string().optional(),
  resume: z.boolean().default(false),
  profile: z.boolean().default(false),
  page: z.string().optional(),
  help: z.boolean().default(false),
});

/** A letter stands for all contestants whose ID begins with it. */
function isNamed(id: string, name: string): boolean {
  return name.length === 1 ? id.startsWith(`${name}-`) : id === name;
}
