/**
 * Follows the README of each example word for word: its shell commands, in their order, in a clone and in a copy elsewhere, whose
 * package comes from the address of a bare repository. The PATH has what examples/README.md requires and nothing else.
 *
 * Not here: kubernetes (needs a cluster), and Python and Go in languages (need a newer host of each language; see sdks.test.ts).
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import * as fs from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { LocalDatabase } from "../../../examples/database/test/localDatabase";
import { startEmulator, type Emulator } from "../../../provider/src/testing";
import { repository } from "../../engine/harness/programs";
import { ended, type Environment } from "../../harness/run";
import { runTool } from "../../packages/tool";

interface Followed {
  readonly needsPulumi: boolean;
  /** The commands for this folder, if these aren't all blocks of the README in it. */
  readonly commands?: (folder: string) => Promise<readonly string[]>;
  /** What the text says to do before the commands of a block. */
  readonly before?: (block: number, folder: string) => Promise<string>;
  /** Whether it needs the database that `npm run database` starts. */
  readonly needsDatabase?: boolean;
  /** The groups of the service in the end. */
  readonly groups: number;
}

const examples: Readonly<Record<string, Followed>> = {
  quickstart: { needsPulumi: true, groups: 2 },
  adopting: { needsPulumi: true, groups: 2 },
  database: { needsPulumi: true, needsDatabase: true, groups: 3 },
  embedding: { needsPulumi: true, groups: 2 },
  shards: { needsPulumi: false, groups: 6, before: retireShard },
  testing: { needsPulumi: false, groups: 0 },
  pipeline: { needsPulumi: true, groups: 2, commands: commandsOfCi },
  "languages/yaml": { needsPulumi: true, groups: 2, commands: commandsOfYaml },
};

const places = { "in a clone": clone, elsewhere: copyElsewhere };

describe("the READMEs of examples", () => {
  let root: string;
  before("a clone", async () => {
    root = await fs.realpath(await fs.mkdtemp(join(tmpdir(), "user-groups-readmes-")));
    const listed = await runTool("git", ["ls-files", "-z", "-co", "--exclude-standard"], repository);
    for (const file of listed.split("\0").filter(Boolean)) await copy(file, join(root, "clone"));
    await makeBareRepository(root);
    // `npm ci` in its root, as examples/README.md says.
    for (const folder of ["node_modules", "dist", "plugin"])
      await fs.symlink(join(repository, folder), join(root, "clone", folder), "junction");
    await makePath(root);
  });
  after(() => fs.rm(root, { recursive: true, force: true, maxRetries: 3 }));

  for (const [place, prepare] of Object.entries(places))
    for (const [name, followed] of Object.entries(examples))
      it(`lead to a running ${name}, ${place}`, async () => {
        const emulator = await startEmulator();
        const database = followed.needsDatabase ? await LocalDatabase.start() : undefined;
        try {
          const folder = await prepare(root, name);
          const env = { ...(await environment(root, followed, emulator)), ...addressesOf(database) };
          await follow(folder, followed, env, place === "in a clone");
          assert.equal(emulator.groups.size, followed.groups);
        } finally {
          await emulator.stop();
          await database?.remove();
        }
      });
});

async function copy(file: string, target: string): Promise<void> {
  await fs.mkdir(dirname(join(target, file)), { recursive: true });
  await fs.copyFile(join(repository, file), join(target, file)).catch((error: unknown) => {
    // A file that was removed and isn't committed yet.
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  });
}

async function makeBareRepository(root: string): Promise<void> {
  const git = (...args: string[]) => runTool("git", args, join(root, "clone"));
  await git("init", "--quiet");
  await git("add", "--all");
  const author = ["-c", "user.name=Example", "-c", "user.email=example@example.com"];
  await git(...author, "commit", "--quiet", "--message", "Add all files");
  await git("clone", "--quiet", "--bare", ".", join(root, "pulumi-user-groups.git"));
  // Following a README in the clone changes its files.
  await git("clone", "--quiet", ".", join(root, "unchanged"));
}

