import assert from "node:assert/strict";
import { behavior, behaviorOfBoth, declareEach, declareMany, fails, resource, succeeds } from "./contract";

const acme = {
  name: "Acme",
  mapping: { sales: "one" },
  properties: { region: "eu" },
  keepers: { month: "1" },
};

describe("contract: changes", () => {
  for (const [what, change] of Object.entries({
    name: { name: "New" },
    mapping: { mapping: { sales: "two" } },
    properties: { properties: { region: "us" } },
    keepers: { keepers: { month: "2" } },
  }))
    behaviorOfBoth(
      `of ${what} deletes the group and creates it again, as the preview says`,
      async (context, declare) => {
        await context.applies(declare({ acme }));
        const former = context.token("acme");
        context.requests();
        const program = declare({ acme: { ...acme, ...change } });
        const { changes, warnings } = await context.preview(program);
        assert.match(JSON.stringify(changes), /replace|update/);
        assert.match(warnings.join("\n"), /new token/);
        await context.applies(program);
        assert.deepEqual(context.requests(), ["DELETE acme deleted", "GET acme created"]);
        assert.notEqual(context.token("acme"), former);
        assert.equal((await context.group("acme"))?.token, context.token("acme"));
        const { name, mapping, properties } = { ...acme, ...change };
        const stored = context.emulator.groups.get("acme");
        assert.deepEqual([stored?.name, stored?.mapping, stored?.properties], [name, mapping, properties]);
      },
    );

  behaviorOfBoth(
    "replace a group whose token is another by now, since it is created again",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      context.emulator.rotateToken("acme");
      context.requests();
      await context.applies(declare({ acme: { ...acme, name: "New" } }));
      assert.deepEqual(context.requests(), [
        "DELETE acme refused",
        "GET acme returned",
        "DELETE acme deleted",
        "GET acme created",
      ]);
      assert.equal((await context.group("acme"))?.token, context.token("acme"));
    },
  );

  behaviorOfBoth("of dataSourceProvidedId and adopt change the state only", async (context, declare) => {
    await context.applies(declare({ acme }));
    const token = context.token("acme");
    context.requests();
    await context.applies(declare({ acme: { ...acme, dataSourceProvidedId: "one" } }, { adopt: false }));
    assert.deepEqual(context.requests(), []);
    assert.equal(context.token("acme"), token);
    succeeds(await context.destroy());
    assert.deepEqual(context.bodies(), [
      { current_token: token, user_group_id: "acme", data_source_provided_id: "one" },
    ]);
  });

  behaviorOfBoth(
    "between {}, null and unset, and of the order of keys, are none",
    async (context, declare) => {
      await context.applies(declare({ acme: { name: "Acme", properties: { a: 1, b: 2 } } }));
      context.requests();
      for (const args of [
        { name: "Acme", mapping: {}, properties: { b: 2, a: 1 }, keepers: {} },
        { name: "Acme", mapping: null, properties: { a: 1, b: 2 } },
      ])
        await context.applies(declare({ acme: args }));
      assert.deepEqual(context.requests(), []);
    },
  );

  behavior("of userGroupId create the new group before the old one is deleted", async (context) => {
    const program = (userGroupId: string) => [resource("tenant", "userGroup", { userGroupId, name: "Acme" })];
    await context.applies(program("old"));
    context.requests();
    await context.applies(program("new"));
    assert.deepEqual(context.requests(), ["GET new created", "DELETE old deleted"]);
  });

  behaviorOfBoth(
    "with changes: update reach a service that updates, without a new token",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      const token = context.token("acme");
      context.requests();
      const { warnings } = await context.applies(
        declare({ acme: { ...acme, name: "New", mapping: { sales: "two" } } }),
      );
      assert.deepEqual(context.requests(), ["GET acme updated"]);
      assert.match(warnings.join("\n"), /mapping/);
      assert.equal(context.token("acme"), token);
      assert.equal(context.emulator.groups.get("acme")?.name, "New");
      await context.applies(
        declare({ acme: { ...acme, name: "New", mapping: { sales: "two" }, keepers: { month: "2" } } }),
      );
      assert.notEqual(context.token("acme"), token);
    },
    { existing: "update", settings: { changes: "update" } },
  );

  behaviorOfBoth(
    "with changes: update fail on a service that ignores them, and the state stays",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      fails(await context.up(declare({ acme: { ...acme, name: "New" } })), /"acme".*\[update-not-applied\]/s);
      assert.equal((await context.group("acme"))?.name, "Acme");
    },
    { settings: { changes: "update" } },
  );

  behaviorOfBoth(
    "with changes: update don't go with adopt: false",
    async (context, declare) => {
      context.emulator.putGroup({ userGroupId: "acme", name: "Theirs" });
      fails(await context.up(declare({ acme }, { adopt: false })), /\[setting-conflict\]/);
      assert.equal(context.emulator.groups.get("acme")?.name, "Theirs");
    },
    { existing: "update", settings: { changes: "update" } },
  );

  behavior("of groups add and remove them, and one line says how many", async (context) => {
    const tenant = { name: "Tenant" };
    await context.applies(declareMany({ a: tenant, b: tenant, c: tenant }));
    const [, tokenOfB] = [context.requests(), context.token("b")];
    const program = declareMany({ b: tenant, c: { name: "New" }, d: tenant });
    const { changes, warnings } = await context.preview(program);
    assert.deepEqual(changes["tenants"], "update");
    assert.match(
      warnings.join("\n"),
      /1 to create .*1 to delete .*1 to delete and create again with a new token/,
    );
    await context.applies(program);
    assert.deepEqual(context.requests().sort(), [
      "DELETE a deleted",
      "DELETE c deleted",
      "GET c created",
      "GET d created",
    ]);
    assert.equal(context.token("b"), tokenOfB);
  });

  behavior("that remove groups with removed: retain delete none", async (context) => {
    await context.applies(declareMany({ a: { name: "A" }, b: { name: "B" } }, { removed: "retain" }));
    context.requests();
    await context.applies(declareMany({ b: { name: "B" } }, { removed: "retain" }));
    assert.deepEqual(context.requests(), []);
    assert.deepEqual([await context.group("a"), context.emulator.groups.size], [undefined, 2]);
  });

  behavior("that delete more groups than deletionLimit fail in the preview", async (context) => {
    const tenant = { name: "Tenant" };
    await context.applies(declareMany({ a: tenant, b: tenant, c: tenant }, { deletionLimit: 1 }));
    const program = declareMany({ a: tenant }, { deletionLimit: 1 });
    fails(await context.preview(program), /deletionLimit/);
    fails(await context.up(program), /deletionLimit/);
    assert.equal(context.emulator.groups.size, 3);
  });
});

