/** The scripts of a release: what they build, and what they refuse. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { z } from "zod";
import { fails, inherited, run, succeeds, writeProgram, type Ended } from "../harness/run";

const repository = join(__dirname, "../..");
let folder: string;
beforeEach(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), "user-groups-release-"));
});
afterEach(() => fs.rm(folder, { recursive: true }));

function script(name: string, args: readonly string[] = [], env = inherited()): Promise<Ended> {
  return run(process.execPath, [join(repository, "release", name), ...args], { cwd: folder, env });
}

describe("a release", () => {
  it("has the same bytes whoever builds it and when, with checksums and a list of what it contains", async () => {
    const sumsOf = async (target: string) => {
      succeeds(await script("build.mjs"));
      succeeds(await script("plugin/pack.mjs", [join(folder, target)]));
      return fs.readFile(join(folder, target, "SHA256SUMS"), "utf8");
    };
    const sums = await sumsOf("one");
    for (const name of await fs.readdir(join(repository, "plugin")))
      await fs.utimes(join(repository, "plugin", name), 1e9, 1e9);
    // The next build writes it anew.
    await fs.chmod(join(repository, "plugin/schema.json"), 0o600);
    succeeds(await script("plugin/pack.mjs", [join(folder, "two")]));
    assert.equal(await fs.readFile(join(folder, "two/SHA256SUMS"), "utf8"), sums);
    assert.equal(await sumsOf("three"), sums);
    const lines = sums
      .trim()
      .split("\n")
      .map((line) => line.split("  "));
    assert.equal(lines.length, 8);
    for (const [sum, name = ""] of lines) {
      const content = await fs.readFile(join(folder, "one", name));
      assert.equal(createHash("sha256").update(content).digest("hex"), sum);
    }
  }).timeout("120s");

  for (const bundle of ["dist", "plugin"])
    it(`lists the packages that the bundle in ${bundle} contains`, async () => {
      const read = (name: string) => fs.readFile(join(repository, bundle, name), "utf8");
      const { components } = billOfMaterials.parse(JSON.parse(await read("sbom.cdx.json")));
      const listed = components.map(
        ({ group, name, version }) => `${group ? `${group}/` : ""}${name} ${version}`,
      );
      const licensed = [...(await read("LICENSES.txt")).matchAll(/^(\S+ \d+\.\d+\.\d+\S*): /gm)];
      assert.deepEqual(listed.sort(), licensed.map(([, each]) => each).sort());
      assert(listed.length > 10);
    });
});

const billOfMaterials = z.object({
  bomFormat: z.literal("CycloneDX"),
  components: z.array(z.object({ group: z.string().optional(), name: z.string(), version: z.string() })),
});

describe("the changelog", () => {
  const changelog = (cwd: string, args: readonly string[]) =>
    run(process.execPath, [join(repository, "release/changelog.mjs"), ...args], { cwd });

  it("has lists of sentences in its fragments", async () => {
    succeeds(await changelog(repository, ["--check", "HEAD"]));
  });

  it("requires a fragment of a change of the product, or the word that users don't notice it", () =>
    inGit(async (git, write) => {
      await write("provider/src/index.ts", "1");
      await git("commit", "--quiet", "--message", "Change the product");
      fails(await changelog(folder, ["--check", "base"]), /Add a file to changelog/);
      await write("changelog/retry.md", "Retries");
      fails(await changelog(folder, ["--check", "base"]), /changelog\/retry\.md is no list of sentences/);
      await write("changelog/retry.md", "- Retries truncated responses.\n");
      await git("commit", "--quiet", "--message", "Tell it");
      succeeds(await changelog(folder, ["--check", "base"]));
      await git("reset", "--quiet", "--hard", "HEAD~1");
      await git("commit", "--quiet", "--amend", "--message", "Rename a function\n\nChangelog: none");
      succeeds(await changelog(folder, ["--check", "base"]));
    }));

  it("joins the fragments into an entry of the new version", () =>
    inGit(async (_git, write) => {
      await write("package.json", '{ "version": "0.2.0" }');
      await write("CHANGELOG.md", "# Changelog\n\n## 0.1.0\n\n- The first version.\n");
      await write("changelog/a.md", "- One.\n- Two.\n");
      await write("changelog/b.md", "- Three.\n");
      succeeds(await changelog(folder, []));
      const text =
        "# Changelog\n\n## 0.2.0\n\n- One.\n- Two.\n- Three.\n\n## 0.1.0\n\n- The first version.\n";
      assert.equal(await fs.readFile(join(folder, "CHANGELOG.md"), "utf8"), text);
      assert(!(await fs.readdir(folder)).includes("changelog"));
      fails(await changelog(folder, []), /CHANGELOG\.md has an entry for 0\.2\.0/);
    }));

  /** In a repository whose branch "base" has one commit. `write` also stages the file. */
  async function inGit(
    use: (
      git: (...args: string[]) => Promise<unknown>,
      write: (name: string, text: string) => Promise<void>,
    ) => Promise<void>,
  ): Promise<void> {
    const identity = ["-c", "user.name=tests", "-c", "user.email=tests@example.com"];
    const git = async (...args: string[]) =>
      succeeds(await run("git", [...identity, ...args], { cwd: folder }));
    await git("init", "--quiet");
    await git("commit", "--quiet", "--allow-empty", "--message", "Begin");
    await git("branch", "base");
    await use(git, async (name, text) => {
      await fs.mkdir(dirname(join(folder, name)), { recursive: true });
      await fs.writeFile(join(folder, name), text);
      await git("add", name);
    });
  }
});

describe("the audit", () => {
  const unreachable = { message: "405 Method Not Allowed" };
  const of = (severity: string) => ({ vulnerabilities: { zod: { name: "zod", severity } } });
  const elsewhere = { vulnerabilities: { mocha: { name: "mocha", severity: "critical" } } };
  for (const [printed, output, code, codeIfRequired] of [
    [unreachable, /^Not audited: 405 Method Not Allowed$/m, 0, 1],
    ["no JSON", /^Not audited: npm audit printed no JSON$/m, 0, 1],
    [of("low"), /^Audited \d\d packages: 0 with/m, 0, 0],
    [elsewhere, /: 0 with/, 0, 0],
    [of("moderate"), /^moderate: zod\nAudited .* 1 with/m, 1, 1],
  ] as const)
    it(`of ${JSON.stringify(printed)} ends with ${code}, and with ${codeIfRequired} if it is required`, async () => {
      const env = await withNpm(printed);
      const optional = await script("audit.mjs", [], env);
      assert.equal(optional.code, code, optional.output);
      assert.match(optional.output, output);
      assert.equal((await script("audit.mjs", ["--required"], env)).code, codeIfRequired);
    });

  it("fails a release if it couldn't run", async () => {
    assert.match((await script("check.mjs", [], await withNpm(unreachable))).stderr, /weren't audited/);
    const { stderr } = await script("check.mjs", [], await withNpm({ vulnerabilities: {} }));
    assert.doesNotMatch(stderr, /audited/);
  });
});

/** An environment whose npm prints this. */
async function withNpm(printed: unknown) {
  const text = typeof printed === "string" ? printed : JSON.stringify(printed);
  await writeProgram(folder, "npm", `process.stdout.write(${JSON.stringify(text)});`);
  return { ...inherited(), PATH: [folder, process.env["PATH"]].join(delimiter) };
}
