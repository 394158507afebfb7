import assert from "node:assert/strict";
import { inProgram } from "./doctorProgram";

describe("doctor: the stack", () => {
  const two = {
    "Pulumi.dev.yaml": "config: {}\n",
    "Pulumi.prod.yaml": "config:\n  user-groups:timeout: 5\n",
  };

  it(
    "is the one of --stack, else of PULUMI_STACK, whatever its organisation",
    inProgram(async ({ environment, write, examine }) => {
      await write(two);
      environment["PULUMI_STACK"] = "dev";
      for (const [flags, file, timeout] of [
        [[], "Pulumi.dev.yaml", "ok: user-groups:timeout has its default"],
        [
          ["--stack", "acme/tests/prod"],
          "Pulumi.prod.yaml",
          "ok: user-groups:timeout is set in Pulumi.prod.yaml",
        ],
      ] as const) {
        const { findings } = await examine(...flags);
        assert.deepEqual(findings["stack"], [`ok: The stack's settings are in ${file}`]);
        assert.equal(findings["settings"]?.[2], timeout);
      }
    }),
  );

  it(
    "is asked for where there are several, and what may stand in them isn't called missing",
    inProgram(async ({ environment, write, examine }) => {
      await write(two);
      delete environment["USER_GROUPS_API_TOKEN"];
      const { code, findings } = await examine();
      assert.equal(code, 0);
      assert.deepEqual(findings["stack"], ["skipped: No stack's settings were checked: there are dev, prod"]);
      assert.equal(
        findings["settings"]?.[1],
        "skipped: user-groups:apiToken wasn't found in the places that doctor can read",
      );
    }),
  );

  it(
    "may take settings from an environment of Pulumi ESC, which aren't called missing either",
    inProgram(async ({ environment, write, examine }) => {
      await write({ "Pulumi.dev.yaml": "environment: [shared]\n" });
      delete environment["USER_GROUPS_API_TOKEN"];
      const { code, findings } = await examine();
      assert.equal(code, 0);
      assert.match(findings["settings"]?.[1] ?? "", /^skipped: user-groups:apiToken /);
    }),
  );

  it(
    "has settings where the project says",
    inProgram(async ({ write, examine }) => {
      await write({
        "Pulumi.yaml": "name: tests\nruntime: nodejs\nstackConfigDir: stacks\n",
        "stacks/Pulumi.dev.yaml": "config:\n  user-groups:timeout: 5\n",
      });
      const { findings } = await examine();
      assert.equal(findings["settings"]?.[2], "ok: user-groups:timeout is set in Pulumi.dev.yaml");
    }),
  );

  it(
    "whose file is invalid is reported by the name of the file",
    inProgram(async ({ write, examine }) => {
      await write({ "Pulumi.dev.yaml": "config: [}\n" });
      const { code, err } = await examine();
      assert.deepEqual(
        [code, err],
        [2, "pulumi-user-groups: Pulumi.dev.yaml isn't a valid YAML file of Pulumi"],
      );
    }),
  );
});
