/**
 * A place in which a test follows pages: a folder, a service, and a shell whose environment lasts from block to block. Its PATH has the
 * commands that the pages require, and no others. Words of the pages that stand for values of the reader's own come from `placeholders`.
 */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import type { LocalDatabase } from "../../examples/database/test/localDatabase";
import manifest from "../../package.json";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../provider/src/testing";
import { snippets, type Snippet } from "../docs/pages";
import { ProcessKiller, type Program } from "../engine/harness";
import { engineHome, newProject, type Project } from "../engine/harness/project";
import { secretsOf } from "../engine/harness/secrets";
import { until } from "../harness/clock";
import { ended, inherited, type Ended, type Environment } from "../harness/run";
import { placeholders } from "./placeholders";
import { sources } from "./sources";

export interface PlaceOptions {
  /** The program of a stack "dev". Without one, the pages make program and stack. */
  readonly program?: Program | undefined;
  readonly service?: EmulatorOptions | undefined;
  /** Where the commands run, if it isn't a new project. */
  readonly folder?: (() => Promise<string>) | undefined;
  /** Whether the packages are there already, so that the pages' `npm install` is left out. */
  readonly isInstalled?: boolean | undefined;
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
  /** The address that a command of a page serves, if one does. */
  served = "";
  /** Of a page that needs one. */
  database: LocalDatabase | undefined;
  /** Another API token than that of `emulator`. */
  newToken: string | undefined;
  #shown = "";
  readonly #servers: ChildProcess[] = [];
  readonly #ends: (() => Promise<unknown>)[] = [];
  readonly #secrets = new Set<string>();

  private constructor(
    readonly project: Project,
    readonly emulator: Emulator,
    /** Another service, for pages about several. */
    readonly second: Emulator,
    readonly killer: ProcessKiller,
    readonly isInstalled: boolean,
    private readonly env: Environment,
  ) {
    this.folder = project.folder;
  }

  static async make({
    program,
    service,
    folder,
    isInstalled = false,
    hasNoPulumi = false,
  }: PlaceOptions): Promise<Place> {
    const killer = new ProcessKiller();
    const log = () => {
      killer.onRequest();
    };
    const emulator = await startEmulator({ log, ...service });
    const project = await newProject(program ?? {});
    const pulumi = join(engineHome(), "versions", manifest.devDependencies.pulumi, "bin");
    const place = new Place(project, emulator, await startEmulator(), killer, isInstalled, {
      ...{ ...inherited(), ...project.env, ...killer.env },
      PATH: [await sources.commands(), ...(hasNoPulumi ? [] : [pulumi])].join(":"),
      PULUMI_CONFIG_PASSPHRASE: "a-passphrase",
      PULUMI_SKIP_CONFIRMATIONS: "true",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      NO_COLOR: "1",
      PORT: "0",
      npm_config_prefer_offline: "true",
      USER_GROUPS_BASE_URL: emulator.baseUrl,
      USER_GROUPS_API_TOKEN: emulator.apiToken,
    });
    place.folder = (await folder?.()) ?? project.folder;
    if (program !== undefined) await place.shell("pulumi stack init dev");
    return place;
  }

  /** Runs the blocks of a page as they stand there. */
  async follow(reference: string): Promise<void> {
    for (const { text } of blocksAt(reference)) await this.shell(await this.#filled(text));
  }

  /** Runs commands; each must succeed. Their output has no secret, unless it is asked for. */
  async shell(commands: string): Promise<Ended> {
    const result = await this.attempt(commands);
    assert.equal(result.code, 0, `${commands}\n${this.#redacted(result.output)}`);
    if (!commands.includes("--show-secrets")) assert.equal(this.#redacted(result.output), result.output);
    return result;
  }

  /** Runs commands until one fails. */
  attempt(commands: string): Promise<Ended> {
    return ended(this.#start(commands));
  }

  /** Runs a block that goes on, in a terminal of its own, until it names its address. */
  async serve(reference: string): Promise<void> {
    const [block] = blocksAt(reference);
    const child = this.#start(await this.#filled(block?.text ?? ""));
    this.#servers.push(child);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (this.#shown += text));
    this.served = await this.shown(/(http:\/\/(?:127\.0\.0\.1|localhost):\d+)/);
  }

  /** What the servers have printed, when they have printed this: its group. */
  async shown(pattern: RegExp): Promise<string> {
    const text = () => this.#shown.replaceAll(this.emulator.baseUrl, "");
    await until(() => pattern.test(text()) || this.#servers.some(({ exitCode }) => exitCode !== null));
    return pattern.exec(text())?.[1] ?? assert.fail(`No ${pattern.source} in\n${this.#redacted(text())}`);
  }

  /** Kills the engine and the provider when the service has applied so many requests of a command. */
  async killed(requests: number, command: string): Promise<void> {
    const { code } = await this.killer.during({ requests }, () => this.attempt(command));
    assert.notEqual(code, 0, `${command} wasn't killed`);
    await this.project.removeEmptyAttributes();
  }

  /** Another project with a stack "dev" beside this one, whose folder is the next one for commands. */
  async enter(name: string, files: Readonly<Record<string, string>>): Promise<void> {
    this.folder = join(this.project.folder, "..", name);
    await fs.mkdir(this.folder);
    await fs.symlink(
      join(this.project.folder, "node_modules"),
      join(this.folder, "node_modules"),
      "junction",
    );
    const all = { "package.json": "{}", ...files, "Pulumi.yaml": `name: ${name}\nruntime: nodejs\n` };
    for (const [file, text] of Object.entries(all)) await fs.writeFile(join(this.folder, file), text);
    await this.shell("pulumi stack init dev");
  }

  /** At the end of the place. */
  atEnd(end: () => Promise<unknown>): void {
    this.#ends.push(end);
  }

  async remove(): Promise<void> {
    for (const child of this.#servers.filter(({ exitCode }) => exitCode === null)) {
      const closed = once(child, "close");
      process.kill(-(child.pid ?? assert.fail()), "SIGTERM");
      await closed;
    }
    for (const end of this.#ends) await end();
    await this.database?.remove();
    this.killer.kill();
    await Promise.all([this.emulator.stop(), this.second.stop()]);
    await this.project.remove();
  }

  async #filled(text: string): Promise<string> {
    let filled = text;
    for (const [word, valueIn] of Object.entries(placeholders))
      if (filled.includes(word)) filled = filled.replaceAll(word, await valueIn(this));
    return filled;
  }

  #start(commands: string) {
    const variables = join(this.project.home, "variables");
    const script = `[ ! -f ${variables} ] || . ${variables}\nset -e\n${commands}\nexport -p >${variables}`;
    return spawn("bash", ["-c", script], {
      cwd: this.folder,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
  }

  #redacted(text: string): string {
    for (const emulator of [this.emulator, this.second])
      for (const secret of secretsOf(emulator)) this.#secrets.add(secret);
    return [...this.#secrets].reduce((shown, secret) => shown.replaceAll(secret, "[secret]"), text);
  }
}
