/** What the scripts of a release build. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inherited, run, succeeds, type Ended } from "../support/harness/run";

const repository = join(__dirname, "../..");
let folder: string;
beforeEach(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), "user-groups-release-"));
});
afterEach(() => fs.rm(folder, { recursive: true }));

function script(name: string, ...args: readonly string[]): Promise<Ended> {
  const file = join(repository, "tools/release", name);
  return run(process.execPath, [file, ...args], { cwd: folder, env: inherited() });
}

describe("a release", () => {
  it("joins the changelog's sentences under its version, and says first how to upgrade", async () => {
    const files = {
      "package.json": '{ "version": "9.9.9" }',
      "CHANGELOG.md": "# Changelog\n\n## 9.9.8\n\n- Former.\n",
      "changelog/one.md": "- One.\n",
      "changelog/two.md": "- Two.\n",
    };
    await fs.mkdir(join(folder, "changelog"));
    for (const [name, text] of Object.entries(files)) await fs.writeFile(join(folder, name), text);
    succeeds(await script("changelog.mjs"));
    const text = await fs.readFile(join(folder, "CHANGELOG.md"), "utf8");
    assert.match(
      text,
      /^# Changelog\n\n## 9\.9\.9\n\nUpgrade by a `pulumi up` of its own, .*\n\n- One\.\n- Two\.\n\n## 9\.9\.8\n/,
    );
    const { stdout } = succeeds(await script("changelog.mjs", "--notes"));
    assert.match(stdout, /^Upgrade by .*\n\n- One\.\n- Two\.\n$/);
  });

  it("has the same bytes whoever builds it and when, with checksums", async () => {
    const sumsOf = async (target: string) => {
      succeeds(await script("build.mjs"));
      succeeds(await script("plugin/pack.mjs", join(folder, target)));
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
});
