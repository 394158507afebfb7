/**
 * A place in which a test follows pages: a folder, a service, and a shell whose environment lasts from block to block. Its PATH has the
 * commands that the pages require, and no others. Words of the pages that stand for values of the reader's own come from `placeholders`.
 */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import type { LocalDatabase } from "../../../examples/database/test/localDatabase";
import manifest from "../../../package.json";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../../provider/testing";
import { snippets, type Snippet } from "../../pages/pages";
import { newProject, ProcessKiller, Stack, succeeds, type Program } from "../../support/engine";
import { engineHome, writeFiles } from "../../support/engine/project";
import { until } from "../../support/harness/clock";
import type { Ended } from "../../support/harness/run";
import { placeholders } from "./placeholders";
import { sources } from "./sources";

export interface PlaceOptions {
  /** The program of a stack "dev". Without one, the pages make program and stack. */
  readonly program?: Program | undefined;
  readonly service?: EmulatorOptions | undefined;
  /** Where the commands run, if it isn't a new project. */
  readonly folder?: (() => Promise<string>) | undefined;
  /** Whether the Pulumi CLI is missing on the PATH. */
  readonly hasNoPulumi?: boolean | undefined;
}

const commandLanguages = ["sh", "bash", "console", "shell", "powershell"];

/** Every block of commands of every page. */
export const blocks: readonly Snippet[] = snippets.filter(({ language }) =>
  commandLanguages.includes(language),
);

