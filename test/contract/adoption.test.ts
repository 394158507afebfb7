import assert from "node:assert/strict";
import {
  acme,
  behaviorInModel,
  behaviorOfBoth,
  behaviorOfBothInModel,
  everyService,
  resource,
  returnsStored,
} from "./contract";
import { fails, succeeds } from "./stackContext";

const theirs = {
  userGroupId: "acme",
  name: "Theirs",
  mapping: { sales: "theirs" },
  properties: { region: "us" },
};

describe("contract: adoption", () => {
  behaviorOfBoth(
    "warns that the mapping can't be verified, and the next preview shows other values",
    async (context, declare, service) => {
      const { token } = context.emulator.putGroup(theirs);
      const { warnings } = await context.applies(declare({ acme }));
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, true]);
      const isShown = returnsStored(service);
      assert.equal((await context.group("acme"))?.name, isShown ? "Theirs" : "Acme");
      assert.equal(warnings.length, isShown ? 2 : 1);
      assert.match(warnings.join("\n"), /user group "acme" existed before .*can't be verified/s);
      if (isShown) assert.match(warnings.join("\n"), /user group "acme".*another name or other properties/s);
      for (const secret of [token, "Theirs", "Acme", "theirs"]) assert(!warnings.join().includes(secret));
      assert.match(context.requests().join(), /^GET acme (returned|updated)$/);
      assert.equal(await context.isUpToDate(declare({ acme })), !isShown);
    },
    { services: everyService },
  );

  behaviorOfBothInModel(
    "counts properties that the service doesn't return as none, which the next up repairs",
    async (context, declare) => {
      context.emulator.putGroup({ userGroupId: "acme", name: "Acme" });
      await context.applies(declare({ acme }));
      assert.deepEqual((await context.group("acme"))?.properties, {});
      await context.applies(declare({ acme }));
      assert.deepEqual((await context.group("acme"))?.properties, acme.properties);
      assert.deepEqual(context.emulator.groups.get("acme")?.properties, acme.properties);
      assert(await context.isUpToDate(declare({ acme })));
    },
  );

  for (const [how, fault, exists] of [
    ["status 503", { kind: "status", status: 503 }, true],
    ["a broken connection", { kind: "drop", when: "before" }, true],
    ["a lost response", { kind: "drop", when: "after" }, true],
    ["an attempt that may have created it", { kind: "drop", when: "after" }, false],
  ] as const)
    behaviorOfBothInModel(
      `is recorded and warned of after ${how}, also of a group with the same name and properties`,
      async (context, declare) => {
        if (exists) context.emulator.putGroup({ ...acme, userGroupId: "acme", mapping: theirs.mapping });
        context.emulator.fault(fault);
        const { warnings } = await context.applies(declare({ acme }));
        assert.deepEqual(await context.tokenAndAdopted("acme"), [context.token("acme"), true]);
        assert.match(warnings.join("\n"), /user group "acme".*mapping.*can't be verified/s);
        assert(await context.isUpToDate(declare({ acme })));
      },
    );

  behaviorInModel(
    "after status 503 proves no mapping, so the resource that created the group is right",
    async (context) => {
      const one = resource("one", "userGroup", { userGroupId: "acme", ...acme });
      const two = resource("two", "userGroup", { userGroupId: "acme", ...acme, mapping: theirs.mapping });
      await context.applies([one]);
      context.emulator.fault({ kind: "status", status: 503 });
      fails(await context.up([two]), /user group "acme".*\[mapping-conflict\]/s);
      succeeds(await context.refresh());
      await context.applies([one]);
      assert.deepEqual((await context.group("acme"))?.mapping, acme.mapping);
      assert.equal((await context.resources()).length, 1);
    },
  );

  behaviorOfBoth(
    "is refused with adopt: false, after one request, and nothing is recorded",
    async (context, declare, { existing }) => {
      const { token } = context.emulator.putGroup({ userGroupId: "acme", ...acme });
      const { errors, warnings } = await context.up(declare({ acme }, { adopt: false }));
      assert.match(errors, /user group "acme": it exists, and adopt is false\. .*\[adoption-refused\]/s);
      if (existing === "update") assert.match(errors, /updates existing groups.*values/s);
      assert.match(context.requests().join(), /^GET acme (returned|updated)$/);
      assert.deepEqual([warnings, await context.group("acme")], [[], undefined]);
      succeeds(await context.destroy());
      assert.equal(context.token("acme"), token);
    },
    { services: everyService },
  );

  for (const [how, fault, code] of [
    ["lost before the effect", { kind: "drop", when: "before" }, "adoption-ambiguous"],
    ["lost after the effect", { kind: "drop", when: "after" }, "adoption-ambiguous"],
    ["with status 503", { kind: "status", status: 503 }, "adoption-ambiguous"],
    ["with status 429", { kind: "status", status: 429, times: 3 }, "adoption-refused"],
  ] as const)
    behaviorOfBothInModel(
      `with adopt: false is ${code} after an attempt ${how}, and nothing is recorded`,
      async (context, declare) => {
        if (how !== "lost after the effect") context.emulator.putGroup(theirs);
        context.emulator.fault(fault);
        fails(await context.up(declare({ acme }, { adopt: false })), new RegExp(`"acme".*\\[${code}\\]`));
        assert.equal(await context.group("acme"), undefined);
        succeeds(await context.destroy());
        assert(context.token("acme"));
      },
    );
});
