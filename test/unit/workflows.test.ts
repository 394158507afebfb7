/** The workflows of the repository and of the examples, which readers copy. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import manifest from "../../package.json";

const repository = join(__dirname, "../..");
const textOf = (file: string) => readFileSync(join(repository, file), "utf8");
const files = execFileSync("git", ["ls-files", "*.github/workflows/*"], { cwd: repository, encoding: "utf8" })
  .trim()
  .split("\n");

const step = z.object({
  uses: z.string().default(""),
  run: z.string().default(""),
  with: z.unknown().optional(),
});
const workflow = z.object({ jobs: z.record(z.string(), z.object({ steps: z.array(step) })) });

describe("workflows", () => {
  for (const file of files)
    it(`pin actions by commit, keep no credentials, and interpolate nothing into commands: ${file}`, () => {
      const folder = file.startsWith("examples/") ? `- /${file.replace(/\/[^/]+$/, "")}\n` : "- /\n";
      assert(textOf(".github/dependabot.yml").includes(folder), "Dependabot doesn't update its actions");
      for (const [use] of textOf(file).matchAll(/uses: .*/g))
        assert.match(use, /@[0-9a-f]{40} # v\d+\.\d+\.\d+/);
      const { jobs } = workflow.parse(parse(textOf(file)));
      for (const { uses, run, with: inputs } of Object.values(jobs).flatMap(({ steps }) => steps)) {
        assert.doesNotMatch(run, /\$\{\{/);
        // npm 11 builds no package from a git address with it.
        assert.doesNotMatch(run, /--ignore-scripts/);
        if (uses.startsWith("actions/checkout@"))
          assert.match(JSON.stringify(inputs), /"persist-credentials":false/);
      }
    });
});

it("the engine that Go builds has the version of the launcher's, which an updater raises", () => {
  const { pulumi } = manifest.devDependencies;
  for (const name of ["pkg", "sdk"])
    assert.match(textOf("tools/engine/cli/go.mod"), new RegExp(`pulumi/${name}/v3 v${pulumi}\\b`));
  assert(textOf("examples/testing/package.json").includes(`"pulumi": "${pulumi}"`));
});
