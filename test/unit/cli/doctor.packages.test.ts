import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { inProgram } from "./doctorProgram";

const own = "node_modules/pulumi-user-groups";
const sdk = "node_modules/@pulumi/pulumi";

describe("doctor: packages", () => {
  const found: [string, Record<string, object | string>, string, string][] = [
    [
      "an SDK that is too old",
      { [`${sdk}/package.json`]: { version: "3.145.0" } },
      "sdk",
      "failed: @pulumi/pulumi 3.145.0 is incompatible with pulumi-user-groups",
    ],
    [
      "an SDK that needs another Node.js",
      { [`${sdk}/package.json`]: { version: "3.999.0", engines: { node: ">=99" } } },
      "node",
      `failed: Node.js ${process.versions.node} is too old for @pulumi/pulumi 3.999.0, which needs >=99`,
    ],
    [
      "a package that can't be loaded",
      { [`${own}/provider.js`]: "throw new Error();" },
      "package",
      "failed: pulumi-user-groups/provider can't be loaded from the program's folder",
    ],
    [
      "a package that the program doesn't name",
      { "package.json": {} },
      "package",
      "warning: pulumi-user-groups 1.0.0 is found, but the program's package.json doesn't name it",
    ],
    [
      "two copies of the SDK",
      { [`${own}/${sdk}/package.json`]: { version: "3.250.0" } },
      "sdk",
      "warning: There are two copies of @pulumi/pulumi: 3.248.0 for the program, 3.250.0 for pulumi-user-groups",
    ],
  ];
  for (const [what, files, check, finding] of found)
    it(
      `finds ${what}`,
      inProgram(async ({ write, examine }) => {
        await write(files);
        const { code, findings } = await examine();
        assert.ok(
          findings[check]?.some((each) => each.startsWith(finding)),
          findings[check]?.join("\n"),
        );
        assert.equal(code, finding.startsWith("failed") ? 1 : 0);
      }),
    );

  it(
    "finds that they are not there",
    inProgram(async ({ folder, examine }) => {
      await rm(join(folder, "node_modules"), { recursive: true });
      const { code, findings } = await examine();
      assert.equal(code, 1);
      assert.deepEqual(findings["sdk"], ["failed: @pulumi/pulumi can't be found from the program's folder"]);
      assert.match(
        findings["package"]?.join() ?? "",
        /^failed: pulumi-user-groups\/provider can't be found /,
      );
    }),
  );

  it(
    "looks from the folder of `main`, as the engine does, and for Pulumi.yaml above the folder given",
    inProgram(async ({ folder, write, examine }) => {
      await write({ "Pulumi.yaml": "name: tests\nruntime: nodejs\nmain: infra/index.ts\n" });
      await write({ "infra/node_modules/pulumi-user-groups/package.json": { version: "2.0.0" } });
      await write({ "infra/node_modules/pulumi-user-groups/provider.js": "exports.userGroup = 1;" });
      const { findings } = await examine("--folder", join(folder, "infra"));
      assert.match(
        findings["package"]?.join() ?? "",
        /^failed: pulumi-user-groups\/provider can't be loaded /,
      );
    }),
  );
});
