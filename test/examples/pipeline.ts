import { tmpdir } from "node:os";
import { delimiter, resolve } from "node:path";
import type { Project } from "../engine/harness/project";
import { example } from "./example";

const forks = "forks/";

/** The files of a variant of examples/pipeline as its README says to copy them: name → text. */
export function pipeline(variant: "simple" | "forks"): Record<string, string> {
  const files = Object.entries(example("pipeline"));
  const simple = files.filter(([name]) => !name.startsWith(forks));
  const more = files.filter(([name]) => name.startsWith(forks) && variant === "forks");
  return Object.fromEntries([
    ...simple,
    ...more.map(([name, text]) => [name.replace(forks, ""), text] as const),
  ]);
}

/** The environment of a runner, without any secret. */
export function runnerEnvironment({ home }: Project): Record<string, string> {
  const { PATH = "", HOME = "", TMPDIR = tmpdir() } = process.env;
  return {
    PATH: [resolve(__dirname, "../../node_modules/.bin"), PATH].join(delimiter),
    HOME,
    TMPDIR,
    PULUMI_HOME: home,
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
}
