/** The workflows of the repository and of the examples, which readers copy. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import manifest from "../../package.json";

const repository = join(__dirname, "../..");
const textOf = (file: string) => readFileSync(join(repository, file), "utf8");

const step = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.unknown().optional(),
});
const workflow = z.object({ jobs: z.record(z.string(), z.object({ steps: z.array(step) })) });
const update = z.object({ "package-ecosystem": z.string(), directories: z.array(z.string()).default([]) });
const updates = z.object({ updates: z.array(update) });

/** Those whose actions Dependabot updates. */
const folders = updates
  .parse(parse(textOf(".github/dependabot.yml")))
  .updates.filter((each) => each["package-ecosystem"] === "github-actions")
  .flatMap(({ directories }) => directories)
  .map((folder) => (folder === "/" ? ".github/workflows" : folder.slice(1)));
const files = folders.flatMap((folder) =>
  readdirSync(join(repository, folder)).map((file) => `${folder}/${file}`),
);

describe("workflows", () => {
  it("are those of the repository and of the examples", () => {
    const shown = readdirSync(join(repository, "examples"), { withFileTypes: true }).filter((entry) => {
      return entry.isDirectory() && readdirSync(join(repository, "examples", entry.name)).includes(".github");
    });
    assert.equal(files.length, 10);
    for (const { name } of shown) assert(folders.includes(`examples/${name}/.github/workflows`), name);
  });

  for (const file of files)
    it(`pin actions by commit, keep no credentials, and interpolate nothing into commands: ${file}`, () => {
      for (const [use] of textOf(file).matchAll(/uses: .*/g))
        assert.match(use, /@[0-9a-f]{40} # v\d+\.\d+\.\d+/);
      const { jobs } = workflow.parse(parse(textOf(file)));
      for (const { uses = "", run = "", with: inputs } of Object.values(jobs).flatMap(({ steps }) => steps)) {
        assert.doesNotMatch(run, /\$\{\{/);
        if (uses.startsWith("actions/checkout@"))
          assert.match(JSON.stringify(inputs ?? {}), /"persist-credentials":false/);
      }
    });
});

describe("the engine", () => {
  it("that Go builds has the version of the launcher's, which an updater raises", () => {
    const { pulumi } = manifest.devDependencies;
    for (const name of ["pkg", "sdk"])
      assert.match(textOf("engine/cli/go.mod"), new RegExp(`pulumi/${name}/v3 v${pulumi}\\b`));
    for (const example of ["shards", "testing"])
      assert(textOf(`examples/${example}/package.json`).includes(`"pulumi": "${pulumi}"`), example);
  });
});