describe("contract: moves", () => {
  behavior("a renamed resource keeps its group and token", async (context) => {
    await context.applies([resource("one", "userGroup", { userGroupId: "acme", ...acme })]);
    const token = context.token("acme");
    await context.applies([resource("two", "userGroup", { userGroupId: "acme", ...acme })]);
    assert.equal(context.token("acme"), token);
    assert.equal((await context.group("acme"))?.token, token);
  });

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

  /** Each ends with the state and the service equal, or fails. */
  for (const [how, before, after, options] of [
    ["--replace", declareEach({ acme }), [["acme", "acme"]], { replaces: ["acme"] }],
    ["a rename without alias", declareEach({ acme }), [["acme", "renamed"]], {}],
    [
      "two resources that swap their IDs",
      declareEach({ acme, beta: { name: "B" } }),
      [
        ["acme", "beta"],
        ["beta", "acme"],
      ],
      {},
    ],
  ] as const)
    behavior(
      `a changed mapping with ${how} never leaves the state with a mapping that the service hasn't`,
      async (context) => {
        await context.applies(before);
        const program = after.map(([userGroupId, name]) =>
          resource(name, "userGroup", { userGroupId, name: "Acme", mapping: { sales: "new" } }),
        );
        for (let attempts = 0; attempts < 2; attempts += 1) {
          const { errors } = await context.up(program, attempts === 0 ? options : {});
          for (const { id, outputs } of await context.resources()) {
            const mapping = "mapping" in outputs ? outputs.mapping : undefined;
            if (errors === "") assert.deepEqual(mapping, context.emulator.groups.get(id)?.mapping);
            else assert.match(errors, /\[mapping-conflict\]/);
          }
        }
      },
    );

  behavior("a resource that becomes a lookup under another name keeps the group", async (context) => {
    await context.applies(declareEach({ acme }));
    const token = context.token("acme");
    await context.applies([
      resource(
        "found",
        "userGroup",
        { userGroupId: "acme", ...acme, keepers: undefined },
        { isLookup: true },
      ),
    ]);
    assert.equal(context.token("acme"), token);
  });

  behavior("two resources with the same group are refused in the preview", async (context) => {
    const twin = resource("twin", "userGroup", { userGroupId: "acme", name: "Acme" });
    const twins = resource("twins", "userGroups", { groups: { acme } });
    for (const program of [
      [...declareEach({ acme }), twin],
      [...declareEach({ acme }), twins],
      [...declareMany({ acme }), twins],
    ])
      fails(await context.preview(program), /"acme".*\[declared-twice\]/s);
  });

  behavior("retainOnDelete leaves the group in the service", async (context) => {
    const [declared] = declareEach({ acme });
    assert(declared);
    await context.applies([{ ...declared, retainOnDelete: true }]);
    succeeds(await context.destroy());
    assert(context.token("acme"));
  });
});
