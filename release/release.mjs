// `npm run release`: publishes the package with provenance, and tags the commit. Provenance takes a CI job whose identity
// the registry can ask for. With --dry-run everything is done but the publication and the tag.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const repository = join(import.meta.dirname, "..");
const provider = join(repository, "provider");
const manifest = JSON.parse(read("provider/package.json"));

const isDryRun = process.argv.includes("--dry-run");
const scratch = mkdtempSync(join(tmpdir(), "user-groups-release-"));
try {
  refuse(flaws());
  if (isDryRun) for (const flaw of provenanceFlaws()) console.log(`A release would be refused: ${flaw}.`);
  else refuse(provenanceFlaws());
  const publish = ["publish", packed(), "--provenance", "--access", "public"];
  show("npm", isDryRun ? [...publish, "--dry-run"] : publish);
  if (!isDryRun) show("npx", ["changeset", "tag"]);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true });
}

function* flaws() {
  if (run("git", ["status", "--porcelain"], repository) !== "")
    yield "the working tree has changes that aren't committed";
  const pending = readdirSync(join(repository, ".changeset")).filter((name) =>
    /^(?!README).*\.md$/.test(name),
  );
  if (pending.length > 0) yield `changesets are pending (${pending.join(", ")}): run npm run bump and commit`;
  if (!read("provider/CHANGELOG.md").split("\n").includes(`## ${manifest.version}`))
    yield `provider/CHANGELOG.md says nothing of ${manifest.version}`;
}

/** npm compares the repository that the package names with the one that the CI job runs for. */
function* provenanceFlaws() {
  if (!manifest.repository?.url)
    yield "provider/package.json names no repository.url, which provenance needs";
}

function refuse(found) {
  const sentences = [...found];
  if (sentences.length > 0) throw new Error(`Not released: ${sentences.join("; ")}.`);
}

/** Builds and packs; gives the tarball's path. */
function packed() {
  run("npm", ["pack", "--loglevel=warn", "--pack-destination", scratch], provider);
  const [tarball] = readdirSync(scratch);
  return join(scratch, tarball);
}

function read(file) {
  return readFileSync(join(repository, file), "utf8");
}

/** On Windows npm and npx are scripts, which take a shell to start. */
function run(command, args, cwd, stdio = ["ignore", "pipe", "inherit"]) {
  const shell = process.platform === "win32" && command !== "git";
  return execFileSync(command, args, { cwd, shell, stdio, encoding: "utf8" });
}

function show(command, args) {
  run(command, args, repository, "inherit");
}
