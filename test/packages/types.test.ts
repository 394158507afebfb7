import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packProvider, type Tarball } from "./tarball";

const run = promisify(execFile);

const program = `
import * as pulumi from "@pulumi/pulumi";
import { UserGroup, UserGroups, type UserGroupArgs } from "pulumi-user-groups";
import { startEmulator, type Emulator } from "pulumi-user-groups/testing";
const region: string | undefined = process.env.REGION;
const args: UserGroupArgs = { userGroupId: "acme", name: "Acme", properties: { deep: [{ value: pulumi.output(1) }] } };
export const acme = new UserGroup("acme", { ...args, mapping: { sales: pulumi.output("warehouse") } });
export const other = UserGroup.get("other", "other", { name: "Other" });
export const many = new UserGroups("many", { groups: { globex: { name: region ?? "Globex" } }, removed: "retain" });
export const token: pulumi.Output<string> = acme.token;
export const tokens: pulumi.Output<Record<string, string>> = many.tokens;
export const emulator: Promise<Emulator> = startEmulator({ existing: "update" });
// @ts-expect-error: an argument that there isn't
new UserGroup("typo", { userGroupId: "typo", name: "Typo", mappings: {} });
`;

const resolutions = [
  { module: "commonjs", moduleResolution: "node10" },
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
] as const;

for (const version of ["5.9", "6.0"])
  describe(`the types under TypeScript ${version}, strict, with the libraries checked too`, () => {
    let tarball: Tarball;
    let folder: string;

    before(async () => {
      tarball = await packProvider();
      folder = await fs.mkdtemp(join(tmpdir(), "user-groups-types-"));
      await fs.writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
      await fs.writeFile(join(folder, "index.ts"), program);
      const packages = [tarball.file, "@pulumi/pulumi@3.248.0", `typescript@${version}`, "@types/node@20"];
      await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...packages], {
        cwd: folder,
      });
    });

    after(async () => {
      await tarball.remove();
      await fs.rm(folder, { recursive: true, force: true });
    });

    for (const resolution of resolutions)
      it(`compile by moduleResolution ${resolution.moduleResolution}`, async () => {
        const errors = await errorsOf(folder, {
          ...resolution,
          ...(version === "6.0" && { ignoreDeprecations: "6.0" }),
        });
        assert.equal(errors, "");
      });
  });

async function errorsOf(folder: string, options: Readonly<Record<string, string>>): Promise<string> {
  const compilerOptions = {
    target: "es2022",
    lib: ["es2023", "dom"],
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    ...options,
  };
  const config = join(folder, `tsconfig.${options["moduleResolution"] ?? ""}.json`);
  await fs.writeFile(config, JSON.stringify({ compilerOptions, files: ["index.ts"] }));
  const tsc = join(folder, "node_modules/typescript/bin/tsc");
  return run(process.execPath, [tsc, "--project", config]).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error instanceof Error && "stdout" in error ? String(error.stdout) : String(error)),
  );
}
