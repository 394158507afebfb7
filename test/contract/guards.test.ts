/** `removed` and `deletionLimit` follow the groups, whatever becomes of their resource. */
import assert from "node:assert/strict";
import { acme, behavior, beta, inModel, many, resource } from "./contract";
import { fails, succeeds, warns } from "./stackContext";

const three = { acme, beta, gamma: beta };
const other = [resource("other", "userGroup", { userGroupId: "other", ...beta })];
const retain = { removed: "retain" };

describe("contract: deletionLimit", () => {
  inModel("holds if the resource is left out, but not for a destroy", async (context) => {
    await context.applies([many("tenants", three, { deletionLimit: 2 }), ...other]);
    fails(await context.up(other), /3 user groups \("acme", "beta", "gamma"\).*\[deletion-limit\]/);
    assert.equal(context.emulator.groups.size, 4);
    if (context.driver.name !== "provider") return;
    succeeds(await context.destroy());
    assert.equal(context.emulator.groups.size, 0);
  });
});

describe("contract: removed: retain", () => {
  inModel('delete, "retained": sends nothing, and groups that come back are adopted', async (context) => {
    const program = (groups: object) => [many("tenants", groups, retain)];
    await context.applies(program(three));
    const tokens = context.tokens();
    context.requests();
    await context.applies(program({ beta }));
    assert.deepEqual([context.requests(), await context.group("acme")], [[], undefined]);
    await context.applies(program(three));
    assert.deepEqual(await context.tokenAndAdopted("acme"), [tokens["acme"], true]);
    assert.deepEqual(await context.tokenAndAdopted("beta"), [tokens["beta"], false]);
  });

  behavior("holds if the resource is left out", async (context) => {
    await context.applies([many("tenants", three, retain), ...other]);
    warns(await context.applies(other), /^3 user groups .*\[retained\]$/m);
    assert.equal(context.emulator.groups.size, 4);
  });
});

describe("contract: a provider that can't tell the engine's command", () => {
  for (const [what, guard] of [
    ["removed", retain],
    ["deletionLimit", { deletionLimit: 1 }],
  ] as const)
    behavior(
      `deletes nothing that ${what} guards, until the guard is gone`,
      { drivers: ["plugin"] },
      async (context) => {
        await context.applies([many("tenants", three, guard)]);
        for (const run of [await context.destroy(), await context.up([])])
          fails(run, /removed.*deletionLimit.*pulumi state delete.*\[deletion-limit\]/s);
        assert.equal(context.emulator.groups.size, 3);
        await context.applies([many("tenants", three)]);
        succeeds(await context.destroy());
        assert.equal(context.emulator.groups.size, 0);
      },
    );
});
