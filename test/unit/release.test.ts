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
  it("has the same bytes whoever builds it and when, with checksums", async () => {
    const sumsOf = async (target: string) => {
      succeeds(await script("build.mjs"));
      succeeds(await script("plugin/pack.mjs", [join(folder, target)]));
      return fs.readFile(join(folder, target, "SHA256SUMS"), "utf8");
    };
    const sums = await sumsOf("one");
    await fs.chmod(join(repository, "plugin/schema.json"), 0o600);
    assert.equal(await sumsOf("two"), sums);
    const lines = sums.trim().split("\n");
    assert.equal(lines.length, 8);
    for (const line of lines) {
      const [sum, name = ""] = line.split("  ");
      const content = await fs.readFile(join(folder, "one", name));
      assert.equal(createHash("sha256").update(content).digest("hex"), sum);
    }
  }).timeout("120s");

  for (const bundle of ["dist", "plugin"])
    it(`lists the packages that the bundle in ${bundle} contains`, async () => {
      const read = (name: string) => fs.readFile(join(repository, bundle, name), "utf8");
      const { components } = billOfMaterials.parse(JSON.parse(await read("sbom.cdx.json")));
      const listed = components.map(({ group, name, version }) => {
        return `${group ? `${group}/` : ""}${name} ${version}`;
      });
      const licensed = [...(await read("LICENSES.txt")).matchAll(/^(\S+ \d+\.\d+\.\d+\S*): /gm)];
      assert.deepEqual(listed.sort(), licensed.map(([, each]) => each).sort());
      assert(listed.length >= 10);
    });
});

const billOfMaterials = z.object({
  components: z.array(z.object({ group: z.string().optional(), name: z.string(), version: z.string() })),
});

describe("the changelog", () => {
  /** Commits a file, or nothing. */
  const commit = async (message: string, file?: string, text = "") => {
    if (file !== undefined) {
      await fs.mkdir(dirname(join(folder, file)), { recursive: true });
      await fs.writeFile(join(folder, file), text);
    }
    await git("add", ".");
    await git("commit", "--quiet", "--allow-empty", "--message", message);
  };
  const git = async (...args: string[]) => {
    const identity = ["-c", "user.name=tests", "-c", "user.email=tests@example.com"];
    succeeds(await run("git", [...identity, ...args], { cwd: folder }));
  };
  const check = () => script("changelog.mjs", ["--check", "base"]);
  beforeEach(async () => {
    await git("init", "--quiet");
    await commit("Begin");
    await git("branch", "base");
  });

  it("requires a fragment of a change of the product, or the word that users don't notice it", async () => {
    await commit("Change the product", "provider/src/index.ts");
    fails(await check(), /Add a file to changelog/);
    await commit("Tell it", "changelog/retry.md", "Retries");
    fails(await check(), /changelog\/retry\.md is no list of sentences/);
    await commit("Tell it", "changelog/retry.md", "- Retries truncated responses.\n");
    succeeds(await check());
    await git("reset", "--quiet", "--hard", "HEAD~2");
    await commit("Rename a function\n\nChangelog: none");
    succeeds(await check());
  });

  it("joins the fragments into an entry of the new version", async () => {
    await commit("Raise the version", "package.json", '{ "version": "0.2.0" }');
    await commit("Begin", "CHANGELOG.md", "# Changelog\n\n## 0.1.0\n\n- The first version.\n");
    await commit("Tell it", "changelog/a.md", "- One.\n- Two.\n");
    await commit("Tell it", "changelog/b.md", "- Three.\n");
    succeeds(await script("changelog.mjs"));
    const text = await fs.readFile(join(folder, "CHANGELOG.md"), "utf8");
    const entry = "## 0.2.0\n\n- One.\n- Two.\n- Three.\n";
    assert.equal(text, `# Changelog\n\n${entry}\n## 0.1.0\n\n- The first version.\n`);
    assert(!(await fs.readdir(folder)).includes("changelog"));
  });
});

describe("the audit", () => {
  const unreachable = { message: "405 Method Not Allowed" };
  const of = (name: string, severity: string) => ({ vulnerabilities: { [name]: { name, severity } } });
  for (const [printed, output, code, codeIfRequired] of [
    [unreachable, /^Not audited: 405 Method Not Allowed$/m, 0, 1],
    [of("zod", "low"), /^Audited \d\d packages: 0 with/m, 0, 0],
    [of("mocha", "critical"), /: 0 with/, 0, 0],
    [of("zod", "moderate"), /^moderate: zod\nAudited .* 1 with/m, 1, 1],
  ] as const)
    it(`of ${JSON.stringify(printed)} ends with ${code}, and with ${codeIfRequired} if it is required`, async () => {
      await writeProgram(folder, "npm", `console.log(${JSON.stringify(JSON.stringify(printed))});`);
      const env = { ...inherited(), PATH: [folder, process.env["PATH"]].join(delimiter) };
      const optional = await script("audit.mjs", [], env);
      assert.equal(optional.code, code, optional.output);
      assert.match(optional.output, output);
      assert.equal((await script("audit.mjs", ["--required"], env)).code, codeIfRequired);
      const { stderr } = await script("check.mjs", [], env);
      assert.equal(stderr.includes("weren't audited"), codeIfRequired === 1);
    });
});
