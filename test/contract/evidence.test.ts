/** Each case lost a group, a token or the truth about a mapping while decisions rested on what a program declares. */
import assert from "node:assert/strict";
import {
  acme,
  behavior,
  behaviorInModel,
  behaviorOfBoth,
  behaviorOfBothInModel,
  declareEach,
  resource,
} from "./contract";
import { fails, succeeds, type StackContext } from "./stackContext";

const other = { ...acme, mapping: { sales: "other" } };
const tenant = { name: "Tenant" };

function single(name: string, args: object, options: object = {}) {
  return resource(name, "userGroup", { userGroupId: "acme", ...args }, options);
}

function many(name: string, groups: object, shared: object = {}) {
  return resource(name, "userGroups", { groups, ...shared });
}

/** Nobody loses the group: some state has it with the service's token. */
async function isInState(context: StackContext): Promise<boolean> {
  const token = context.token("acme");
  return token !== undefined && (await context.group("acme"))?.token === token;
}

describe("contract: a group moves", () => {
  for (const first of ["giver", "taker"] as const)
    for (const adopt of [true, false])
      behaviorInModel(
        `between UserGroups, ${first} first, with adopt: ${adopt}, and some state has it after each failure`,
        async (context) => {
          const shared = { adopt };
          await context.applies([many("giver", { acme, rest: tenant }, shared), many("taker", {}, shared)]);
          const program = [many("giver", { rest: tenant }, shared), many("taker", { acme }, shared)];
          context.emulator.fault({ kind: "refuse", userGroupId: "acme", method: "GET" });
          await context.up(first === "giver" ? program : program.reverse(), { continuesOnError: true });
          assert(context.token("acme") === undefined || (await isInState(context)));
          for (let runs = 0; runs < 2; runs += 1) await context.up(program, { continuesOnError: true });
          if (adopt || first === "giver") {
            await context.applies(program);
            assert(await isInState(context));
            assert(await context.isUpToDate(program));
          }
          succeeds(await context.destroy());
          assert.equal(context.emulator.groups.size, 0);
        },
      );

  behavior(
    "to a new name without alias, whose creation fails: the former state keeps it",
    async (context) => {
      await context.applies([single("one", acme)]);
      context.emulator.fault({ kind: "refuse", userGroupId: "acme", method: "GET" });
      const { errors } = await context.up([single("two", acme)], { continuesOnError: true });
      assert.match(errors, /user group "acme".*\[move-unconfirmed\]/s);
      assert(await isInState(context));
      await context.applies([single("two", acme)]);
      assert(await isInState(context));
      assert.equal((await context.resources()).length, 1);
    },
    { engine: "release" },
  );

  for (const [what, values] of [
    ["the same values", acme],
    ["another mapping", other],
  ] as const)
    (values === acme ? behavior : behaviorInModel)(
      `to a new name with ${what}, whose creation is skipped (--continue-on-error): the former state keeps it`,
      async (context) => {
        const bad = resource("bad", "userGroup", { userGroupId: "bad", ...tenant });
        const program = [bad, single("two", values, { dependsOn: ["bad"] })];
        await context.applies([single("one", acme)]);
        const token = context.token("acme");
        context.emulator.fault({ kind: "refuse", userGroupId: "bad" });
        const { errors } = await context.up(program, { continuesOnError: true });
        assert.match(errors, /user group "acme".*\[move-unconfirmed\]/s);
        assert.deepEqual([context.token("acme"), await isInState(context)], [token, true]);
        if (values === other) return;
        await context.applies(program);
        assert.deepEqual([context.token("acme"), await isInState(context)], [token, true]);
        assert.equal((await context.resources()).length, 2);
      },
    );

  behaviorInModel(
    "to UserGroups that stop before it after 20 failures (--continue-on-error): the former state keeps it",
    async (context) => {
      context.settings["maxConnections"] = "1";
      const failing = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`t${n}`, tenant]));
      const program = [many("customers", { ...failing, acme })];
      await context.applies([single("one", acme)]);
      context.emulator.fault({ kind: "status", status: 501, method: "GET", times: Infinity });
      const { errors } = await context.up(program, { continuesOnError: true });
      assert.match(errors, /user group "acme".*\[move-unconfirmed\]/s);
      assert(await isInState(context));
      context.emulator.clearFaults();
      await context.applies(program);
      assert(await isInState(context));
    },
  );

  behaviorInModel(
    "out of a UserGroups to a resource whose creation fails: the former state keeps it, with a warning",
    async (context) => {
      await context.applies([many("tenants", { acme, rest: tenant })]);
      const token = context.token("acme");
      context.emulator.fault({ kind: "refuse", userGroupId: "acme", method: "GET" });
      const program = [many("tenants", { rest: tenant }), single("one", acme)];
      const options = { secondsBetween: 0.1, continuesOnError: true };
      const { warnings } = await context.up(program, options);
      assert.match(warnings.join("\n"), /"acme" stays in this state until.*\[not-released\]/);
      context.emulator.clearFaults();
      for (let runs = 0; runs < 2; runs += 1) await context.up(program, options);
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, false]);
      assert(await context.isUpToDate(program));
    },
  );

  behaviorInModel(
    "into a UserGroups with removed: retain and another mapping, and back: the service has its mapping again",
    async (context) => {
      const retained = (groups: object) => many("tenants", groups, { removed: "retain" });
      const before = [single("one", acme), retained({ rest: tenant })];
      await context.applies(before);
      const moved = single("one", { ...acme, userGroupId: "moved" }, { dependsOn: ["tenants"] });
      fails(await context.up([retained({ acme: other, rest: tenant }), moved]), /\[mapping-conflict\]/);
      assert.deepEqual(context.emulator.groups.get("acme")?.mapping, other.mapping);
      await context.applies(before);
      assert.deepEqual(context.emulator.groups.get("acme")?.mapping, acme.mapping);
    },
    { existing: "update" },
  );

  behaviorInModel(
    "that was refused to a UserGroups with adopt: false, and is adopted elsewhere with its token",
    async (context) => {
      const { token } = context.emulator.putGroup({ userGroupId: "acme", ...other });
      const refused = many("tenants", { acme, rest: tenant }, { adopt: false });
      fails(await context.up([refused]), /\[adoption-refused\]/);
      await context.applies([many("tenants", { rest: tenant }, { adopt: false }), single("acme", other)]);
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, true]);
    },
  );

  for (const taker of ["first", "second"])
    behaviorInModel(
      `out of a UserGroups with removed: retain, with another mapping, to the ${taker} resource: the state is true`,
      async (context) => {
        const retained = (groups: object) => many("tenants", groups, { removed: "retain" });
        await context.applies([retained({ acme })]);
        const program = [single("acme", other), retained({})];
        const { errors } = await context.up(taker === "first" ? program : program.reverse());
        if (errors !== "") assert.match(errors, /\[mapping-conflict\]/);
        else {
          const group = await context.group("acme");
          const actual = context.emulator.groups.get("acme")?.mapping;
          assert(group?.adopted === true || JSON.stringify(group?.mapping) === JSON.stringify(actual));
        }
      },
    );

  for (const existed of [false, true])
    (existed ? behaviorInModel : behavior)(
      `with another mapping and back: the restored program ends the conflict${existed ? ", also of an adopted group" : ""}`,
      async (context) => {
        if (existed) context.emulator.putGroup({ userGroupId: "acme", ...acme });
        await context.applies([single("one", acme)]);
        fails(await context.up([single("two", other)]), /\[mapping-conflict\]/);
        const { warnings } = await context.applies([single("one", acme)]);
        if (existed) assert.match(warnings.join("\n"), /^user group "acme" .*kept.*prove/ms);
        assert.equal((await context.resources()).length, 1);
        assert(await isInState(context));
        assert.deepEqual(context.emulator.groups.get("acme")?.mapping, acme.mapping);
      },
    );

  behavior(
    "to another name of the same service, and keeps its token",
    async (context) => {
      const { baseUrl, apiToken } = context.emulator;
      Object.assign(context.settings, {
        "a.baseUrl": baseUrl,
        "a.apiToken": apiToken,
        "b.baseUrl": baseUrl.replace("127.0.0.1", "localhost"),
        "b.apiToken": apiToken,
      });
      for (const declare of [
        (connection: string) => [single("acme", { ...acme, connection })],
        (connection: string) => [many("tenants", { beta: acme }, { connection })],
      ]) {
        await context.applies(declare("a"));
        const tokens = context.tokens();
        await context.applies(declare("b"));
        assert.deepEqual(context.tokens(), tokens);
        succeeds(await context.destroy());
      }
    },
    { drivers: ["provider"] },
  );

  for (const [kind, program] of [
    ["UserGroup", (userGroupId: string) => [single("tenant", { ...acme, userGroupId })]],
    ["UserGroups", (userGroupId: string) => [many("tenants", { [userGroupId]: acme })]],
  ] as const)
    behavior(
      `${kind}: to another spelling of its ID, which the service takes for the same group: nothing is deleted`,
      async (context) => {
        await context.applies(program("Acme"));
        const token = context.token("Acme");
        context.emulator.putGroup({ userGroupId: "acme", ...acme });
        context.emulator.rotateToken("acme", token);
        const sameGroup = /returned the token of a group that this stack has under another .*\[wrong-group\]/;
        fails(await context.up(program("acme")), sameGroup);
        assert.equal(context.requests().filter((line) => line.startsWith("DELETE")).length, 0);
        assert.equal((await context.group("Acme"))?.token, token);
      },
      { drivers: ["provider"] },
    );
});

