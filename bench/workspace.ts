// Prepares a contestant: a temporary folder with its program and tenants, and the command of each operation.
import { randomUUID } from "node:crypto";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { version as engineVersion } from "pulumi/package.json";
import { stringify } from "yaml";
import type { Emulator } from "../provider/src/testing";
import { newProject } from "../test/engine/harness/project";
import type { Command, Environment } from "./command";
import type { Contestant } from "./contestants";
import { peerEnvironment, peerFiles } from "./peer";
import type { Operation } from "./results";

export interface Workspace {
  /** Commands to run first. They aren't measured. */
  readonly preparation: readonly Command[];
  /** After `up`, each fails if something has changed. */
  readonly commands: Readonly<Record<Operation, Command>>;
  stateBytes(): Promise<number>;
  /** Gives each tenant a new name of the same length. */
  rename(): Promise<void>;
  remove(): Promise<void>;
}

type Files = Readonly<Record<string, string>>;
type Service = Pick<Emulator, "baseUrl" | "apiToken">;
type Tenants = Readonly<Record<string, { readonly name: string }>>;

/** The packages of programs by their language, and what a user's home has: see run.mjs. */
const { BENCH_INSTALLED: installed = "" } = process.env;
const kept = join(__dirname, ".cache/home");

export async function newWorkspace(contestant: Contestant, groups: number, service: Service) {
  const tenants = tenantsUpTo(groups);
  const files: Record<string, string> = { "tenants.json": JSON.stringify(tenants) };
  for (const program of contestant.programs) Object.assign(files, await programFiles(program));
  if (contestant.plugin) files["Pulumi.yaml"] = pluginProject(contestant.plugin, tenants);
  const renamed = JSON.stringify(tenantsUpTo(groups, "Client"));
  return contestant.engine === "pulumi"
    ? pulumiWorkspace(contestant, files, renamed, service)
    : openTofuWorkspace(contestant, files, renamed, service);
}

async function programFiles(program: string): Promise<Files> {
  const folder = join(__dirname, "programs", program);
  const names = await fs.readdir(folder);
  const texts = names.map(async (name) => [name, await fs.readFile(join(folder, name), "utf8")] as const);
  return Object.fromEntries(await Promise.all(texts));
}

function tenantsUpTo(count: number, name = "Tenant"): Tenants {
  const ids = Array.from({ length: count }, (_, index) => String(index + 1).padStart(5, "0"));
  return Object.fromEntries(ids.map((id) => [`tenant-${id}`, { name: `${name} ${id}` }]));
}

/** Programs in YAML can't read the tenants from a file, so their text contains them. */
function pluginProject(kind: NonNullable<Contestant["plugin"]>, tenants: Tenants): string {
  const path = join(installed, "javascript/node_modules/pulumi-user-groups/plugin");
  const all = { type: "user-groups:UserGroups", properties: { groups: tenants } };
  const each = Object.entries(tenants).map(([userGroupId, { name }]) => [
    userGroupId,
    { type: "user-groups:UserGroup", properties: { userGroupId, name } },
  ]);
  const programs = {
    "yaml, one resource": { runtime: "yaml", resources: { tenants: all } },
    "yaml, one each": { runtime: "yaml", resources: Object.fromEntries(each) as object },
    nodejs: { runtime: "nodejs", plugins: { providers: [{ name: "user-groups", path }] } },
  };
  return stringify({ name: "tests", ...programs[kind] });
}

async function pulumiWorkspace(
  contestant: Contestant,
  files: Files,
  renamed: string,
  service: Service,
): Promise<Workspace> {
  const language = "index.ts" in files ? "typescript" : "javascript";
  const project = await newProject(files, join(installed, language, "node_modules"));
  // Each run has a home of its own, but what a user's home keeps from run to run.
  for (const folder of await fs.readdir(kept))
    await fs.symlink(join(kept, folder), join(project.home, folder));
  const engine = join(project.home, "versions", engineVersion, "bin");
  const env: Environment = {
    ...project.env,
    PATH: [engine, process.env["PATH"]].join(delimiter),
    PULUMI_CONFIG_PASSPHRASE: randomUUID(),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    USER_GROUPS_BASE_URL: service.baseUrl,
    USER_GROUPS_API_TOKEN: service.apiToken,
    ...contestant.env,
  };
  const pulumi = (...args: string[]): Command => ({
    file: join(engine, "pulumi"),
    args: [...args, "--non-interactive", "--color", "never"],
    cwd: project.folder,
    env,
  });
  const now = ["--stack", "dev", "--yes", "--skip-preview"];
  return {
    preparation: [pulumi("stack", "init", "--no-select", "dev")],
    commands: {
      up: pulumi("up", ...now),
      preview: pulumi("preview", "--stack", "dev", "--expect-no-changes"),
      refresh: pulumi("refresh", ...now, "--expect-no-changes"),
      destroy: pulumi("destroy", ...now),
    },
    stateBytes: () => stateBytesIn(join(project.backend, ".pulumi/stacks")),
    rename: () => fs.writeFile(join(project.folder, "tenants.json"), renamed),
    remove: () => project.remove(),
  };
}

/** Of the one stack. A compressed state has another ending. */
async function stateBytesIn(stacks: string): Promise<number> {
  const files = await fs.readdir(stacks, { recursive: true });
  const state = files.find((file) => /\bdev\.json(\.gz|\.zst)?$/.test(file));
  if (state === undefined) throw new Error(`There is no state in ${stacks}`);
  return (await fs.stat(join(stacks, state))).size;
}

async function openTofuWorkspace(
  { isTuned = false }: Contestant,
  files: Files,
  renamed: string,
  service: Service,
): Promise<Workspace> {
  const folder = await fs.realpath(await fs.mkdtemp(join(tmpdir(), "user-groups-bench-")));
  for (const [name, text] of Object.entries(files)) await fs.writeFile(join(folder, name), text);
  const env = await peerEnvironment(folder, service);
  const tofu = (...args: string[]): Command => {
    const shared = ["-no-color", "-input=false", ...(isTuned ? ["-parallelism=16"] : [])];
    return { file: peerFiles().engine, args: [...args, ...shared], cwd: folder, env };
  };
  const withoutRequests = isTuned ? ["-refresh=false"] : [];
  return {
    preparation: [],
    commands: {
      up: tofu("apply", "-auto-approve"),
      preview: tofu("plan", "-detailed-exitcode", ...withoutRequests),
      refresh: tofu("apply", "-refresh-only", "-auto-approve"),
      destroy: tofu("destroy", "-auto-approve", ...withoutRequests),
    },
    stateBytes: async () => (await fs.stat(join(folder, "terraform.tfstate"))).size,
    rename: () => fs.writeFile(join(folder, "tenants.json"), renamed),
    remove: () => fs.rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}
