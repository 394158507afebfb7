import { randomUUID } from "node:crypto";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import { startEmulator, type Emulator, type RequestLogEntry } from "../../../provider/src/testing";
import { ProcessKiller } from "../harness/processKiller";
import { launch, type Environment, type Launched } from "../harness/launcher";
import { newProject, type Program, type Project } from "../harness/project";
import { assertNoSecrets, secretsOf } from "../harness/secrets";

/** What kind of secret it is → each of its texts. */
type Secrets = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Two services, whose API tokens come from the environment and from the configuration, and a stack. Unlike the harness,
 * it gives any output, with whatever it holds; the files that the engine keeps are searched all the same.
 */
export class SecrecyContext {
  readonly services: { readonly first: Emulator; readonly eu: Emulator };
  /** What kills the engine with all that it has started. */
  readonly killer: ProcessKiller;
  readonly #project: Project;
  readonly #passphrase = randomUUID();
  readonly #ownSecrets: Readonly<Record<string, string>>;
  readonly #groupTokens = new Set<string>();
  readonly #log: readonly string[];

  private constructor(
    project: Project,
    services: SecrecyContext["services"],
    killer: ProcessKiller,
    log: readonly string[],
    secrets: Readonly<Record<string, string>>,
  ) {
    this.services = services;
    this.killer = killer;
    this.#project = project;
    this.#log = log;
    this.#ownSecrets = secrets;
  }

  /** `secrets` are those of the program, by what they are. */
  static async make(program: Program, secrets: Readonly<Record<string, string>>): Promise<SecrecyContext> {
    const lines: string[] = [];
    const killer = new ProcessKiller();
    const log = (entry: RequestLogEntry) => {
      lines.push(String(entry), inspect(entry), JSON.stringify(entry));
      killer.onRequest();
    };
    const services = { first: await startEmulator({ log }), eu: await startEmulator({ log }) };
    const project = await newProject(program);
    await fs.mkdir(join(project.folder, "temporary"));
    return new SecrecyContext(project, services, killer, lines, secrets);
  }

  /** What the emulators gave to their option `log`, in each way to print it. */
  get serviceLog(): string {
    return this.#log.join("\n");
  }

  file(name: string): string {
    return join(this.#project.folder, name);
  }

  /** Runs a command of the engine, and then searches all that it keeps on the disk. */
  async run(command: readonly string[], env: Environment = {}): Promise<Launched> {
    const args = [...command, "--stack", "dev", "--non-interactive", "--color", "never"];
    const launched = await launch(args, {
      cwd: this.#project.folder,
      env: { ...this.#environment(), ...env },
      echo: undefined,
    });
    const all = new Set([...this.#secrets().values()].flatMap((texts) => [...texts]));
    const { backend, home } = this.#project;
    await assertNoSecrets(all, new Map(), [backend, home, this.file("temporary")]);
    return launched;
  }

  /** The kinds of secrets that a text holds. */
  kindsIn(text: string): string[] {
    const found = [...this.#secrets()].filter(([, texts]) => [...texts].some((each) => text.includes(each)));
    return found.map(([kind]) => kind).sort();
  }

  async end(): Promise<void> {
    await this.#project.remove();
    for (const service of Object.values(this.services)) await service.stop();
  }

  #environment(): Environment {
    const { first } = this.services;
    return {
      ...this.#project.env,
      PULUMI_CONFIG_PASSPHRASE: this.#passphrase,
      PULUMI_EXPERIMENTAL: "true",
      ...this.killer.env,
      TMPDIR: this.file("temporary"),
      USER_GROUPS_BASE_URL: first.baseUrl,
      USER_GROUPS_API_TOKEN: first.apiToken,
    };
  }

  #secrets(): Secrets {
    const { first, eu } = this.services;
    const apiTokens = new Set([first.apiToken, eu.apiToken]);
    for (const token of [...secretsOf(first), ...secretsOf(eu)])
      if (!apiTokens.has(token)) this.#groupTokens.add(token);
    const own = Object.entries(this.#ownSecrets).map(([kind, text]): [string, Set<string>] => [
      kind,
      new Set([text]),
    ]);
    return new Map([
      ...own,
      ["API token", new Set([first.apiToken])],
      ["configured API token", new Set([eu.apiToken])],
      ["group token", this.#groupTokens],
      ["passphrase", new Set([this.#passphrase])],
    ]);
  }
}