describe("contract: a lookup beside the declaration of its group", () => {
  behavior(
    "creates it first, and the group gets the declared mapping",
    async (context) => {
      const lookup = single("found", { name: acme.name }, { isLookup: true });
      const { warnings } = await context.applies([lookup, single("acme", acme)]);
      assert.match(warnings.join("\n"), /^user group "acme" .*lookup/ims);
      assert.deepEqual(context.emulator.groups.get("acme")?.mapping, acme.mapping);
      const { outputs } = await context.resource("acme");
      assert("token" in outputs);
      assert.equal(outputs.token, context.token("acme"));
    },
    { drivers: ["provider", "engine"] },
  );
});

describe("contract: removed and deletionLimit of a state", () => {
  const [three, wanted] = [
    { acme, beta: tenant, gamma: tenant },
    [single("other", { ...tenant, userGroupId: "other" })],
  ];

  behaviorInModel(
    "hold if the resource is left out: deletionLimit refuses, and names the groups",
    async (context) => {
      await context.applies([many("tenants", three, { deletionLimit: 2 }), ...wanted]);
      const { errors } = await context.up(wanted);
      assert.match(errors, /would delete 3 user groups \("acme", "beta", "gamma"\).*\[deletion-limit\]/);
      assert.equal(context.emulator.groups.size, 4);
      succeeds(await context.destroy());
      assert.equal(context.emulator.groups.size, 0);
    },
  );

  behavior("hold if the resource is left out: removed: retain keeps the groups", async (context) => {
    await context.applies([many("tenants", three, { removed: "retain" }), ...wanted]);
    const { warnings } = await context.applies(wanted);
    assert.match(
      warnings.join("\n"),
      /^user groups "acme", "beta", "gamma": they stay in the service without a resource/m,
    );
    assert.equal(context.emulator.groups.size, 4);
  });

  behaviorInModel("hold if the resource is renamed and has fewer groups", async (context) => {
    await context.applies([many("tenants", three, { deletionLimit: 1 })]);
    fails(
      await context.up([many("customers", { acme }, { deletionLimit: 1 })]),
      /2 user groups .*\[deletion-limit\]/,
    );
    assert.equal(context.emulator.groups.size, 3);
    await context.applies([many("customers", { acme, beta: tenant }, { deletionLimit: 1 })]);
    assert.deepEqual([...context.emulator.groups.keys()].sort(), ["acme", "beta"]);
  });
});

