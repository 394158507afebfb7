import assert from "node:assert/strict";
import { z } from "zod";
import type { Ended } from "../harness/ended";
import { Clone } from "./clone";
import { startRegistry, type Registry } from "./registry";

describe("a release", () => {
  let clone: Clone;
  let registry: Registry;
  beforeEach("a clone and a registry", async () => {
    clone = await Clone.make();
    registry = await startRegistry();
  });
  afterEach("their end", async () => {
    registry.stop();
    await clone.remove();
  });
  const release = (...flags: string[]): Promise<Ended> =>
    clone.run(process.execPath, ["release/release.mjs", ...flags], {
      ...noForge,
      npm_config_registry: registry.url,
      [`npm_config_${registry.url.replace("http:", "")}/:_authToken`]: "none",
    });

  it("with --dry-run packs, says what lacks, and publishes nothing", async () => {
    const { code, output } = await release("--dry-run");
    assert.equal(code, 0, output);
    assert.match(output, /^\+ pulumi-user-groups@\d+\.\d+\.\d+$/m);
    for (const file of ["README.md", "LICENSE", "CHANGELOG.md", "package.json", "dist/index.js"])
      assert(output.includes(`B ${file}\n`), file);
    assert.match(output, /^A release would be refused: .* repository\.url/m);
    assert.deepEqual(
      registry.methods.filter((method) => method !== "GET"),
      [],
    );
  });

  it("is refused where there can be no provenance", async () => {
    const { code, output } = await release();
    assert.equal(code, 1, output);
    assert.match(output, /^Not released: .* repository\.url/m);
    assert.deepEqual(registry.methods, []);
  });

  it("asks npm for provenance, which refuses it outside of CI, and doesn't tag", async () => {
    await nameRepository(clone);
    await clone.commit();
    const { code, output } = await release();
    assert.equal(code, 1, output);
    assert.match(output, /provenance generation not supported/i);
    assert.deepEqual(
      registry.methods.filter((method) => method !== "GET"),
      [],
    );
    assert.equal((await clone.run("git", ["tag"])).output, "");
  });

  it("is refused while changes aren't committed", async () => {
    await clone.write("README.md", "# Another\n");
    const { code, output } = await release("--dry-run");
    assert.equal(code, 1);
    assert.match(output, /^Not released: the working tree has changes/m);
  });

  it("is refused where the changelog says nothing of the version", async () => {
    await clone.write("provider/CHANGELOG.md", "# pulumi-user-groups\n");
    await clone.commit();
    const { code, output } = await release("--dry-run");
    assert.equal(code, 1);
    assert.match(output, /^Not released: provider\/CHANGELOG\.md says nothing of/m);
  });

  it("is refused while changesets are pending", async () => {
    await clone.write(".changeset/brave-cats.md", changeset);
    await clone.commit();
    const { code, output } = await release("--dry-run");
    assert.equal(code, 1);
    assert.match(output, /^Not released: changesets are pending \(brave-cats\.md\)/m);
  });
});

describe("npm run bump", () => {
  it("turns changesets into a version, its changelog and the examples' dependency", async () => {
    const clone = await Clone.make();
    try {
      await clone.write(".changeset/brave-cats.md", changeset);
      const before = versioned.parse(JSON.parse(await clone.read("provider/package.json")));
      const { code, output } = await clone.run(process.execPath, [
        "node_modules/@changesets/cli/bin.js",
        "version",
      ]);
      assert.equal(code, 0, output);
      const { version } = versioned.parse(JSON.parse(await clone.read("provider/package.json")));
      assert.notEqual(version, before.version);
      const changelog = await clone.read("provider/CHANGELOG.md");
      assert(changelog.includes(`## ${version}\n\n### Minor Changes\n\n- Say hello.\n`), changelog);
      assert(
        (await clone.read("examples/quickstart/package.json")).includes(
          `"pulumi-user-groups": "^${version}"`,
        ),
      );
    } finally {
      await clone.remove();
    }
  });
});

describe("the packed README", () => {
  it("is the repository's, with links that lead there", async () => {
    const clone = await Clone.make();
    try {
      await nameRepository(clone);
      await clone.run(process.execPath, ["release/pages.mjs"]);
      const packed = await clone.read("provider/README.md");
      const links = [...packed.matchAll(/\]\(([^)]*)\)/g)].map(([, link = ""]) => link);
      assert(links.includes(`${forge}docs/concepts.md`));
      assert.deepEqual(
        links.filter((link) => !/^(https:|#)/.test(link)),
        [],
      );
      assert.equal(packed.replaceAll(forge, ""), await clone.read("README.md"));
    } finally {
      await clone.remove();
    }
  });
});

async function nameRepository(clone: Clone): Promise<void> {
  const manifest = z.looseObject({}).parse(JSON.parse(await clone.read("provider/package.json")));
  const repository = { type: "git", url: "git+https://forge.example/team/user-groups.git" };
  await clone.write("provider/package.json", JSON.stringify({ ...manifest, repository }));
}

/** npm looks for these to find out whose job it runs in. */
const noForge = { CI: undefined, GITHUB_ACTIONS: undefined, GITLAB_CI: undefined };

const changeset = '---\n"pulumi-user-groups": minor\n---\n\nSay hello.\n';
const versioned = z.object({ version: z.string() });
const forge = "https://forge.example/team/user-groups/blob/HEAD/";
