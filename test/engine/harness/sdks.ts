/** The SDKs that `npm run sdk` generates, and what a program needs to use them, as `pulumi package add` provides it. */
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { version } from "../../../provider/src/version";
import { run, succeeds, type Environment } from "../../harness/run";
import { repository } from "./programs";

export interface Sdks {
  /** The folder that holds a folder for each language. */
  readonly folder: string;
}

/** Adds an SDK to the folder of a program, and returns the environment that the program requires. */
export type AddSdk = (sdks: Sdks, program: string) => Promise<Environment>;

const schemaFile = join(repository, "plugin/schema.json");

/** Generates the SDKs into a folder. */
async function generateSdks(folder: string): Promise<void> {
  succeeds(await run(process.execPath, [join(repository, "engine/generateSdks.mjs"), schemaFile, folder]));
}

/** Generates the SDKs before the tests of the `describe` that calls it, and removes them after the tests. */
export function newSdks(): Sdks {
  let folder = "";
  before("the SDKs", async () => {
    folder = await fs.mkdtemp(join(tmpdir(), "user-groups-sdks-"));
    await generateSdks(folder);
  });
  after(() => fs.rm(folder, { recursive: true }));
  return {
    get folder() {
      return folder;
    },
  };
}

/** The virtual environment `venv`, and the package `pulumi_user_groups`. The first `python` on the PATH has Pulumi's SDK. */
export const addPythonSdk: AddSdk = async ({ folder }, program) => {
  const { stdout } = succeeds(await run(process.execPath, [join(repository, "engine/python.mjs")]));
  const commands = stdout.trim();
  await fs.symlink(join(commands, ".."), join(program, "venv"));
  // The SDK looks up its version, which an installation writes there.
  const metadata = join(folder, `python/pulumi_user_groups-${version}.dist-info`);
  await fs.mkdir(metadata, { recursive: true });
  await fs.writeFile(join(metadata, "METADATA"), `Name: pulumi_user_groups\nVersion: ${version}\n`);
  const PATH = [commands, process.env["PATH"]].join(delimiter);
  return { PATH, PYTHONPATH: join(folder, "python") };
};

/** The Go module `sdks/user-groups`, with the engine's versions and flags, so that both share Go's build cache. */
export const addGoSdk: AddSdk = async ({ folder }, program) => {
  const sdk = join(program, "sdks/user-groups");
  await fs.cp(join(folder, "go/usergroups"), sdk, { recursive: true });
  const engine = await fs.readFile(join(repository, "engine/cli/go.mod"), "utf8");
  const requirements = engine.slice(engine.indexOf("require"));
  const programModule = await fs.readFile(join(program, "go.mod"), "utf8");
  const module = "module example.com/pulumi-user-groups/sdk/go/usergroups\n\ngo 1.25\n\n";
  await fs.writeFile(join(sdk, "go.mod"), module + requirements);
  await fs.writeFile(join(program, "go.mod"), `${programModule}\n${requirements}`);
  await fs.copyFile(join(repository, "engine/cli/go.sum"), join(program, "go.sum"));
  return { GOFLAGS: "-mod=mod -trimpath", GOWORK: "off" };
};
