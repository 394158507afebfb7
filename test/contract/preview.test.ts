import assert from "node:assert/strict";
import { unknownValue as unknown } from "../../provider/src/values";
import { acme, behavior, behaviorOfBoth, declareEach, declareMany, resource } from "./contract";
import { fails, succeeds } from "./stackContext";

describe("contract: a preview", () => {
  behaviorOfBoth(
    "needs no settings, and accepts unknown values at any depth",
    async (context, declare) => {
      delete context.settings["baseUrl"];
      const properties = { list: [unknown], nested: { deep: unknown } };
      for (const group of [
        acme,
        { name: unknown, mapping: unknown, properties },
        { name: "A", mapping: null },
      ])
        assert.equal(await context.isUpToDate(declare({ acme: group }, { adopt: null })), false);
      assert.equal(context.emulator.connections, 0);
    },
    { drivers: ["provider", "plugin"] },
  );

  behaviorOfBoth(
    "reports an invalid setting of its connection by its name, without the value",
    async (context, declare) => {
      context.settings["eu.changes"] = "s3cret";
      for (const connection of [undefined, "us"])
        succeeds(await context.preview(declare({ acme }, { connection })));
      context.settings["timeout"] = "s3cret";
      for (const [connection, name] of [
        [undefined, "timeout"],
        ["eu", "eu.changes"],
      ]) {
        const { errors } = await context.preview(declare({ acme }, { connection }));
        assert.match(errors, new RegExp(`^The setting user-groups:${name} .*\\[setting-invalid\\]$`));
        assert.doesNotMatch(errors, /s3cret/);
      }
    },
    { drivers: ["provider"] },
  );

  const one = declareEach({ acme });
  for (const [what, program] of [
    ["two UserGroup", [...one, resource("twin", "userGroup", { userGroupId: "acme", name: "Acme" })]],
    ["UserGroup and UserGroups", [...one, ...declareMany({ other: acme, acme })]],
    ["UserGroups and UserGroup", [...declareMany({ other: acme, acme }), ...one]],
  ] as const)
    behavior(
      `refuses ${what} with the same group`,
      async (context) => {
        fails(
          await context.preview(program),
          /^Another resource of this program also declares user group "acme", by the same connection\. .*\[declared-twice\]$/,
        );
      },
      { drivers: ["provider"] },
    );

  behavior(
    "refuses groups that are too large for a partial failure",
    async (context) => {
      const program = declareMany({ a: { name: "A", properties: { text: "x".repeat(9 * 1024 * 1024) } } });
      fails(
        await context.preview(program),
        /groups is too large: its state would have 9\.0 MiB\. .*\[groups-too-large\]/,
      );
    },
    { drivers: ["provider"] },
  );
});
