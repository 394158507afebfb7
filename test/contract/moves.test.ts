import assert from "node:assert/strict";
import { acme, behavior, behaviorOfBoth, declareEach, declareMany, resource } from "./contract";
import { fails, succeeds, type Program } from "./stackContext";

const kept =
  /user group "acme" is kept with its token, because another resource of this program has it\. .*\[kept\]/;

describe("contract: moves", () => {
  behavior("a renamed resource keeps its group and token", async (context) => {
    await context.applies([resource("one", "userGroup", { userGroupId: "acme", ...acme })]);
    const token = context.token("acme");
    const { warnings } = await context.applies([
      resource("two", "userGroup", { userGroupId: "acme", ...acme }),
    ]);
    assert.match(warnings.join("\n"), kept);
    assert.deepEqual(await context.tokenAndAdopted("acme"), [token, true]);
    assert.equal(context.token("acme"), token);
  });

  behavior(
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
    { drivers: ["provider", "plugin"] },
  );

  behavior(
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
    { drivers: ["provider", "plugin"] },
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
      await context.applies(declareEach({ acme }), options);
      assert.equal(context.token("acme"), token);
    });

  const swapped = [
    ["acme", "beta"],
    ["beta", "acme"],
  ] as const;
  const inProcess = ["provider", "plugin"] as const;
  for (const [how, before, after, options, drivers] of [
    ["--replace", { acme }, [["acme", "acme"]], { replaces: ["acme"] }, undefined],
    ["a rename without alias", { acme }, [["acme", "renamed"]], {}, undefined],
    // On the engine the second resource needs a refresh first.
    ["two resources that swap their IDs", { acme, beta: { name: "B" } }, swapped, {}, inProcess],
  ] as const)
    behavior(
      `a changed mapping beside other changed values with ${how} fails once for each group, and then the service has them`,
      async (context) => {
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
      },
      drivers && { drivers },
    );

  behavior("retainOnDelete leaves the group in the service", async (context) => {
    const [declared] = declareEach({ acme });
    assert(declared);
    await context.applies([{ ...declared, retainOnDelete: true }]);
    succeeds(await context.destroy());
    assert(context.token("acme"));
  });

  for (const isKilled of [false, true])
    behavior(
      `retainOnDelete with another mapping ${isKilled ? "adopts what an interrupted update created" : "fails, and the state keeps the group, unproved"}`,
      async (context) => {
        const program = (mapping: object) =>
          declareEach({ acme: { ...acme, mapping } }).map((each) => ({ ...each, retainOnDelete: true }));
        await context.applies(program(acme.mapping));
        const state = await context.group("acme");
        if (isKilled) context.emulator.rotateToken("acme");
        context.requests();
        const { errors } = await context.up(program({ sales: "two" }));
        if (isKilled) {
          assert.deepEqual(context.requests(), ["GET acme returned"]);
          assert.deepEqual(
            [errors, ...(await context.tokenAndAdopted("acme"))],
            ["", context.token("acme"), true],
          );
        } else {
          assert.match(
            errors,
            /the deletion was skipped \(retainOnDelete or .*\[replacement-retained\]$/s,
          );
          assert.deepEqual(await context.group("acme"), { ...state, adopted: true });
        }
      },
      { drivers: ["provider", "plugin"] },
    );

  behaviorOfBoth(
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
    { drivers: ["provider", "plugin"] },
  );
});
