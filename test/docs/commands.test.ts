import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { main } from "../../provider/src/cli";
import { environmentVariable, settingNames } from "../../provider/src/settings/readSettings";
import { argumentsOf, commands, programOf, type Command } from "./commands";
import { repository } from "./pages";

/** What is printed for readers to type: each kind has its check, and `pulumi` its own file, since it needs the engine. */
const checks: Readonly<Record<string, (command: Command) => void | Promise<void>>> = {
  npm: checkNpm,
  "pulumi-user-groups": checkOwnCommand,
  changeset: isInstalled,
  tsc: isInstalled,
  pulumi: checkConfiguration,
  git: isInstalled,
  umask: () => undefined,
  // comparison.test.ts runs it.
  curl: () => undefined,
  // test/peer runs these, with the page's script.
  tofu: isFollowed,
  node: isFollowed,
  diff: isFollowed,
  echo: isFollowed,
  grep: isFollowed,
  rm: isFollowed,
  go: ({ words }) => {
    assert.deepEqual(words, ["go", "mod", "tidy"]);
  },
  // Renames a file that the command before wrote.
  mv: ({ words: [, from = "", to = ""] }) => {
    assert.equal(from, `${to}.new`);
  },
  cd: ({ words: [, folder = ""] }) => {
    assert(existsSync(join(repository, folder)), `There is no folder ${folder}`);
  },
};

describe("commands", () => {
  const distinct = new Map(commands.map((command) => [`${command.place}: ${command.text}`, command]));
  for (const [title, command] of distinct) {
    it(title, async () => {
      command.variables.forEach(checkVariable);
      if (command.words.length === 0) return;
      const check = checks[programOf(command)];
      assert(check, `Nothing checks ${programOf(command)}`);
      await check(command);
    });
  }
});

const manifest = z.object({
  scripts: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});

/** On a page of an example its own package.json counts. */
function manifestFor({ page }: Command): z.infer<typeof manifest> {
  const own = join(dirname(page), "package.json");
  const file = existsSync(join(repository, own)) ? own : "package.json";
  return readManifest(file);
}

function readManifest(file: string): z.infer<typeof manifest> {
  return manifest.parse(JSON.parse(readFileSync(join(repository, file), "utf8")));
}

function checkNpm(command: Command): void {
  const [verb = "", ...rest] = argumentsOf(command);
  const names = rest.filter((word) => !word.startsWith("-"));
  if (verb === "init" || verb === "ci") return;
  if (verb === "test" || verb === "start" || verb === "run") {
    const script = verb === "run" ? names[0] : verb;
    assert(script !== undefined && script in manifestFor(command).scripts, `There is no script ${script}`);
  } else if (verb === "install") {
    const unknown = names.filter((name) => !isKnownPackage(name));
    assert.deepEqual(unknown, []);
  } else assert.deepEqual([verb, ...rest], ["pack", "--workspace", "provider"]);
}

/** test/packages installs from a git address. */
function isKnownPackage(name: string): boolean {
  return (
    knownPackages.has(name.replace(/(?<=.)@.*$/, "")) ||
    /^git\+https:.*\/pulumi-user-groups(\.git)?$/.test(name)
  );
}

/** What the package needs, and what the examples of a program need. */
const knownPackages = new Set([
  "pulumi-user-groups",
  ...Object.keys(readManifest("provider/package.json").peerDependencies),
  ...Object.keys(readManifest("examples/quickstart/package.json").devDependencies),
  ...Object.keys(readManifest("examples/testing/package.json").devDependencies),
]);

/** With `--help` options are parsed, and nothing is done. */
async function checkOwnCommand(command: Command): Promise<void> {
  const errors: string[] = [];
  const terminal = {
    out: () => undefined,
    err: (line: string) => errors.push(line),
    interrupted: () => Promise.resolve(),
    environment: {},
  };
  const code = await main([...argumentsOf(command), "--help"], terminal);
  assert.deepEqual([code, errors], [0, []]);
}

/** A key without a namespace is the program's own. engine/commands.test.ts does the rest. */
function checkConfiguration(command: Command): void {
  const [verb, set, key = ""] = argumentsOf(command).filter((word) => !word.startsWith("-"));
  if (verb !== "config" || set !== "set" || !key.includes(":")) return;
  const setting = /^user-groups:(?:[a-z][a-z0-9-]*\.)?(\w+)$/.exec(key)?.[1];
  assert(
    settingNames.some((name) => name === setting),
    `There is no setting ${key}`,
  );
}

function isFollowed({ page }: Command): void {
  assert.equal(page, "docs/from-terraform.md");
}

function isInstalled(command: Command): void {
  const program = programOf(command);
  const isTool = existsSync(join(repository, "node_modules/.bin", program));
  assert(isTool || program === "git", `${program} isn't installed`);
}

/** Those of the product, with or without the name of a connection, and Pulumi's own; examples have others. */
function checkVariable(name: string): void {
  if (!/^(USER_GROUPS|PULUMI)_/.test(name)) return;
  const ours = settingNames.map((setting) => environmentVariable(setting, "x").replace("X_", "(\\w+_)?"));
  const pulumis = "PULUMI_(ACCESS_TOKEN|CONFIG_PASSPHRASE|BACKEND_URL|EXPERIMENTAL|SKIP_CHECKPOINTS)";
  assert.match(name, new RegExp(`^(${[...ours, pulumis].join("|")})$`));
}
