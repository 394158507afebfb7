/** Arguments, settings and responses at the boundaries of the provider. */
import assert from "node:assert/strict";
import { changedField } from "../harness/responseFaults";
import { acme, behavior, behaviorOfBoth, declareEach, declareMany } from "./contract";
import { fails, succeeds } from "./stackContext";

const both = { drivers: ["provider", "plugin"] } as const;

describe("contract: arguments at their limits", () => {
  behaviorOfBoth(
    "numbers of a mapping that aren't exact, and values whose response would be refused, fail in the preview",
    async (context, declare) => {
      const { errors } = await context.preview(declare({ acme: { ...acme, mapping: { sales: 2 ** 53 } } }));
      assert.match(errors, /must not be a number beyond 2\^53/);
      succeeds(await context.preview(declare({ acme: { ...acme, mapping: { sales: 2 ** 53 - 1 } } })));
      const large = { ...acme, properties: { text: "é".repeat(134_000) } };
      fails(await context.preview(declare({ acme: large })), /must have at most 800,000 bytes/);
      await context.applies(declare({ acme: { ...large, properties: { text: "é".repeat(133_000) } } }));
    },
    both,
  );

  for (const connection of ["former", "eu-former", "changes"])
    behavior(
      `a connection can't be named ${connection}, whose settings would be others`,
      async (context) => {
        const { errors } = await context.preview(declareEach({ acme }, { connection }));
        assert.match(errors, /connection must not be the name of a setting, and not end in "former"/);
        succeeds(await context.preview(declareEach({ acme }, { connection: "formerly" })));
      },
      { drivers: ["provider"] },
    );
});

describe("contract: a service that is down for a moment", () => {
  behavior(
    "is reported once for each cause, and many pauses print no warning of Node.js",
    async (context) => {
      const warnings: Error[] = [];
      const listener = (warning: Error) => void warnings.push(warning);
      process.on("warning", listener);
      context.emulator.fault({ kind: "status", status: 503, times: 12 });
      const ids = Array.from({ length: 12 }, (_, index) => `t${index}`);
      const { infos } = await context.applies(declareMany(Object.fromEntries(ids.map((id) => [id, acme]))));
      process.off("warning", listener);
      assert.deepEqual(warnings, []);
      const reports = infos.filter((line) => line.includes("first attempt"));
      assert.match(
        reports.join("\n"),
        /^The first attempt to create user group "t\d+" failed: the service returned status 503 \(GET .*\/api\/user\); retrying for up to 5 s\.$/,
      );
    },
    both,
  );
});

describe("contract: a service that trims IDs", () => {
  behaviorOfBoth(
    "fails with a hint, and says that it created a group",
    async (context, declare) => {
      context.emulator.fault({ ...changedField("user_group.provided_id", "acme"), times: Infinity });
      const { errors } = await context.up(declare({ "acme ": { name: "Acme" } }));
      assert.match(errors, /says that it created a group\. .*spaces or case in IDs.*\[wrong-group\]/s);
    },
    both,
  );
});