describe("contract: a refresh that finds a strange account", () => {
  const strange = /account.*\[(nothing-found|other-account)\]/s;
  const others = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, tenant]));

  for (const count of [1, 3, 5])
    behaviorOfBothInModel(
      `in which each of ${count} has another token stops, and records nothing`,
      async (context, declare) => {
        await context.applies(declare(others(count)));
        const state = await context.resources();
        const account = context.emulator.addAccount();
        for (const userGroupId of Object.keys(others(count)))
          account.putGroup({ userGroupId, name: "Theirs" });
        const theirs = new Map(account.groups);
        context.settings["apiToken"] = account.apiToken;
        fails(await context.refresh(), strange);
        assert.deepEqual(await context.resources(), state);
        assert.deepEqual(new Map(account.groups), theirs);
      },
    );

  behaviorOfBothInModel(
    "doesn't stop with the API token of the state, if somebody has replaced the tokens of all groups",
    async (context, declare) => {
      await context.applies(declare(others(5)));
      for (const userGroupId of Object.keys(others(5))) context.emulator.rotateToken(userGroupId);
      succeeds(await context.refresh());
      assert.deepEqual(await context.tokenAndAdopted("t4"), [context.token("t4"), true]);
    },
  );

  for (const count of [4, 8])
    behaviorOfBoth(
      `in which each of ${count} is missing stops, deletes what it created, and the state stays`,
      async (context, declare) => {
        await context.applies(declare(others(count)));
        const state = await context.resources();
        for (const userGroupId of Object.keys(others(count))) context.emulator.removeGroup(userGroupId);
        context.requests();
        const { errors } = fails(await context.refresh(), strange);
        assert.match(errors, /pulumi state delete/);
        const created = context.requests().filter((line) => line.endsWith("created"));
        assert.equal(created.length, Math.min(count, 3));
        assert.equal(context.emulator.groups.size, 0);
        assert.deepEqual(await context.resources(), state);
        for (const { name } of state) await context.forget(name);
        await context.applies(declare(others(count)));
        assert.equal(context.emulator.groups.size, count);
      },
      { engine: "release", isInModel: count === 4 },
    );
});

describe("contract: changes: update on a service that doesn't update", () => {
  behaviorInModel(
    "stores what the service returned for an adopted group, with a warning",
    async (context) => {
      context.emulator.putGroup({ userGroupId: "acme", ...acme, name: "Theirs" });
      const { warnings } = await context.applies(declareEach({ acme }));
      assert.match(warnings.join("\n"), /^user group "acme" .*another name or other properties/ms);
      assert.match(JSON.stringify(await context.resources()), /"shown":\{"name":"Theirs"\}/);
    },
    { settings: { changes: "update" } },
  );

  behaviorInModel(
    "sends no get-or-create after a refused deletion, which would write to somebody else's group",
    async (context) => {
      await context.applies(declareEach({ acme }));
      context.emulator.removeGroup("acme");
      context.emulator.putGroup({ userGroupId: "acme", ...other });
      context.requests();
      fails(await context.destroy(), /\[service-refused\]/);
      assert.deepEqual(context.requests(), ["DELETE acme refused"]);
      assert.deepEqual(context.emulator.groups.get("acme")?.mapping, other.mapping);
    },
    { existing: "update", settings: { changes: "update" } },
  );
});