/** The folders `bin`, and `pulumi` with the Pulumi CLI. */
async function makePath(root: string): Promise<void> {
  const posix =
    "sh bash env cat chmod cp cut dirname basename grep head ln ls mkdir mktemp mv rm sed tail tr uname which".split(
      " ",
    );
  await fs.mkdir(join(root, "bin"));
  for (const command of ["npm", "npx", "git", ...posix]) {
    const path = (await runTool("sh", ["-c", `command -v ${command}`])).trim();
    await fs.symlink(await fs.realpath(path), join(root, "bin", command));
  }
  await fs.symlink(process.execPath, join(root, "bin/node"));
  const versions = join(process.env["PULUMI_HOME"] ?? join(homedir(), ".pulumi"), "versions");
  const [version = assert.fail("There is no engine")] = await fs.readdir(versions);
  await fs.symlink(join(versions, version, "bin"), join(root, "pulumi"), "junction");
  await fs.mkdir(join(root, "home"));
  await fs.symlink(versions, join(root, "home/versions"), "junction");
}

function clone(root: string, name: string): Promise<string> {
  return Promise.resolve(join(root, "clone/examples", name));
}

/** Changes the line of package.json as examples/README.md says, with the address of the bare repository. */
async function copyElsewhere(root: string, name: string): Promise<string> {
  const folder = join(root, "elsewhere", name);
  await fs.cp(join(root, "unchanged/examples", name), folder, { recursive: true });
  const readme = await fs.readFile(join(root, "clone/examples/README.md"), "utf8");
  const bare = `git+${pathToFileURL(join(root, "pulumi-user-groups.git")).href}`;
  if (name === "languages/yaml") {
    await installPlugin(root, folder, bare);
    return folder;
  }
  const [, former = "", next = ""] = /^-(.*)\n\+(.*)$/m.exec(readme) ?? assert.fail("no diff");
  const [address = ""] = repositoryAddress.exec(next) ?? assert.fail("no address");
  const manifest = await fs.readFile(join(folder, "package.json"), "utf8");
  assert(manifest.includes(former));
  await fs.writeFile(join(folder, "package.json"), manifest.replace(former, next.replace(address, bare)));
  return folder;
}

