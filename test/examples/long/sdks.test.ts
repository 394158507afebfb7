/** The SDKs that `npm run sdk` generates: a program of each language, and the types of the package's entry for the plugin. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import ts from "typescript";
import { version } from "../../../provider/src/version";
import { newFixture, succeeds } from "../../engine/harness";
import { repository } from "../../engine/harness/programs";
import { run, type Environment } from "../../harness/run";
import { example } from "../example";

describe("generated SDKs", () => {
  let sdks: string;
  before(async () => {
    sdks = await fs.mkdtemp(join(tmpdir(), "user-groups-sdks-"));
    const generate = [
      join(repository, "engine/generateSdks.mjs"),
      join(repository, "plugin/schema.json"),
      sdks,
    ];
    succeeds(await run(process.execPath, generate));
  });
  after(() => fs.rm(sdks, { recursive: true }));

  it("for Node.js has the names and types of the package's entry for the plugin", async () => {
    const folder = join(sdks, "nodejs");
    const file = join(folder, "types.test.ts");
    await fs.writeFile(file, types);
    await fs.symlink(join(repository, "node_modules"), join(folder, "node_modules"), "junction");
    const program = ts.createProgram([file], {
      module: ts.ModuleKind.Node20,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ["node"],
      typeRoots: [join(repository, "node_modules/@types")],
    });
    const problems = ts.getPreEmitDiagnostics(program).map(({ messageText, file: of }) => {
      return `${of?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
    assert.deepEqual(problems, []);
  });

  for (const [name, prepare] of [
    ["yaml", () => Promise.resolve({})],
    ["python", addPythonSdk],
    ["go", addGoSdk],
  ] as const)
    describe(`in examples/languages/${name}`, () => {
      const fixture = newFixture(() => {
        const plugin = { "../../../plugin": join(repository, "plugin") };
        const program = example(`languages/${name}`, { "Pulumi.yaml": plugin });
        const { file, before, code } = manyGroups[name];
        const text = program[file]?.replace(before, code + before) ?? "";
        return { program: { ...program, [file]: text }, patience: 500 };
      });

      it("create the groups, export their tokens, and delete them", async () => {
        const { stack, emulator } = fixture;
        const env = await prepare(sdks, stack.folder);
        succeeds(await stack.up({ env }));
        const { acme, globex, hooli } = Object.fromEntries(emulator.groups);
        assert.deepEqual([acme?.name, acme?.mapping], ["Acme", { sales: "acme-data" }]);
        assert.deepEqual([hooli?.name, hooli?.properties], ["Hooli", { region: "eu" }]);
        const tokens = { acme: acme?.token, globex: globex?.token };
        assert.deepEqual(await stack.plainOutputs(), { tokens });
        assert.deepEqual(succeeds(await stack.preview({ env })).changes, { same: 4 });
        succeeds(await stack.destroy({ env }));
        assert.equal(emulator.groups.size, 0);
      });
    });
});

/** A `UserGroups` in each language, which is added to the example. */
const manyGroups = {
  yaml: {
    file: "Pulumi.yaml",
    before: "outputs:",
    code: `  others:
    type: user-groups:UserGroups
    properties:
      groups:
        hooli: { name: Hooli, properties: { region: eu } }
      deletionLimit: 10
`,
  },
  python: {
    file: "__main__.py",
    before: "pulumi.export",
    code: `groups = {"hooli": {"name": "Hooli", "properties": {"region": "eu"}}}
user_groups.UserGroups("others", groups=groups, deletion_limit=10)
`,
  },
  go: {
    file: "main.go",
    before: "ctx.Export",
    code: `
		_, err = usergroups.NewUserGroups(ctx, "others", &usergroups.UserGroupsArgs{
			Groups: usergroups.GroupMap{
				"hooli": usergroups.GroupArgs{
					Name:       pulumi.String("Hooli"),
					Properties: pulumi.Map{"region": pulumi.String("eu")},
				},
			},
			DeletionLimit: pulumi.Int(10),
		})
		if err != nil {
			return err
		}
		`,
  },
} as const;

/** The entry's types against the SDK's. An SDK's inputs take more: any value as property, and promises of undefined. */
const types = `
import type * as pulumi from "@pulumi/pulumi";
import * as entry from "pulumi-user-groups/plugin";
import * as sdk from "./index";

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;
type Keys<Resource> = Exclude<keyof Resource, keyof pulumi.CustomResource>;

export const sameNames = [
  true satisfies Same<Keys<entry.UserGroup>, Keys<sdk.UserGroup>>,
  true satisfies Same<Keys<entry.UserGroups>, Keys<sdk.UserGroups>>,
  true satisfies Same<keyof entry.UserGroupArgs, keyof sdk.UserGroupArgs>,
  true satisfies Same<keyof entry.UserGroupsArgs, keyof sdk.UserGroupsArgs>,
  true satisfies Same<keyof entry.GroupArgs, keyof sdk.types.input.GroupArgs>,
  true satisfies Same<keyof entry.ProviderArgs, keyof sdk.ProviderArgs>,
];
export const sameArguments = {
  group: (args: entry.UserGroupArgs): sdk.UserGroupArgs => args,
  groups: (args: entry.UserGroupsArgs): sdk.UserGroupsArgs => args,
  state: (args: entry.UserGroupState): sdk.UserGroupState => args,
  provider: (args: entry.ProviderArgs): sdk.ProviderArgs => args,
};
export const sameOutputs = {
  group: (resource: entry.UserGroup): sdk.UserGroup => resource,
  groups: (resource: entry.UserGroups): sdk.UserGroups => resource,
};
`;

/** The virtual environment `venv`, and the package `pulumi_user_groups`. The first `python` on the PATH has Pulumi's SDK. */
async function addPythonSdk(sdks: string, program: string): Promise<Environment> {
  const { stdout } = succeeds(await run(process.execPath, [join(repository, "engine/python.mjs")]));
  const commands = stdout.trim();
  await fs.symlink(join(commands, ".."), join(program, "venv"));
  // The SDK looks up its version, which an installation writes there.
  const metadata = join(sdks, `python/pulumi_user_groups-${version}.dist-info`);
  await fs.mkdir(metadata, { recursive: true });
  await fs.writeFile(join(metadata, "METADATA"), `Name: pulumi_user_groups\nVersion: ${version}\n`);
  const PATH = [commands, process.env["PATH"]].join(delimiter);
  return { PATH, PYTHONPATH: join(sdks, "python") };
}

/** The Go module `sdks/user-groups`, with the engine's versions and flags, so that both share Go's build cache. */
async function addGoSdk(sdks: string, program: string): Promise<Environment> {
  const sdk = join(program, "sdks/user-groups");
  await fs.cp(join(sdks, "go/usergroups"), sdk, { recursive: true });
  const engine = await fs.readFile(join(repository, "engine/cli/go.mod"), "utf8");
  const requirements = engine.slice(engine.indexOf("require"));
  const programModule = await fs.readFile(join(program, "go.mod"), "utf8");
  const module = "module example.com/pulumi-user-groups/sdk/go/usergroups\n\ngo 1.25\n\n";
  await fs.writeFile(join(sdk, "go.mod"), module + requirements);
  await fs.writeFile(join(program, "go.mod"), `${programModule}\n${requirements}`);
  await fs.copyFile(join(repository, "engine/cli/go.sum"), join(program, "go.sum"));
  return { GOFLAGS: "-mod=mod -trimpath", GOWORK: "off" };
}
