// The changelog's fragments: each change that users notice adds a file to changelog/, with a list of sentences. `npm version` joins them
// into CHANGELOG.md, after how to upgrade. `--check origin/main` fails if the commits since then change the product without a file, and none of them has the
// line "Changelog: none". `--notes` prints what CHANGELOG.md says of this version.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const names = existsSync("changelog") ? readdirSync("changelog").sort() : [];
const fragments = names.map((name) => ({
  file: `changelog/${name}`,
  text: readFileSync(`changelog/${name}`, "utf8"),
}));
const [flag, base] = process.argv.slice(2);

try {
  const wrong = fragments.find(({ text }) => !/^- [^]*\.\n$/.test(text));
  if (wrong) throw new Error(`${wrong.file} is no list of sentences ("- ….")`);
  if (flag === "--check") check();
  else if (flag === "--notes") notes();
  else release();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function check() {
  const git = (...args) => execFileSync("git", args, { encoding: "utf8" });
  const changed = git("diff", "--name-only", `${base}...HEAD`).split("\n");
  const isProduct = changed.some((file) => file.startsWith("provider/"));
  const isTold = changed.some((file) => /^(changelog\/|CHANGELOG\.md$)/.test(file));
  const isExcused = /^Changelog: none$/m.test(git("log", "--format=%B", `${base}..HEAD`));
  if (isProduct && !isTold && !isExcused)
    throw new Error('Add a file to changelog/, or to a commit message the line "Changelog: none"');
}

function notes() {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const entries = readFileSync("CHANGELOG.md", "utf8").split(/^## /m);
  const entry = entries.find((text) => text.startsWith(`${version}\n`));
  if (!entry) throw new Error(`CHANGELOG.md has no entry for ${version}`);
  console.log(entry.slice(version.length).trim());
}

function release() {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const text = readFileSync("CHANGELOG.md", "utf8");
  if (text.includes(`\n## ${version}\n`)) throw new Error(`CHANGELOG.md has an entry for ${version}`);
  const upgrade =
    "Upgrade by a `pulumi up` of its own, without any other change to the program or its options. docs/compatibility.md says why.";
  const entry = `## ${version}\n\n${upgrade}\n\n${fragments.map((fragment) => fragment.text).join("")}\n`;
  writeFileSync("CHANGELOG.md", text.replace("# Changelog\n\n", `# Changelog\n\n${entry}`));
  rmSync("changelog", { recursive: true, force: true });
}
