import assert from "node:assert/strict";
import { otherGroup } from "../harness/responseFaults";
import { acme, behaviorOfBoth, behaviorOfBothInModel, everyService } from "./contract";
import { fails, succeeds } from "./stackContext";

describe("contract: creation", () => {
  for (const [what, sent, keepers, shared] of [
    ["all arguments", acme, { keepers: { a: "1" } }, { adopt: false }],
    ["a name only", { name: "Acme" }, {}, {}],
  ] as const)
    behaviorOfBoth(
      `with ${what} sends them, records the token, and a refresh leaves the state as it is`,
      async (context, declare) => {
        const program = declare({ acme: { ...sent, ...keepers } }, shared);
        assert.deepEqual((await context.applies(program)).warnings, []);
        const state = await context.resources();
        const { token, baseUrl, adopted, ...group } = (await context.group("acme")) ?? assert.fail();
        assert.deepEqual([token, baseUrl, adopted], [context.token("acme"), context.emulator.baseUrl, false]);
        assert.deepEqual(JSON.parse(JSON.stringify(group)), { userGroupId: "acme", ...sent, ...keepers });
        assert.deepEqual(succeeds(await context.refresh()).warnings, []);
        assert.deepEqual(await context.resources(), state);
        assert.deepEqual(context.bodies(), Array(2).fill({ user_group_id: "acme", ...sent }));
        assert.match(context.requests().join(), /^GET acme created,GET acme (returned|updated)$/);
        await context.applies(program);
        assert.deepEqual(context.requests(), []);
      },
      { services: everyService, isInModel: what === "a name only" },
    );

  behaviorOfBothInModel(
    "records as sent what the service stores otherwise, with a warning, and settles",
    async (context, declare) => {
      const args = { name: " Acme ", properties: { seats: 2 } };
      const program = declare({ acme: args });
      const normalize = (name: string, properties: object) => ({
        name: name.trim(),
        properties: { plan: "basic", ...properties },
      });
      context.emulator.configure({
        normalize: ({ name, properties = {}, ...values }) => ({ ...values, ...normalize(name, properties) }),
      });
      const { warnings } = await context.applies(program);
      assert.match(
        warnings.join("\n"),
        /^user group "acme" has another name or other properties in the service than were sent\. .*\[stored-with-other-values\]$/,
      );
      const token = context.token("acme");
      for (const next of [program, program, declare({ acme: { ...args, dataSourceProvidedId: "tab" } })]) {
        assert.equal(await context.isUpToDate(next), next === program);
        await context.applies(next);
        assert.deepEqual(succeeds(await context.refresh()).warnings, []);
        assert(await context.isUpToDate(next));
      }
      assert.equal(context.token("acme"), token);
      assert.equal((await context.group("acme"))?.name, " Acme ");
    },
  );

  behaviorOfBothInModel("never records another group's token", async (context, declare) => {
    context.emulator.putGroup({ userGroupId: "other", name: "Other" });
    context.emulator.fault({ ...otherGroup(context.emulator), times: Infinity });
    fails(await context.up(declare({ acme })), /"acme".*\[wrong-group\]/);
    assert.equal(await context.group("acme"), undefined);
  });
});