const repositoryAddress = /git\+https:[^"`]*/;

/** As the README of languages says for programs elsewhere. */
async function installPlugin(root: string, folder: string, bare: string): Promise<void> {
  const readme = await fs.readFile(join(root, "clone/examples/languages/README.md"), "utf8");
  await fs.writeFile(join(folder, "../README.md"), readme);
  const [, install = ""] = /`(npm install git\+[^`]*)`/.exec(readme) ?? assert.fail("no command");
  const [, path = ""] = /change the path\s+to `([^`]*)`/.exec(readme) ?? assert.fail("no path");
  await runCommands(install.replace(repositoryAddress, bare), folder, await baseEnvironment(root, false));
  const program = await fs.readFile(join(folder, "Pulumi.yaml"), "utf8");
  assert(program.includes("../../../plugin"));
  await fs.writeFile(join(folder, "Pulumi.yaml"), program.replace("../../../plugin", path));
}

/** That of somebody who is logged in to a backend, and confirms what Pulumi asks. */
async function environment(
  root: string,
  { needsPulumi }: Followed,
  emulator: Emulator,
): Promise<Environment> {
  const service = { USER_GROUPS_BASE_URL: emulator.baseUrl, USER_GROUPS_API_TOKEN: emulator.apiToken };
  return { ...(await baseEnvironment(root, needsPulumi)), ...service };
}

/** What `npm run database` prints. */
function addressesOf(database?: LocalDatabase): Environment {
  return {
    CUSTOMERS_URL: database?.url("customers_reader"),
    TOKENS_URL: database?.url("tokens_writer"),
  };
}

async function baseEnvironment(root: string, needsPulumi: boolean): Promise<Environment> {
  const stripped = /^(PULUMI_|USER_GROUPS_|NODE_OPTIONS$|npm_)/i;
  const own = Object.entries(process.env).filter(([name]) => !stripped.test(name));
  const backend = await fs.mkdtemp(join(root, "backend-"));
  return {
    ...Object.fromEntries(own),
    PATH: [join(root, "bin"), ...(needsPulumi ? [join(root, "pulumi")] : [])].join(":"),
    PULUMI_HOME: join(root, "home"),
    PULUMI_BACKEND_URL: pathToFileURL(backend).href,
    PULUMI_CONFIG_PASSPHRASE: "readmes",
    PULUMI_SKIP_CONFIRMATIONS: "true",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PORT: "0",
    npm_config_prefer_offline: "true",
  };
}

async function follow(
  folder: string,
  { before = () => Promise.resolve(""), commands: commandsOf = blocksOf }: Followed,
  env: Environment,
  isClone: boolean,
): Promise<void> {
  const blocks = await commandsOf(folder);
  assert(blocks.length > 0);
  for (const [index, block] of blocks.entries()) {
    const commands = (await before(index, folder)) + block;
    await runCommands(isClone ? commands.replace(/^ *npm install$/gm, "") : commands, folder, env);
  }
}

/** The blocks of shell commands in the README. */
async function blocksOf(folder: string): Promise<string[]> {
  const readme = await fs.readFile(join(folder, "README.md"), "utf8");
  return [...readme.matchAll(/^ *```sh\n([^]*?)^ *```/gm)].map(([, commands = ""]) => commands);
}

/** Without those of the first block, which are for Python and Go. */
async function commandsOfYaml(folder: string): Promise<string[]> {
  return (await blocksOf(join(folder, ".."))).slice(1);
}

/** "With other CI systems, run the same commands", after the stack is there. */
async function commandsOfCi(folder: string): Promise<string[]> {
  const readme = await fs.readFile(join(folder, "README.md"), "utf8");
  const [, commands = ""] = /run the same commands: ([^]*?), all but/.exec(readme) ?? assert.fail();
  const named = [...commands.matchAll(/`([^`]*)`/g)].map(([, command = ""]) => command);
  assert.equal(named.length, 4);
  // "Replace its last line by the command of yours."
  const replace = "sed -i '$s/.*/cat <\"$folder\\/tokens.json\" >tokens.json/' ci/deliver.sh";
  return [`npm install\npulumi stack init production\n${replace}\n`, ...named];
}

/** Each command must succeed. A server that says its address is asked for its login, and ended. */
async function runCommands(commands: string, cwd: string, env: Environment): Promise<void> {
  // The addresses and the API token are the reader's own.
  const script = `set -e\n${commands.replace(/^ *export [A-Z_]*=.*$/gm, "")}`;
  const child = spawn("bash", ["-c", script], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let served: Promise<number> | undefined;
  const end = () => process.kill(-(child.pid ?? assert.fail()), "SIGTERM");
  const { code, output } = await ended(child, (text) => {
    const [address] = /http:\/\/localhost:\d+/.exec(text) ?? [];
    if (address !== undefined)
      served ??= fetch(`${address}/login`)
        .then(({ status }) => status)
        .finally(end);
  });
  if (served) assert.equal(await served, 200);
  else assert.equal(code, 0, `${commands}\n${output}`);
}

/** "To retire a shard, move its name from `shards` to `retired` and deploy." */
async function retireShard(block: number, folder: string): Promise<string> {
  if (block !== 1) return "";
  const lists = { shards: ["tenants-1", "tenants-2"], retired: ["tenants-3"], deletionLimit: 2 };
  await fs.writeFile(join(folder, "shards.json"), JSON.stringify(lists));
  return "npm run deploy\n";
}
