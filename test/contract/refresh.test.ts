import assert from "node:assert/strict";
import type { GroupValues } from "../../provider/testing";
import { acme, acmeSent, beta, both, everyService, inModel, returnsStored } from "./contract";
import { succeeds, warns } from "./stackContext";

describe("contract: refresh", () => {
  both("creates a group again, with a warning", { services: everyService }, async (context, declare) => {
    context.emulator.putGroup({ userGroupId: "acme", ...acme });
    await context.applies(declare({ acme }));
    context.emulator.removeGroup("acme");
    context.requests();
    warns(succeeds(await context.refresh()), /^user group "acme" [^\n]*\[created-again\]$/);
    assert.deepEqual(await context.tokenAndAdopted("acme"), [context.token("acme"), false]);
    assert.deepEqual(context.bodies(), [acmeSent]);
    assert(await context.isUpToDate(declare({ acme })));
  });

  both("records another token, which proves no mapping", inModel, async (context, declare) => {
    await context.applies(declare({ acme }));
    const { token } = context.emulator.rotateToken("acme");
    warns(succeeds(await context.refresh()), /^user group "acme" [^\n]*\[token-changed\]$/);
    assert.deepEqual(await context.tokenAndAdopted("acme"), [token, true]);
    assert(await context.isUpToDate(declare({ acme })));
  });

  both("records no token that it knows for another ID", inModel, async (context, declare) => {
    await context.applies(declare({ acme, beta }));
    const state = await context.resources();
    context.emulator.rotateToken("beta", context.token("acme"));
    warns(
      succeeds(await context.refresh()),
      /"beta".*"acme".*\[wrong-group\]|"acme".*"beta".*\[wrong-group\]/s,
    );
    assert.deepEqual(await context.resources(), state);
  });

  both(
    "records a drift as outputs and inputs until it is undone",
    { services: everyService, drivers: ["provider"] },
    async (context, declare, service) => {
      await context.applies(declare({ acme }));
      const state = await context.resources();
      const theirs = { name: "Theirs", properties: { region: "us" } };
      context.emulator.putGroup({ userGroupId: "acme", ...theirs });
      succeeds(await context.refresh());
      const shown = returnsStored(service) ? theirs : acme;
      const { name, properties } = (await context.group("acme")) ?? {};
      assert.deepEqual([name, properties], [shown.name, shown.properties]);
      const inputs = JSON.stringify((await context.resources()).map((each) => each.inputs));
      assert.equal(inputs.includes("Theirs"), returnsStored(service));
      context.emulator.putGroup({ userGroupId: "acme", ...acme });
      succeeds(await context.refresh());
      assert.deepEqual(await context.resources(), state);
    },
  );

  both(
    "finds a drift only where somebody changed what the service stores otherwise",
    { engine: "release", normalize: trimmed },
    async (context, declare) => {
      const { emulator } = context;
      const program = declare({ acme: { ...acme, name: " Acme " }, bare: { name: "Bare" } });
      warns(await context.applies(program), /"acme".*\[stored-with-other-values\]$/m);
      succeeds(await context.refresh());
      assert(await context.isUpToDate(program));
      emulator.renameGroup("acme", "Theirs");
      emulator.putGroup({ userGroupId: "bare", name: "Bare", properties: { plan: "basic", seats: 5 } });
      succeeds(await context.refresh());
      emulator.putGroup({ userGroupId: "bare", name: "Bare", properties: { plan: "basic" } });
      succeeds(await context.refresh());
      context.requests();
      await context.applies(program);
      assert.deepEqual(context.requests(), ["DELETE acme deleted", "GET acme created"]);
    },
  );
});

/** A service that trims the name and adds a default property. */
function trimmed(values: GroupValues): GroupValues {
  return { ...values, name: values.name.trim(), properties: { plan: "basic", ...values.properties } };
}