/** Those at `docs/page.md#heading`, or with `:2` at the end the second of them. */
export function blocksAt(reference: string): readonly Snippet[] {
  const [, page, anchor = "", number] =
    /^([^#:]*)#?([^:]*):?(\d*)$/.exec(reference) ?? assert.fail(reference);
  const found = blocks.filter((block) => block.page === page && (block.anchor === anchor || anchor === ""));
  const chosen = number ? found.slice(Number(number) - 1, Number(number)) : found;
  assert(chosen.length > 0, `There is no block of commands at ${reference}`);
  return chosen;
}

export class Place {
  /** Where the commands run. */
  folder: string;
  /** What the last command that goes on has shown, such as its address. */
  served = "";
  /** Of a page that needs one. */
  database: LocalDatabase | undefined;
  /** The address of the database of a worker. */
  workerUrl = "";
  /** Another API token than that of `emulator`. */
  newToken: string | undefined;
  #shown = "";
  readonly #servers: ChildProcess[] = [];
  readonly #ends: (() => Promise<unknown>)[] = [];

  private constructor(
    private readonly stack: Stack,
    readonly emulator: Emulator,
    /** Another service, for pages about several. */
    readonly second: Emulator,
    private readonly killer: ProcessKiller,
  ) {
    this.folder = stack.folder;
  }

  static async make(options: PlaceOptions): Promise<Place> {
    const { program, service, hasNoPulumi = false } = options;
    const killer = new ProcessKiller();
    const log = () => {
      killer.onRequest();
    };
    const emulator = await startEmulator({ log, ...service });
    const second = await startEmulator();
    const pulumi = join(engineHome(), "versions", manifest.devDependencies.pulumi, "bin");
    const env = {
      ...killer.env,
      PATH: [await sources.commands(), ...(hasNoPulumi ? [] : [pulumi])].join(":"),
      PULUMI_STACK: undefined,
      PULUMI_SKIP_CONFIRMATIONS: "true",
      PORT: "0",
      npm_config_prefer_offline: "true",
    };
    const stack = new Stack(await newProject(program ?? {}), { emulator, services: [second], env });
    const place = new Place(stack, emulator, second, killer);
    place.folder = (await options.folder?.()) ?? stack.folder;
    if (program !== undefined) await place.shell("pulumi stack init dev");
    return place;
  }

  /** Another program of the first project. */
  program(program: Program): Promise<void> {
    return this.stack.program(program);
  }

  /** Runs the blocks of a page as they stand there, and returns what they print. */
  async follow(reference: string): Promise<string> {
    let printed = "";
    for (const { text } of blocksAt(reference))
      printed += (await this.shell(await this.#filled(text))).output;
    return printed;
  }

  /** Runs commands; each must succeed. */
  async shell(commands: string): Promise<Ended> {
    return succeeds(await this.attempt(commands));
  }

  /** Runs commands until one fails. Their output has no secret, unless it is asked for. */
  attempt(commands: string): Promise<Ended> {
    const isPlain = commands.includes("--show-secrets");
    return this.stack.shell(this.#lasting(commands), { cwd: this.folder, isPlain });
  }

  /** Runs a block that goes on, in a terminal of its own, until it `shows` something. */
  async serve(reference: string, shows = /(http:\/\/(?:127\.0\.0\.1|localhost):\d+)/): Promise<void> {
    const [block] = blocksAt(reference);
    this.served = await this.goesOn(block?.text ?? "", shows);
  }

  /** Runs commands that go on, in a terminal of their own, until a server has printed this: its group. */
  async goesOn(commands: string, pattern: RegExp): Promise<string> {
    const child = spawn("bash", ["-ec", this.#lasting(await this.#filled(commands))], {
      cwd: this.folder,
      env: this.stack.shellEnv,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.#servers.push(child);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (this.#shown += text));
    return this.shown(pattern);
  }

  /** What the servers have printed, when they have printed this: its group. */
  async shown(pattern: RegExp): Promise<string> {
    const text = () => this.#shown.replaceAll(this.emulator.baseUrl, "");
    await until(() => pattern.test(text()) || this.#servers.some(({ exitCode }) => exitCode !== null));
    return pattern.exec(text())?.[1] ?? assert.fail(`The servers don't print ${pattern.source}`);
  }

  /** Kills the engine and the provider when the service has applied so many requests of a command. */
  async killed(requests: number, command: string): Promise<void> {
    const { code } = await this.killer.during({ requests }, () => this.attempt(command));
    assert.notEqual(code, 0, `${command} wasn't killed`);
    await this.stack.project.removeEmptyAttributes();
  }

  /** Another project with a stack "dev" beside this one, whose folder is the next one for commands. */
  async enter(name: string, files: Readonly<Record<string, string>>): Promise<void> {
    this.folder = join(this.stack.folder, "..", name);
    await fs.mkdir(this.folder);
    const modules = join(this.stack.folder, "node_modules");
    await fs.symlink(modules, join(this.folder, "node_modules"), "junction");
    const all = { "package.json": "{}", ...files, "Pulumi.yaml": `name: ${name}\nruntime: nodejs\n` };
    await writeFiles(this.folder, all);
    await this.shell("pulumi stack init dev");
  }

  /** At the end of the place. */
  atEnd(end: () => Promise<unknown>): void {
    this.#ends.push(end);
  }

  /** As Ctrl-C in the terminals of the servers. */
  async stopServing(): Promise<void> {
    // The last one first, because it may use those before it.
    for (const child of this.#servers
      .reverse()
      .filter(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null)) {
      const closed = once(child, "close");
      process.kill(-(child.pid ?? assert.fail()), "SIGTERM");
      await closed;
    }
    this.#shown = "";
  }

  async remove(): Promise<void> {
    await this.stopServing();
    for (const end of this.#ends) await end();
    this.killer.kill();
    await Promise.all([this.emulator.stop(), this.second.stop()]);
    await this.stack.remove();
  }

  async #filled(text: string): Promise<string> {
    let filled = text;
    for (const [word, valueIn] of Object.entries(placeholders))
      if (filled.includes(word)) filled = filled.replaceAll(word, await valueIn(this));
    return filled;
  }

  /** The commands with the variables of those before them. */
  #lasting(commands: string): string {
    const variables = join(this.stack.project.home, "variables");
    return `[ ! -f ${variables} ] || . ${variables}\n${commands}\nexport -p >${variables}`;
  }
}
