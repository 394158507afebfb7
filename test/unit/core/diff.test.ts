import assert from "node:assert/strict";
import { accountOf } from "../../../provider/src/core/deployment/account";
import { lifecycleOf } from "../../../provider/src/core/lifecycle";
import { customerOf } from "../../../provider/src/core/state/resource";
import { userGroupShape, userGroupsShape } from "../../../provider/src/core/state/shapes";
import { unknownValue as unknown } from "../../../provider/src/values";
import { failureOf, deploymentTest } from "../../harness/providers";
import { testDeployment } from "../../harness/testDeployment";

const [one, two] = ["https://one.example", "https://two.example"];
const env = { USER_GROUPS_BASE_URL: one, USER_GROUPS_EU_BASE_URL: two };

describe("the diff of a UserGroup", () => {
  const args = {
    userGroupId: "acme",
    name: "Acme",
    mapping: { sales: "one" },
    properties: { region: "eu" },
    keepers: { a: "1" },
    dataSourceProvidedId: "tab",
    adopt: true,
  };
  const state = { ...args, token: "t0ken", adopted: true, baseUrl: one };
  const stateOnly = { changes: true, replaces: [], deleteBeforeReplace: false };

  for (const [change, replaces, withUpdate, fields] of [
    [{ name: unknown }, ["name"], [], "?name"],
    [{ mapping: null }, ["mapping"], [], "mapping changes"],
    [{ properties: { region: unknown } }, ["properties"], [], "?properties"],
    [{ keepers: {} }, ["keepers"], ["keepers"], "keepers change"],
    [{ name: "B", mapping: {}, adopt: false }, ["name", "mapping"], [], "name and mapping change"],
    [{ dataSourceProvidedId: null }, [], [], undefined],
    [{ adopt: null }, [], [], undefined],
    [{ userGroupId: "other" }, ["userGroupId"], ["userGroupId"], undefined],
    [{ userGroupId: unknown, name: "B" }, ["userGroupId", "name"], ["userGroupId"], "?userGroupId"],
    [{ connection: "eu" }, ["connection"], ["connection"], undefined],
    [{ connection: unknown }, ["connection"], ["connection"], "?connection"],
  ] as const)
    for (const changes of ["replace", "update"])
      deploymentTest(
        `of ${JSON.stringify(change)} with changes: ${changes} has its replacement, and a line for a new token`,
        { env: { ...env, USER_GROUPS_CHANGES: changes, USER_GROUPS_EU_CHANGES: changes } },
        async ({ lines, userGroup }) => {
          const news = { ...args, ...change };
          await userGroup.check(news, args, "one");
          const replaced: readonly string[] = changes === "update" ? withUpdate : replaces;
          const isMoved = "userGroupId" in change || "connection" in change;
          assert.deepEqual(await userGroup.diff(state, news), {
            changes: true,
            replaces: replaced,
            // If an option of the resource replaces it, it is created first, so that it keeps its token.
            deleteBeforeReplace: replaced.length > 0 && !isMoved,
          });
          const line = fields?.startsWith("?")
            ? `warning: user group "acme" is possibly deleted and created again with a new token, because a value of its ${fields.slice(1)} isn't known yet: it depends on another resource of this update. [possible-new-token]`
            : `warning: user group "acme" is deleted and created again, and gets a new token, because its ${fields}. [new-token]`;
          assert.deepEqual(lines, fields !== undefined && replaced.length > 0 ? [line] : []);
        },
      );

  deploymentTest(
    "of a value that isn't known yet, with overlap, is an update and possibly a new token, and shows the former group",
    { env },
    async ({ lines, userGroup }) => {
      const news = { ...args, name: unknown, overlap: true };
      await userGroup.check(news, args, "one");
      assert.deepEqual(await userGroup.diff(state, news), stateOnly);
      assert.deepEqual(lines, [
        'warning: user group "acme" possibly gets a new token, because a value of its name isn\'t known yet: it depends on another ' +
          "resource of this update. Its former group stays until the next up. [possible-new-token]",
      ]);
      const olds = { ...state, former: [{ name: "Acme", providedId: "acme", token: "former" }] };
      const request = { resource: "urn", id: "acme", olds, news: args };
      const { details } = lifecycleOf(userGroupShape, testDeployment()).diff(request);
      assert.deepEqual([...details], [["former", "DELETE"]]);
    },
  );

  deploymentTest(
    "changes the state only for a state of another provider, and goes by the ID of the resource",
    { env },
    async ({ lines, userGroup: { provider } }) => {
      const diff = (id: string, olds: object, news: object = args) => provider.diff(id, olds, news);
      assert.deepEqual((await diff("other", state)).replaces, ["userGroupId"]);
      const theirs = { ...state, __provider: "theirs" };
      assert.deepEqual(await diff("acme", theirs, { ...args, __provider: "ours" }), stateOnly);
      const { userGroupId, ...others } = state;
      assert.deepEqual(await diff(userGroupId, others), { ...stateOnly, changes: false });
      await diff(userGroupId, state, { ...args, name: "B" });
      assert.deepEqual(lines, [], "A refresh, which has no program, has warned");
    },
  );
});

