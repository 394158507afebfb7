/** A contestant made ready: a temporary folder with its program and tenants, and the command of each operation. */
import { randomUUID } from "node:crypto";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { stringify } from "yaml";
import type { Emulator } from "../../provider/testing";
import { newProject } from "../../test/support/engine/project";
import type { Contestant } from "./contestants";
import { engine, type Installed } from "./installed";
import { peerEnvironment, peerFiles } from "./peer";
import type { Operation } from "./results";

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** In addition to this process's environment without its settings for contestants. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Workspace {
  /** To run first. It isn't measured. */
  readonly preparation?: Command;
  /** After `up`, each fails if something has changed. */
  readonly commands: Readonly<Record<Operation, Command>>;
  readonly stateBytes: () => Promise<number>;
  readonly remove: () => Promise<void>;
}

type Files = Readonly<Record<string, string>>;
type Service = Pick<Emulator, "baseUrl" | "apiToken">;

export async function newWorkspace(
  { program, env = {} }: Contestant,
  count: number,
  service: Service,
  installed: Installed,
): Promise<Workspace> {
  const ids = Array.from({ length: count }, (_, index) => String(index + 1).padStart(5, "0"));
  const groups = Object.fromEntries(ids.map((id) => [`tenant-${id}`, { name: `Tenant ${id}` }]));
  if (program === "yaml") {
    const resources = { tenants: { type: "user-groups:UserGroups", properties: { groups } } };
    const text = stringify({ name: "tests", runtime: "yaml", resources });
    return pulumi({ "Pulumi.yaml": text }, env, service, installed);
  }
  const files = { ...(await filesOf(program)), "tenants.json": JSON.stringify(groups) };
  return program === "opentofu" ? openTofu(files, service) : pulumi(files, env, service, installed);
}

async function filesOf(program: string): Promise<Files> {
  const folder = join(__dirname, "programs", program);
  const names = await fs.readdir(folder);
  const texts = names.map(async (name) => [name, await fs.readFile(join(folder, name), "utf8")] as const);
  return Object.fromEntries(await Promise.all(texts));
}

async function pulumi(
  files: Files,
  options: Files,
  service: Service,
  installed: Installed,
): Promise<Workspace> {
  const project = await newProject(files, "index.ts" in files ? installed.typescript : installed.javascript);
  // Each run has a home of its own, but what a user's home keeps from run to run.
  for (const kept of await fs.readdir(installed.home))
    await fs.symlink(join(installed.home, kept), join(project.home, kept));
  const env = {
    ...project.env,
    PATH: [engine, process.env["PATH"]].join(delimiter),
    PULUMI_CONFIG_PASSPHRASE: randomUUID(),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    USER_GROUPS_BASE_URL: service.baseUrl,
    USER_GROUPS_API_TOKEN: service.apiToken,
    ...options,
  };
  const command = (...args: string[]): Command => ({
    file: join(engine, "pulumi"),
    args: [...args, "--non-interactive", "--color", "never"],
    cwd: project.folder,
    env,
  });
  const now = ["--stack", "dev", "--yes", "--skip-preview"];
  return {
    preparation: command("stack", "init", "--no-select", "dev"),
    commands: {
      up: command("up", ...now),
      preview: command("preview", "--stack", "dev", "--expect-no-changes"),
      refresh: command("refresh", ...now, "--expect-no-changes"),
      destroy: command("destroy", ...now),
    },
    stateBytes: async () => Buffer.byteLength(await project.state()),
    remove: () => project.remove(),
  };
}

/** In its best form: 16 requests at a time, and no request before a plan. */
async function openTofu(files: Files, service: Service): Promise<Workspace> {
  const folder = await fs.realpath(await fs.mkdtemp(join(tmpdir(), "user-groups-bench-")));
  for (const [name, text] of Object.entries(files)) await fs.writeFile(join(folder, name), text);
  const env = await peerEnvironment(folder, service);
  const command = (...args: string[]): Command => ({
    file: peerFiles.engine,
    args: [...args, "-no-color", "-input=false", "-parallelism=16"],
    cwd: folder,
    env,
  });
  return {
    commands: {
      up: command("apply", "-auto-approve"),
      preview: command("plan", "-detailed-exitcode", "-refresh=false"),
      refresh: command("apply", "-refresh-only", "-auto-approve"),
      destroy: command("destroy", "-auto-approve", "-refresh=false"),
    },
    stateBytes: async () => (await fs.stat(join(folder, "terraform.tfstate"))).size,
    remove: () => fs.rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}
