// The flags of `npm run bench`.
import { parseArgs } from "node:util";
import { z } from "zod";
import { contestantIds } from "./contestants";

export type Options = z.infer<typeof options>;

/** Throws an error that names the wrong flag. */
export function optionsFrom(args: readonly string[]): Options {
  const flags = Object.keys(options.shape).map((name) => [name, { type: typeOf(name) }] as const);
  const { values } = parseArgs({ args: [...args], options: Object.fromEntries(flags) });
  const parsed = options.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`--${String(issue?.path[0] ?? "")}: ${issue?.message ?? "is wrong"}`);
}

export const help = `Usage: npm run bench -- [options]

Measures contestants side by side on this machine, and writes bench/results/<date>.json. Stop it with Ctrl-C at any time;
--resume continues.

  --sizes 10,100,1000,10000  numbers of groups. Contestants whose time grows with its square stop at 1,000
  --latency 0,50          milliseconds before each response of the service
  --only IDS              contestants, by letter or ID: ${contestantIds.join(", ")}
  --repeat N              rounds (default: 3)
  --resume                add what is missing to the results file of this day
  --help                  print this`;

const commas = z.string().transform((text) => text.split(",").map((part) => part.trim()));
const whole = z.string().transform(Number).pipe(z.int("must be a whole number"));
const count = whole.pipe(z.number().min(1, "must be at least 1"));

const options = z.object({
  sizes: commas.pipe(z.array(count)).default([10, 100, 1000, 10_000]),
  latency: commas.pipe(z.array(whole.pipe(z.number().min(0, "must be 0 or more")))).default([0, 50]),
  only: commas
    .transform((names) => contestantIds.filter((id) => names.some((name) => isNamed(id, name))))
    .refine((ids) => ids.length > 0, "names no contestant")
    .default(contestantIds),
  repeat: count.default(3),
  resume: z.boolean().default(false),
  help: z.boolean().default(false),
});

function typeOf(flag: string): "boolean" | "string" {
  return ["resume", "help"].includes(flag) ? "boolean" : "string";
}

/** A letter names all contestants whose ID begins with it. */
function isNamed(id: string, name: string): boolean {
  return name.length === 1 ? id.startsWith(`${name}-`) : id === name;
}
