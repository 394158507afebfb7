/** What only a resource of many groups does: changes of some of them, and failures of some of them. */
import assert from "node:assert/strict";
import { numbered } from "../support/harness/providers";
import { groupsOf } from "../support/model/groups";
import { acme, behavior, beta, declareMany, inModel } from "./contract";
import { fails, succeeds, warns, type StackContext } from "./stackContext";

/** One group after the other, so that it is certain how many are tried. */
const oneAtATime = { settings: { maxConnections: "1" } } as const;

describe("contract: UserGroups", () => {
  behavior("add, change and remove groups, and one line says how many", {}, async (context) => {
    const tenant = { name: "Tenant" };
    const groups = { a: tenant, b: tenant, c: tenant };
    const first = declareMany(groups);
    const infosOf = async (program: typeof first) => (await context.preview(program)).infos.join();
    assert.match(await infosOf(first), /3 to create or adopt \("a", "b", "c"\)/);
    const unadopted = declareMany(groups, { adopt: false });
    assert.match(await infosOf(unadopted), /3 to create, which fails for those that exist \("a"/);
    await context.applies(first);
    const token = context.token("b");
    context.requests();
    const program = declareMany({ b: tenant, c: { name: "New" }, d: tenant });
    const preview = await context.preview(program);
    assert.equal(preview.changes["tenants"], "update");
    warns(preview, /1 to create .*1 to delete .*1 to delete and create again with a new token/);
    await context.applies(program);
    const requests = "DELETE a deleted,DELETE c deleted,GET c created,GET d created";
    assert.equal(context.requests().sort().join(), requests);
    assert.equal(context.token("b"), token);
  });

  const outage = { kind: "status", status: 503 } as const;
  for (const [what, fault, shared, tried, message] of [
    ["refusals, tried for all", undefined, { adopt: false }, 60, /\b60\b.*adoption-refused/s],
    ["creations that may exist", { ...outage, status: 501 }, { overlap: true }, 60, /The same for 59 more/],
    ["an outage", outage, {}, 1, /1 user group failed, and 59 were not tried.*attempts\)/s],
  ] as const)
    behavior(`say a cause once: ${what}`, { drivers: ["provider"], ...oneAtATime }, async (context) => {
      const groups = numbered(60);
      for (const userGroupId of Object.keys(groups))
        context.emulator.putGroup({ userGroupId, name: "Theirs" });
      if (fault === outage) context.settings["timeout"] = "1";
      if ("overlap" in shared) context.settings["maxConnections"] = "60";
      if (fault) context.emulator.fault({ ...fault, times: Infinity });
      const { errors } = fails(await context.up(declareMany(groups, shared)), message);
      assert.equal(errors.match(/\[(adoption-refused|unexpected-status)\]/g)?.length, 1);
      const seen = new Set(context.emulator.requests.map(({ userGroupId }) => userGroupId));
      assert.equal(seen.size, tried);
    });
});

describe("contract: UserGroups that were imported", () => {
  behavior(
    "take over what the import didn't know, and only a mapping is in doubt",
    inModel,
    async (context) => {
      const program = declareMany({ acme, beta });
      await context.applies(program);
      const records =
        '"groups":{"acme":{"notImported":["keepers"]},"beta":{"notImported":["mapping","keepers"]}}';
      await context.stack.rewrite((state) => state.replace('"internal":{', `"internal":{${records},`));
      const { warnings } = await context.preview(program);
      const [ofMapping = "", ofKeepers = "", ...others] = warnings;
      assert.match(
        ofMapping,
        /^user group "beta" was imported without its mapping, .* change keepers, .*\[claim-taken-over\]$/,
      );
      assert.match(
        ofKeepers,
        /^user group "acme" was imported with its mapping, .* No request was sent\. \[claim-taken-over\]$/,
      );
      assert.deepEqual(others, []);
    },
  );
});

describe("contract: UserGroups, some of which fail", () => {
  const wanted = { t1: { name: "One" }, t2: { name: "Two" }, t3: { name: "Tenant" }, t5: { name: "Five" } };

  behavior("in an update are recorded as the service has them", oneAtATime, async (context) => {
    await context.applies(declareMany(numbered(5)));
    context.emulator.fault({ kind: "refuse", userGroupId: "t0", times: 2 }); // removed: its deletion fails
    context.emulator.fault({ kind: "refuse", userGroupId: "t2", method: "GET" }); // changed: deleted, but not created
    context.emulator.fault({ kind: "refuse", userGroupId: "t5" }); // added: not created
    fails(
      await context.up(declareMany(wanted)),
      /Cannot update all user groups: 3 user groups failed\./,
      /Cannot delete user group "t0"/,
      /Cannot create user group "t2"/,
      /Cannot create user group "t5"/,
    );
    const recorded = { t0: "Tenant", t1: "One", t3: "Tenant" };
    assert.deepEqual(await namesAndTokens(context), [recorded, context.tokens()]);
    context.requests();
    await context.applies(declareMany(wanted));
    assert.deepEqual(context.requests().sort(), ["DELETE t0 deleted", "GET t2 created", "GET t5 created"]);
    const names = { t1: "One", t2: "Two", t3: "Tenant", t5: "Five" };
    assert.deepEqual(await namesAndTokens(context), [names, context.tokens()]);
  });

  behavior(
    "in a destroy keep the state, and a refresh creates the others",
    { ...inModel, ...oneAtATime },
    async (context) => {
      await context.applies(declareMany(numbered(4)));
      for (const userGroupId of ["t1", "t2"])
        context.emulator.fault({ kind: "refuse", method: "DELETE", userGroupId });
      fails(
        await context.destroy(),
        /2 user groups failed.*Cannot delete user group "t[12]"/s,
        /The state still has every group, including the deleted ones\. .*pulumi up alone sees no diff/,
      );
      assert.deepEqual([...context.emulator.groups.keys()].sort(), ["t1", "t2"]);
      succeeds(await context.refresh());
      assert.equal(context.emulator.groups.size, 4);
      assert(await context.isUpToDate(declareMany(numbered(4))));
    },
  );
});

/** The names and the tokens of all groups in the state, by ID. */
async function namesAndTokens(context: StackContext): Promise<unknown[]> {
  const groups = groupsOf(await context.resource("tenants"));
  const byId = (field: "name" | "token") =>
    Object.fromEntries(groups.map((group) => [group.userGroupId, group[field]]));
  return [byId("name"), byId("token")];
}
