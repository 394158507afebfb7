import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { packProvider, type Tarball } from "../../packages/tarball";
import { example } from "../example";

const run = promisify(execFile);

/**
 * Its packages are installed here only: the engine would want the plugin of @pulumi/kubernetes for every program that
 * finds that package beside it, and the package's install script would fetch the plugin.
 */
describe("examples/kubernetes", () => {
  let tarball: Tarball | undefined;
  let folder: string;
  before("its packages", async () => {
    tarball = await packProvider();
    folder = await fs.mkdtemp(join(tmpdir(), "user-groups-kubernetes-"));
    for (const [name, text] of Object.entries(example("kubernetes"))) {
      await fs.mkdir(dirname(join(folder, name)), { recursive: true });
      await fs.writeFile(join(folder, name), text);
    }
    await npm("install", "--ignore-scripts", "--no-audit", "--no-fund", tarball.file);
  }).timeout("5m");
  after("their end", async () => {
    await fs.rm(folder, { recursive: true, force: true });
    await tarball?.remove();
  });

  it("compiles", () => npm("run", "types"));

  it("passes its own test with Pulumi's mocks", () => npm("test"));

  async function npm(...args: string[]): Promise<void> {
    await run("npm", args, { cwd: folder }).catch((cause: unknown) => {
      const printed = cause instanceof Error && "stdout" in cause ? String(cause.stdout) : "";
      throw new Error(`npm ${args.join(" ")} failed:\n${printed}`, { cause });
    });
  }
});
