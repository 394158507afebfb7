import assert from "node:assert/strict";
import {
  acme,
  behavior,
  behaviorInModel,
  behaviorOfBothInModel,
  declareEach,
  declareMany,
  resource,
} from "./contract";
import type { Run } from "./drivers";
import { fails, succeeds, type Program, type StackContext } from "./stackContext";

const kept = /user group "acme".*kept.*another resource/s;
const apart = declareEach({ apart: { name: "Apart" } });

/** The engine shows the former state only after the creation, so that the proof of its mapping can't be passed on. */
async function assertIsKept(context: StackContext, token: string | undefined, { warnings }: Run) {
  assert.deepEqual(await context.tokenAndAdopted("acme"), [token, true]);
  assert.match(warnings.join("\n"), /^user group "acme" existed before .*\[adopted\]$/m);
}

describe("contract: moves", () => {
  behavior("a renamed resource keeps its group and token", async (context) => {
    await context.applies([resource("one", "userGroup", { userGroupId: "acme", ...acme })]);
    const token = context.token("acme");
    const run = await context.applies([resource("two", "userGroup", { userGroupId: "acme", ...acme })]);
    assert.match(run.warnings.join("\n"), kept);
    assert.equal(context.token("acme"), token);
    await assertIsKept(context, token, run);
  });

  behaviorInModel(
    "a renamed resource keeps its group if a failure delays the deletion of the former one to the next up",
    async (context) => {
      const renamed = resource("two", "userGroup", { userGroupId: "acme", ...acme });
      await context.applies(declareEach({ acme }));
      const token = context.token("acme");
      context.emulator.fault({ kind: "refuse", userGroupId: "bad" });
      const program = [renamed, ...declareEach({ bad: { name: "Bad" } })];
      fails(await context.up(program), /"bad".*\[service-refused\]/);
      context.requests();
      const { warnings } = await context.applies(program);
      assert.match(warnings.join("\n"), kept);
      assert.deepEqual([context.requests(), context.token("acme")], [["GET bad created"], token]);
    },
  );

  behaviorInModel(
    "a resource that comes back to its former ID keeps the group whose deletion has failed",
    async (context) => {
      const declared = (userGroupId: string, ...others: Program) => [
        resource("tenant", "userGroup", { userGroupId, ...acme }),
        ...others,
      ];
      await context.applies(declared("acme"));
      const token = context.token("acme");
      context.emulator.fault({ kind: "refuse", method: "DELETE" });
      fails(await context.up(declared("acme-2")), /\[service-refused\]/);
      const back = declared("acme", ...declareEach({ bad: { name: "Bad" } }));
      context.emulator.fault({ kind: "refuse", userGroupId: "bad" });
      fails(await context.up(back), /"bad".*\[service-refused\]/);
      await context.applies(back);
      assert.deepEqual([context.token("acme"), context.token("acme-2")], [token, undefined]);
      assert(await context.isUpToDate(back));
    },
  );

  behavior("a group moves between UserGroup and UserGroups with its token", async (context) => {
    await context.applies(declareEach({ acme }));
    const token = context.token("acme");
    await context.applies(declareMany({ acme }));
    assert.equal(context.token("acme"), token);
    await context.applies(declareEach({ acme }));
    assert.equal(context.token("acme"), token);
  });

  for (const [how, options] of [
    ["--replace", { replaces: ["acme"] }],
    ["state taint", {}],
  ] as const)
    behavior(`${how} keeps the group and its token`, async (context) => {
      await context.applies(declareEach({ acme }));
      const token = context.token("acme");
      if (how === "state taint") await context.taint("acme");
      const run = await context.applies(declareEach({ acme }), options);
      assert.equal(context.token("acme"), token);
      await assertIsKept(context, token, run);
    });

  const swapped = [
    ["acme", "beta"],
    ["beta", "acme"],
  ] as const;
  for (const [how, before, after, options, test] of [
    ["--replace", { acme }, [["acme", "acme"]], { replaces: ["acme"] }, behavior],
    ["a rename without alias", { acme }, [["acme", "renamed"]], {}, behaviorInModel],
    // On the engine the second resource needs a refresh first.
    ["two resources that swap their IDs", { acme, beta: { name: "B" } }, swapped, {}, behaviorInModel],
  ] as const)
    test(`a changed mapping beside other changed values with ${how} fails once for each group, and then the service has them`, async (context) => {
      await context.applies(declareEach(before));
      let ups = 0;
      const mapping = { sales: "new" };
      const program = after.map(([userGroupId, name]) =>
        resource(name, "userGroup", { userGroupId, name: "Acme", mapping }),
      );
      while ((ups += 1) <= after.length) fails(await context.up(program, options), /\[mapping-conflict\]/);
      await context.applies(program);
      for (const [userGroupId] of after) {
        assert.deepEqual((await context.group(userGroupId))?.mapping, mapping);
        assert.deepEqual(context.emulator.groups.get(userGroupId)?.mapping, mapping);
      }
    });

  behavior(
    "retainOnDelete leaves the group in the service",
    async (context) => {
      const [declared] = declareEach({ acme });
      assert(declared);
      await context.applies([{ ...declared, retainOnDelete: true }]);
      succeeds(await context.destroy());
      assert(context.token("acme"));
    },
    { engine: "release" },
  );

  const retained = (mapping: object) =>
    declareEach({ acme: { ...acme, mapping } }).map((each) => ({ ...each, retainOnDelete: true }));

  for (const existing of ["keep", "update"] as const)
    behaviorInModel(
      `retainOnDelete with another mapping fails, and the state keeps the group unproved, with a service that has to ${existing} groups`,
      async (context) => {
        await context.applies([...retained(acme.mapping), ...apart]);
        const state = await context.group("acme");
        context.requests();
        const { errors } = await context.up([...retained({ sales: "two" }), ...apart]);
        assert.match(errors, /user group "acme".*retainOnDelete.*\[replacement-retained\]$/s);
        if (context.requests().includes("GET acme updated"))
          assert.match(errors, /updates existing groups.*pulumi refresh/s);
        assert.deepEqual(await context.group("acme"), { ...state, adopted: true });
        succeeds(await context.refresh());
        await context.applies([...retained(acme.mapping), ...apart]);
        assert.deepEqual(context.emulator.groups.get("acme")?.mapping, acme.mapping);
        assert.deepEqual((await context.group("acme"))?.mapping, acme.mapping);
      },
      { existing },
    );

  behaviorInModel(
    "retainOnDelete with another mapping leaves a group with another token alone",
    async (context) => {
      await context.applies([...retained(acme.mapping), ...apart]);
      const { token } = context.emulator.rotateToken("acme");
      const { warnings } = await context.up([...retained({ sales: "two" }), ...apart]);
      assert.match(warnings.join(), /user group "acme".*retainOnDelete.*\[possibly-retained\]/);
      assert.equal(context.token("acme"), token);
      const group = await context.group("acme");
      assert(group?.adopted === true || group?.token !== token);
    },
  );

  behaviorOfBothInModel(
    "a deletion without effect fails a replacement, again and again, and the state stays",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      const state = await context.group("acme");
      const respond = () => ({ status: 200, headers: {}, body: '{"success":1}' });
      context.emulator.fault({ kind: "respond", method: "DELETE", when: "before", times: Infinity, respond });
      for (let runs = 0; runs < 2; runs += 1)
        fails(
          await context.up(declare({ acme: { ...acme, mapping: { sales: "two" } } })),
          /^Cannot create user group "acme": the service still has it .*\[replacement-retained\]$/m,
        );
      assert.deepEqual(await context.group("acme"), { ...state, adopted: true });
      context.emulator.clearFaults();
    },
  );
});
