/** The lines of the README that install the package, as they are printed, with each package manager. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { snippetsOf } from "../../pages/pages";
import { repository } from "../../support/engine/programs";
import { run, succeeds } from "../../support/harness/run";
import { binaryFrom, nodePackage, runTool } from "./tool";

const address = "https://git.example.com/pulumi-user-groups.git";
const [packing = "", installing = ""] =
  snippetsOf("README.md", "sh")
    .map((block) => block.trim().split("\n"))
    .find(([line]) => line?.startsWith("npm pack ")) ?? assert.fail("The README packs no archive");

/** What to write for the first word of the line, and the packages that bring the managers. npm 12 and pnpm 12 need Node.js 22. */
const managers: readonly [verb: string, specifier: string][] = [
  ["npm install --save-exact", "npm@10.9.4"],
  ["npm install --save-exact", "npm@11.19.1"],
  ["npm install --save-exact", "npm@12.2.2"],
  ["pnpm add --save-exact", "pnpm@10.34.9"],
  ["pnpm add --save-exact", "pnpm@12.21.0"],
  ["yarn add --exact", "yarn@1.22.22"],
  ["yarn add --exact", "@yarnpkg/cli-dist@4.18.1"],
  ["bun add --exact", `@oven/bun-${process.platform}-${process.arch}@1.4.5`],
];

describe("the lines of the README install the package", () => {
  let root: string;
  let archive: string;
  const readme = readFileSync(join(repository, "README.md"), "utf8");
  before(async function () {
    this.timeout(600_000);
    root = await fs.mkdtemp(join(tmpdir(), "user-groups-install-"));
    await binaryFrom(nodePackage("24.21.0"), join(root, "node"));
    const bare = join(root, "pulumi-user-groups.git");
    await runTool("git", ["clone", "--quiet", "--bare", repository, bare]);
    const folder = await newProgram("archive");
    const head = (await runTool("git", ["rev-parse", "HEAD"], repository)).trim();
    const line = packing.replace(address, `${pathToFileURL(bare).href}#${head}`);
    // The strictest one: older versions ignore the option.
    succeeds(await shell(line, folder, await binOf("npm@12.2.2")));
    archive = join(folder, /file:(\S+)/.exec(installing)?.[1] ?? assert.fail(installing));
  });
  after(() => fs.rm(root, { recursive: true, maxRetries: 5 }));

  for (const [verb, specifier] of managers)
    it(`with ${specifier}: ${verb}`, async () => {
      assert(verb.startsWith("npm ") || readme.replaceAll("\n", " ").includes(`\`${verb}\``), verb);
      const folder = await newProgram(specifier.replaceAll(/\W/g, "-"));
      await fs.copyFile(archive, join(folder, archive.slice(archive.lastIndexOf("/") + 1)));
      const line = installing.replace("npm install --save-exact", verb);
      succeeds(await shell(line, folder, await binOf(specifier)));
      const program =
        'console.log(typeof require("pulumi-user-groups").UserGroup, typeof require("@pulumi/pulumi").log)';
      const { stdout } = succeeds(await run(process.execPath, ["--eval", program], { cwd: folder }));
      assert.equal(stdout, "function object\n");
    });

  /** With the settings of docs/compatibility.md for pnpm 12, and without Yarn's Plug'n'Play. */
  async function newProgram(name: string): Promise<string> {
    const folder = join(root, name);
    await fs.mkdir(folder);
    const [pnpm = ""] = snippetsOf("docs/compatibility.md", "yaml");
    const yarn = "nodeLinker: node-modules\nenableTelemetry: false\n";
    const files = { "package.json": "{}", "yarn.lock": "", ".yarnrc.yml": yarn, "pnpm-workspace.yaml": pnpm };
    for (const [file, text] of Object.entries(files)) await fs.writeFile(join(folder, file), text);
    return folder;
  }

  /** A folder in which the command of a manager is. */
  async function binOf(specifier: string): Promise<string> {
    const bin = await binaryFrom(specifier, join(root, "managers", specifier.replaceAll(/\W/g, "-")));
    return specifier.startsWith("@oven")
      ? bin
      : join(bin.slice(0, bin.lastIndexOf("node_modules")), "node_modules/.bin");
  }

  function shell(line: string, cwd: string, bin: string) {
    const node = join(root, "node/node_modules", nodePackage("24.21.0").replace(/@[^@]*$/, ""), "bin");
    const PATH = [bin, node, process.env["PATH"]].join(delimiter);
    const env = { ...process.env, PATH, CI: "", YARN_ENABLE_IMMUTABLE_INSTALLS: "false" };
    return run("sh", ["-c", line], { cwd, env });
  }
});
