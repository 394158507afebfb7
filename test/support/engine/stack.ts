/** A stack on the real engine, with its settings in the environment and its state in a temporary folder. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import * as fs from "node:fs/promises";
import { delimiter, join } from "node:path";
import { z } from "zod";
import type { Emulator } from "../../../provider/testing";
import { inherited, run, succeeds, type Ended, type Environment } from "../harness/run";
import { launch, quiet, type Launch } from "./launcher";
import { repository } from "./programs";
import { newProject, type Program, type Project } from "./project";
import { resultOf, type Result } from "./results";
import { readState, type Resource } from "./state";

export interface StackOptions extends Pick<Launch, "echo" | "patience"> {
  readonly program: Program;
  /** Its address and API token go into the environment; without one, there are no settings. */
  readonly emulator?: Emulator | undefined;
  /** Goes into the stack's configuration, before the first operation: path → value, such as `"user-groups:eu.baseUrl"`. */
  readonly config?: Readonly<Record<string, string | { readonly secret: string }>>;
  /** On top of the environment that the harness makes; undefined takes a variable away. */
  readonly env?: Environment;
  /** Other services that the program uses, whose tokens must not be seen either. */
  readonly services?: readonly Emulator[];
  /** Texts that must not be seen either, beside the tokens: say, a property that a program wraps in pulumi.secret. */
  readonly secrets?: readonly string[];
}

export interface Run extends Pick<Launch, "started"> {
  /** Such as `["--diff"]`. */
  readonly flags?: readonly string[];
  /** On top of the stack's environment. */
  readonly env?: Environment;
  /** Whether the output may have secrets: it is neither echoed nor searched. */
  readonly isPlain?: boolean;
}

/** Of a command of a shell. */
export interface ShellOptions extends Pick<Run, "env" | "isPlain"> {
  /** Default: the program's folder. */
  readonly cwd?: string;
}

/** A new stack with the name "dev". */
export async function newStack(options: StackOptions): Promise<Stack> {
  const stack = new Stack(await newProject(options.program), options);
  succeeds(await stack.run(["stack", "init", "--no-select", "dev"]));
  const settings = Object.entries(options.config ?? {}).flatMap(([key, value]) =>
    typeof value === "string" ? ["--plaintext", `${key}=${value}`] : ["--secret", `${key}=${value.secret}`],
  );
  if (settings.length > 0) succeeds(await stack.run(["config", "set-all", "--path", ...settings, ...dev]));
  return stack;
}

/**
 * One operation at a time; each fails its test when a token, or another secret of the options, can be read in what it printed, in its event
 * log, or in anything that the engine wrote.
 */
export class Stack {
  readonly #passphrase = randomUUID();
  readonly #secrets: Set<string>;

  constructor(
    readonly project: Project,
    private readonly options: Omit<StackOptions, "program">,
  ) {
    this.#secrets = new Set([this.#passphrase, ...(options.secrets ?? [])]);
  }

  /** The folder of the program. */
  get folder(): string {
    return this.project.folder;
  }

  /** The environment of its commands. */
  get env(): Environment {
    const { emulator, env } = this.options;
    return {
      ...this.project.env,
      PULUMI_CONFIG_PASSPHRASE: this.#passphrase,
      ...(emulator && { USER_GROUPS_BASE_URL: emulator.baseUrl, USER_GROUPS_API_TOKEN: emulator.apiToken }),
      ...env,
    };
  }

