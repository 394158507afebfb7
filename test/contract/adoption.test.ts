import assert from "node:assert/strict";
import { many as groupsOf } from "../harness/providers";
import { acme, both, declareMany, everyService, inModel, returnsStored } from "./contract";
import { fails, succeeds } from "./stackContext";

const theirs = {
  userGroupId: "acme",
  name: "Theirs",
  mapping: { sales: "theirs" },
  properties: { region: "us" },
};

describe("contract: adoption", () => {
  both(
    'create, "found": warns of the mapping, and the preview shows other values',
    { services: everyService },
    async (context, declare, service) => {
      const { token } = context.emulator.putGroup(theirs);
      const { warnings } = await context.applies(declare({ acme }));
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, true]);
      const isShown = returnsStored(service);
      assert.equal((await context.group("acme"))?.name, isShown ? "Theirs" : "Acme");
      assert.match(warnings.join("\n"), /user group "acme" .*mapping.*\[adopted\]/s);
      assert.equal(/user group "acme".*\[adopted-with-other-values\]/s.test(warnings.join("\n")), isShown);
      for (const secret of [token, "Theirs", "Acme", "theirs"]) assert(!warnings.join().includes(secret));
      assert.match(context.requests().join(), /^GET acme (returned|updated)$/);
      assert.equal(await context.isUpToDate(declare({ acme })), !isShown);
    },
  );

  both(
    'create, "found, adopt is false": is refused after one request',
    { services: everyService },
    async (context, declare, { existing }) => {
      const { token } = context.emulator.putGroup({ userGroupId: "acme", ...acme });
      const { errors, warnings } = await context.up(declare({ acme }, { adopt: false }));
      assert.match(errors, /user group "acme".*adopt.*\[adoption-refused\]/s);
      if (existing === "update") assert.match(errors, /updates existing groups.*values/s);
      assert.match(context.requests().join(), /^GET acme (returned|updated)$/);
      assert.deepEqual([warnings, await context.group("acme")], [[], undefined]);
      succeeds(await context.destroy());
      assert.equal(context.token("acme"), token);
    },
  );

  inModel("of 160 groups with adopt: false is refused in one line", async (context) => {
    const groups = groupsOf(160);
    for (const userGroupId of Object.keys(groups)) context.emulator.putGroup({ userGroupId, name: "Theirs" });
    const { errors } = fails(await context.up(declareMany(groups, { adopt: false })), /\b160\b/);
    assert.equal(errors.split("[adoption-refused]").length, 2, errors);
    assert((errors.match(/"t\d+"/g)?.length ?? 0) <= 10, errors);
    assert.equal(context.requests().length, 160);
  });
});
