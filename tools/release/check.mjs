// Runs before `npm publish`: refuses a release that isn't ready. With --dry-run it only says why.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../..");
const { version, ...manifest } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
const changelog = readFileSync(join(repository, "CHANGELOG.md"), "utf8");
const status = execFileSync("git", ["status", "--porcelain"], { cwd: repository, encoding: "utf8" });

const audit = spawnSync(process.execPath, [join(import.meta.dirname, "audit.mjs"), "--required"], {
  stdio: "inherit",
});
const { GITHUB_REF_TYPE, GITHUB_REF_NAME } = process.env;

const reasons = [
  GITHUB_REF_TYPE === "tag" && GITHUB_REF_NAME !== `v${version}` && `the tag isn't v${version}`,
  status !== "" && "the working tree has changes that aren't committed",
  existsSync(join(repository, "changelog")) &&
    "changelog/ has files that `npm version` joins into CHANGELOG.md",
  !changelog.split("\n").includes(`## ${version}`) && `CHANGELOG.md has no entry for ${version}`,
  /\bexample\.com\b/.test(manifest.repository.url) &&
    "repository, homepage and bugs in package.json are placeholders, and provenance needs the real address",
  audit.status !== 0 && "the packages that it contains weren't audited, or have vulnerabilities",
].filter(Boolean);
if (reasons.length > 0) {
  console.error(`Not ready for a release: ${reasons.join("; ")}.`);
  if (process.env.npm_config_dry_run !== "true") process.exitCode = 1;
}