  /** That of its shells. */
  get shellEnv(): Environment {
    const PATH = [join(repository, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
    return { ...inherited(), ...quiet, PATH, PULUMI_STACK: "dev", ...this.env };
  }

  preview(run?: Run): Promise<Result> {
    return this.#operation(["preview"], run);
  }

  /** Without the preview before it, which takes as long again. */
  up(run?: Run): Promise<Result> {
    return this.#operation(["up", "--yes", "--skip-preview"], run);
  }

  refresh(run?: Run): Promise<Result> {
    return this.#operation(["refresh", "--yes", "--skip-preview"], run);
  }

  destroy(run?: Run): Promise<Result> {
    return this.#operation(["destroy", "--yes", "--skip-preview"], run);
  }

  /** Takes away what a killed operation leaves. */
  async recover(): Promise<void> {
    await this.project.removeEmptyAttributes();
    succeeds(await this.run(["cancel", "--yes", ...dev]));
  }

  /** Any command of the engine, such as `["config", "rm", "user-groups:baseUrl", "--stack", "dev"]`. */
  async run(command: readonly string[], run: Run = {}): Promise<Ended> {
    const ended = await this.#launch(command, run);
    await this.#assertNoSecrets(command.join(" "), run.isPlain ? "" : ended.output);
    return ended;
  }

  /**
   * A command of a shell, as a user runs it: commands of packages are on the PATH, and `pulumi` finds the stack. Only its output is
   * searched, so that its time is that of the command, also with thousands of tokens.
   */
  async shell(
    command: string,
    { env, isPlain = false, cwd = this.folder }: ShellOptions = {},
  ): Promise<Ended> {
    this.#noteSecrets();
    const args = ["-eo", "pipefail", "-c", command];
    const ended = await run("bash", args, { cwd, env: { ...this.shellEnv, ...env } });
    this.#noteSecrets();
    if (!isPlain) this.#search(`the output of ${command}`, ended.output);
    return ended;
  }

  /** Another program, or other files of it, from the next operation on. */
  program(program: Program): Promise<void> {
    return this.project.write(program);
  }

  /** What the state holds, as the engine wrote it: secrets stay encrypted. */
  async resources(): Promise<Resource[]> {
    return readState(await this.project.state());
  }

  /** The one resource of that name. */
  async resource(name: string): Promise<Resource> {
    const [found, ...others] = (await this.resources()).filter((resource) => resource.name === name);
    if (!found || others.length > 0) throw new Error(`Not one resource "${name}" in the state`);
    return found;
  }

  /** The stack's outputs in plain text. */
  async plainOutputs(): Promise<Record<string, unknown>> {
    return z.record(z.string(), z.unknown()).parse(await this.#plain(["stack", "output", "--json"]));
  }

  /** The state as `pulumi stack export` gives it, with its secrets in plain text. */
  plainState(): Promise<unknown> {
    return this.#plain(["stack", "export"]);
  }

  /** Removes every trace; the groups in the emulator stay. */
  remove(): Promise<void> {
    return this.project.remove();
  }

  async #plain(command: readonly string[]): Promise<unknown> {
    const { stdout } = succeeds(await this.run([...command, "--show-secrets", ...dev], { isPlain: true }));
    return JSON.parse(stdout) as unknown;
  }

  async #operation(command: readonly string[], run: Run = {}): Promise<Result> {
    const { events } = this.project;
    await fs.rm(events, { force: true });
    const ended = await this.#launch([...command, "--event-log", events, ...dev], run);
    const { result, log } = await resultOf(ended, events);
    await this.#assertNoSecrets(command.join(" "), ended.output + log);
    return result;
  }

  #launch(command: readonly string[], { flags = [], env, started, isPlain }: Run): Promise<Ended> {
    this.#noteSecrets();
    const args = [...command, ...flags, "--non-interactive", "--color", "never"];
    const { patience, echo } = this.options;
    const options = { cwd: this.folder, env: { ...this.env, ...env }, patience, started };
    return launch(args, { ...options, echo: isPlain ? undefined : echo });
  }

  /** In what a command printed, and in all files that the engine wrote. The engine itself is linked into its home. */
  async #assertNoSecrets(command: string, printed: string): Promise<void> {
    this.#noteSecrets();
    this.#search(`the output of ${command}`, printed);
    for (const folder of [this.project.backend, this.project.home])
      for (const entry of await fs.readdir(folder, { recursive: true, withFileTypes: true })) {
        const file = join(entry.parentPath, entry.name);
        const isOfEngine = file.startsWith(join(this.project.home, "versions"));
        if (entry.isFile() && !isOfEngine) this.#search(file, await fs.readFile(file, "utf8"));
      }
  }

  /** The message says only where a secret was found. */
  #search(where: string, text: string): void {
    for (const secret of this.#secrets) assert(!text.includes(secret), `A secret can be read in ${where}`);
  }

  #noteSecrets(): void {
    const { emulator, services = [] } = this.options;
    for (const service of emulator ? [emulator, ...services] : services)
      for (const secret of secretsOf(service)) this.#secrets.add(secret);
  }
}

/** The API token and every group token that the emulator knows of now or has been sent. */
function secretsOf({ apiToken, groups, requests }: Emulator): string[] {
  const stored = [...groups.values()].map(({ token }) => token);
  const sent = requests.flatMap(({ body }) => deleteBody.safeParse(body).data?.current_token ?? []);
  return [apiToken, ...stored, ...sent];
}

const deleteBody = z.object({ current_token: z.string() });
const dev = ["--stack", "dev"];
