/** The scripts of a release: what they build, and what they refuse. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { z } from "zod";
import { inherited, run, succeeds, type Ended } from "../harness/run";

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

describe("the audit", () => {
  const unreachable = { message: "405 Method Not Allowed" };
  const of = (severity: string) => ({ vulnerabilities: { zod: { name: "zod", severity } } });
  const elsewhere = { vulnerabilities: { mocha: { name: "mocha", severity: "critical" } } };
  const cases: [printed: unknown, output: RegExp, code: number, codeIfRequired: number][] = [
    [unreachable, /^Not audited: 405 Method Not Allowed$/m, 0, 1],
    ["no JSON", /^Not audited: npm audit printed no JSON$/m, 0, 1],
    [{ vulnerabilities: {} }, /^Audited \d\d packages: 0 with/m, 0, 0],
    [of("low"), /: 0 with/, 0, 0],
    [elsewhere, /: 0 with/, 0, 0],
    [of("moderate"), /^moderate: zod\nAudited .* 1 with/m, 1, 1],
  ];
  for (const [printed, output, code, codeIfRequired] of cases)
    it(`of ${JSON.stringify(printed)} ends with ${code}, and with ${codeIfRequired} if it is required`, async () => {
      const env = await withNpm(printed);
      for (const [args, expected] of [
        [[], code],
        [["--required"], codeIfRequired],
      ] as const) {
        const ended = await script("audit.mjs", args, env);
        assert.equal(ended.code, expected, ended.output);
        assert.match(ended.output, output);
      }
    });

  it("fails a release if it couldn't run", async () => {
    assert.match((await script("check.mjs", [], await withNpm(unreachable))).stderr, /weren't audited/);
    assert.doesNotMatch(
      (await script("check.mjs", [], await withNpm({ vulnerabilities: {} }))).stderr,
      /audited/,
    );
  });
});

/** An environment whose npm prints this. */
async function withNpm(printed: unknown) {
  const text = typeof printed === "string" ? printed : JSON.stringify(printed);
  const program = `#!/usr/bin/env node\nprocess.stdout.write(${JSON.stringify(text)});\n`;
  await fs.writeFile(join(folder, "npm"), program, { mode: 0o755 });
  return { ...inherited(), PATH: [folder, process.env["PATH"]].join(delimiter) };
}
