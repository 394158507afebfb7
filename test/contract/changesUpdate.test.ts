import assert from "node:assert/strict";
import {
  acme,
  acmeSent,
  behaviorOfBoth,
  behaviorOfBothInModel,
  everyService,
  returnsStored,
} from "./contract";
import { fails, warnsOfCreatedAgain } from "./stackContext";

const settings = { changes: "update" };
const updating = { existing: "update", settings } as const;

describe("contract: changes with changes: update", () => {
  behaviorOfBoth(
    "reach a service that updates, without a new token, except those of keepers",
    async (context, declare) => {
      await context.applies(declare({ acme: { ...acme, dataSourceProvidedId: "tab" } }));
      const token = context.token("acme");
      context.requests();
      await context.applies(declare({ acme }));
      assert.deepEqual(context.requests(), []);
      const changed = { ...acme, name: "New", mapping: { sales: "two" } };
      const { warnings } = await context.applies(declare({ acme: changed }));
      assert.deepEqual(context.requests(), ["GET acme updated"]);
      assert.match(warnings.join("\n"), /^user group "acme" .*updated.*mapping.*can't be verified/ms);
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, false]);
      assert.equal(context.emulator.groups.get("acme")?.name, "New");
      await context.applies(declare({ acme: { ...changed, keepers: { month: "2" } } }));
      assert.deepEqual(context.requests(), ["DELETE acme deleted", "GET acme created"]);
      assert.notEqual(context.token("acme"), token);
    },
    updating,
  );

  behaviorOfBothInModel(
    "take arguments away, and record another token",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      const { token } = context.emulator.rotateToken("acme");
      await context.applies(declare({ acme: { name: "New" } }));
      const stored = context.emulator.groups.get("acme");
      assert.deepEqual([stored?.name, stored?.mapping, stored?.properties], ["New", undefined, undefined]);
      assert.equal((await context.group("acme"))?.token, token);
      assert(await context.isUpToDate(declare({ acme: { name: "New" } })));
      context.emulator.configure({ normalize: (values) => ({ ...values, name: "normalized" }) });
      const { warnings } = await context.applies(declare({ acme: { name: "Newer" } }));
      assert.match(warnings.join("\n"), /^user group "acme" .*another name/ms);
    },
    { ...updating },
  );

  behaviorOfBothInModel(
    "fail on a service that still returns the former values, and the state stays",
    async (context, declare, service) => {
      await context.applies(declare({ acme }));
      const state = await context.group("acme");
      context.requests();
      const changed = { ...acme, name: "New", properties: { region: "us" } };
      const { errors, warnings } = await context.up(declare({ acme: changed }));
      const message =
        /user group "acme": the service still returns the former name and properties\. .*\[update-not-applied\]/s;
      assert.match(errors, returnsStored(service) ? message : /^$/);
      assert.deepEqual(context.bodies(), [{ ...acmeSent, name: "New", properties: { region: "us" } }]);
      assert.deepEqual(warnings, []);
      const group = await context.group("acme");
      assert.deepEqual(
        group,
        returnsStored(service) ? state : { ...state, name: "New", properties: { region: "us" } },
      );
    },
    { settings, services: everyService },
  );

  for (const [field, change] of [
    ["name", { name: "New" }],
    ["properties", { properties: { region: "us" } }],
    ["properties", { properties: {} }],
  ] as const)
    behaviorOfBoth(
      `fail on a service that normalizes, and ignores ${JSON.stringify(change)}`,
      async (context, declare) => {
        for (const normalizes of [false, true]) {
          if (normalizes)
            context.emulator.configure({
              normalize: (values) => ({ ...values, name: "acme", properties: { x: 1 } }),
            });
          context.emulator.removeGroup("acme");
          await context.applies(declare({ acme }));
          const { errors } = await context.up(declare({ acme: { ...acme, ...change } }));
          assert(errors.includes(`the service still returns the former ${field}.`), errors);
          await context.destroy();
        }
      },
      { settings, drivers: ["provider"] },
    );

  behaviorOfBoth(
    "create a group again that is gone, with a warning",
    async (context, declare) => {
      context.emulator.putGroup({ userGroupId: "acme", ...acme });
      await context.applies(declare({ acme }));
      context.emulator.removeGroup("acme");
      const changed = { ...acme, name: "New", mapping: {} };
      warnsOfCreatedAgain(await context.applies(declare({ acme: changed })));
      assert.deepEqual(await context.tokenAndAdopted("acme"), [context.token("acme"), false]);
      context.emulator.removeGroup("acme");
      const { token } = context.emulator.putGroup({ userGroupId: "acme", ...acme });
      const { warnings } = await context.applies(declare({ acme: { ...changed, name: "Newer" } }));
      assert.match(warnings.join("\n"), /user group "acme" .*another token/s);
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, true]);
    },
    { settings, services: everyService, drivers: ["provider"] },
  );

  behaviorOfBoth(
    "whose responses were all lost leave a doubt, which the next up of the former program settles by a request",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      const token = context.token("acme");
      context.settings["timeout"] = "1";
      context.emulator.fault({ kind: "drop", when: "after", method: "GET", times: Infinity });
      const changed = { ...acme, mapping: { sales: "two" } };
      fails(await context.up(declare({ acme: changed })), /user group "acme"/);
      context.emulator.clearFaults();
      context.settings["timeout"] = "5";
      context.requests();
      const { warnings, infos } = await context.applies(declare({ acme }));
      assert.deepEqual(context.requests(), ["GET acme updated"]);
      assert.match([...warnings, ...infos].join("\n"), /user group "acme"/);
      assert.deepEqual(context.emulator.groups.get("acme")?.mapping, acme.mapping);
      assert.deepEqual((await context.group("acme"))?.mapping, acme.mapping);
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, false]);
      await context.applies(declare({ acme }));
      assert.deepEqual(context.requests(), []);
    },
    updating,
  );

  behaviorOfBothInModel(
    "don't go with adopt: false, and change an adopted group",
    async (context, declare) => {
      const { token } = context.emulator.putGroup({ userGroupId: "acme", name: "Theirs" });
      fails(await context.up(declare({ acme }, { adopt: false })), /"acme".*\[setting-conflict\]/s);
      assert.equal(context.emulator.connections, 0);
      await context.applies(declare({ acme }));
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, true]);
      assert.equal(context.emulator.groups.get("acme")?.name, "Acme");
      assert(await context.isUpToDate(declare({ acme })));
    },
    updating,
  );

  behaviorOfBothInModel(
    "with another account's API token fail, leave nothing there, and the state stays",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      const state = await context.group("acme");
      const account = context.emulator.addAccount();
      context.settings["apiToken"] = account.apiToken;
      fails(await context.up(declare({ acme: { ...acme, name: "New" } })), /"acme".*\[nothing-found\]/s);
      assert.equal(account.groups.size, 0);
      assert.deepEqual(await context.group("acme"), state);
    },
    updating,
  );
});