describe("the outputs of a preview", () => {
  it("have the token of an unchanged group, and no token of one that is replaced", () => {
    const lifecycle = lifecycleOf(userGroupShape, testDeployment());
    const news = { userGroupId: "acme", name: "Acme" };
    const olds = { ...news, token: "t0ken", adopted: true, baseUrl: one };
    assert.equal(lifecycle.preview("acme", news, olds)["token"], "t0ken");
    assert.equal(lifecycle.preview("acme", { ...news, name: "New" }, olds)["token"], unknown);
  });
});

describe("the diff of a UserGroups", () => {
  const args = { groups: { a: { name: "A" }, b: { name: "B" } } };
  const state = { ...args, tokens: { a: "1", b: "2" }, adopted: [], baseUrl: one };

  for (const [what, news, changes] of [
    ["another order", { groups: { b: { name: "B" }, a: { name: "A", mapping: null } } }, false],
    ["adopt", { ...args, adopt: false }, true],
    ["removed", { ...args, removed: "retain" }, true],
    ["deletionLimit", { ...args, deletionLimit: 0 }, true],
    ["groups that are unknown", { groups: unknown, deletionLimit: 0 }, true],
    ["the service", { ...args, connection: "eu" }, true],
  ] as const)
    deploymentTest(`of ${what} changes ${changes ? "them" : "nothing"}`, { env }, async ({ userGroups }) => {
      await userGroups.check(news, args, "many");
      const replaces = "connection" in news ? ["connection"] : [];
      const diff = { changes, replaces, deleteBeforeReplace: false };
      assert.deepEqual(await userGroups.diff(state, news), diff);
    });

  deploymentTest("refuses more deletions than the limit allows, in a program", { env }, async (context) => {
    const { lines, userGroups } = context;
    await userGroups.diff(state, { groups: {}, deletionLimit: 0 });
    assert.deepEqual(lines, []);
    for (const news of [
      { groups: { a: { name: "X" } }, deletionLimit: 1 },
      { ...args, connection: "eu", deletionLimit: 1 },
    ]) {
      await userGroups.check(news, args, "many");
      assert.equal((await failureOf(userGroups.diff(state, news))).code, "deletion-limit");
    }
  });

  it("names each changed group and field, as the engine writes paths", () => {
    const olds = {
      groups: { a: { name: "A" }, "b.c": { name: "B", keepers: { k: "1" } }, gone: { name: "G" } },
      tokens: { a: "1", "b.c": "2", gone: "3" },
      former: { "b.c": [{ name: "F", providedId: "b", token: "4" }] },
    };
    const news = { groups: { a: unknown, "b.c": { name: "C" }, added: { name: "D" } }, adopt: false };
    const request = { resource: "urn", id: "user-groups", olds, news };
    const { details } = lifecycleOf(userGroupsShape, testDeployment()).diff(request);
    assert.deepEqual(Object.fromEntries(details), {
      adopt: "ADD",
      "groups.a.name": "UPDATE",
      'former["b.c"]': "DELETE",
      "groups.added": "ADD",
      "groups.gone": "DELETE",
      'groups["b.c"].keepers': "DELETE",
      'groups["b.c"].name': "UPDATE",
    });
  });

  it("of groups that aren't known yet says so, and takes none of the state's groups to stay", () => {
    const { facts, warnings, ...others } = testDeployment();
    const lifecycle = lifecycleOf(userGroupsShape, { facts, ...others });
    const olds = { groups: { a: { name: "A" } }, tokens: { a: "1" } };
    const news = { groups: unknown };
    lifecycle.check({ resource: "urn", olds, news });
    lifecycle.diff({ resource: "urn", id: "user-groups", olds, news });
    assert.match(warnings.join(), /groups isn't known yet.*\[groups-not-known\]/);
    const customer = customerOf(undefined, "a");
    assert.deepEqual([...facts.holdersOf(customer), ...facts.planned(customer)], []);
  });
});

it("the deletion of groups that their state guards fails where the engine's command isn't known", async () => {
  const settings = { baseUrl: one, apiToken: "t0ken" };
  const groups = { groups: { a: { name: "A" } }, tokens: { a: "1" } };
  const state = {
    ...groups,
    removed: "retain",
    baseUrl: one,
    account: accountOf({ apiToken: "t0ken", headers: undefined }),
  };
  await assert.rejects(
    lifecycleOf(userGroupsShape, testDeployment(settings)).delete({
      resource: "urn",
      id: "user-groups",
      state,
    }),
    { code: "deletion-limit" },
  );
});
