import { tmpdir } from "node:os";
import { delimiter, resolve } from "node:path";
import type { Emulator } from "../../provider/src/testing";
import type { Project } from "../engine/harness/project";
import { example } from "./example";

type Files = Record<string, string>;

/** The files of a variant of examples/pipeline as its README says to copy them: name → text. */
export function pipeline(variant: "simple" | "advanced"): Files {
  const files = Object.entries(example("pipeline"));
  const simple = files.filter(([name]) => !name.startsWith(folder));
  const advanced = files.filter(([name]) => name.startsWith(folder));
  return Object.fromEntries(
    variant === "simple"
      ? simple
      : [...simple, ...advanced.map(([name, text]) => [name.slice(folder.length), text] as const)],
  );
}

const folder = "advanced/";

type Environment = Record<string, string>;

export const passphrase = "of production";

/** The environment of a runner, without any secret. */
export function runnerEnvironment({ home }: Project): Environment {
  const { PATH = "", HOME = "", TMPDIR = tmpdir() } = process.env;
  return {
    PATH: [resolve(__dirname, "../../node_modules/.bin"), PATH].join(delimiter),
    HOME,
    TMPDIR,
    PULUMI_HOME: home,
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
}

/** The environment of somebody who may deploy. */
export function deployerEnvironment(project: Project, { baseUrl, apiToken }: Emulator): Environment {
  return {
    ...runnerEnvironment(project),
    PULUMI_BACKEND_URL: project.env.PULUMI_BACKEND_URL,
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    USER_GROUPS_BASE_URL: baseUrl,
    USER_GROUPS_API_TOKEN: apiToken,
  };
}
