/** The workflow of a release, run on a clone of the last commit as far as it goes without publishing. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { repository } from "../../support/engine/programs";
import { run, succeeds, withFolder } from "../../support/harness/run";
import { version } from "../../../provider/version";
import { runTool } from "./tool";

const workflow = z.object({
  jobs: z.object({ release: z.object({ steps: z.array(z.object({ run: z.string().optional() })) }) }),
});

describe("the workflow of a release", () => {
  it("builds and packs all that it publishes, and says what the release lacks", () =>
    withFolder(async (folder) => {
      const clone = join(folder, "clone");
      await runTool("git", ["clone", "--quiet", repository, clone]);
      await fs.symlink(join(repository, "node_modules"), join(clone, "node_modules"));
      const uploaded = join(folder, "uploaded");
      await fs.writeFile(join(folder, "gh"), `#!/bin/sh\nprintf '%s\\n' "$@" > ${uploaded}\n`, {
        mode: 0o755,
      });
      const env = {
        ...{ PATH: [folder, process.env["PATH"]].join(delimiter), npm_config_dry_run: "true" },
        ...{ GITHUB_REF_TYPE: "tag", GITHUB_REF_NAME: "v9.9.9" },
      };

      const text = await fs.readFile(join(clone, ".github/workflows/release.yml"), "utf8");
      const { steps } = workflow.parse(parse(text)).jobs.release;
      const commands = steps.flatMap((step) => step.run ?? []);
      assert.equal(commands[0], "npm ci");
      let output = "";
      for (const command of commands.slice(1))
        output += succeeds(await run("sh", ["-c", command], { cwd: clone, env })).output;

      assert.match(output, new RegExp(`Not ready for a release: .*the tag isn't v${version}`));
      assert.match(output, new RegExp(`pulumi-user-groups@${version}`));
      const [release, create, tag, ...files] = (await fs.readFile(uploaded, "utf8")).trim().split("\n");
      assert.deepEqual([release, create, tag], ["release", "create", "v9.9.9"]);
      assert(files.some((file) => file.endsWith(`user-groups-v${version}-windows-arm64.tar.gz`)));
    }));
});
