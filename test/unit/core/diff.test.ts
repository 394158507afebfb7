/** Diffs of unknown values, and what a diff shows of each group. */
import assert from "node:assert/strict";
import { accountOf } from "../../../provider/src/core/deployment/account";
import { lifecycleOf } from "../../../provider/src/core/lifecycle";
import { customerOf } from "../../../provider/src/core/state/resource";
import { userGroupShape, userGroupsShape } from "../../../provider/src/core/state/shapes";
import { unknownValue as unknown } from "../../../provider/src/values";
import { deploymentTest } from "../../harness/providers";
import { testDeployment } from "../../harness/testDeployment";

const [one, two] = ["https://one.example", "https://two.example"];
const env = { USER_GROUPS_BASE_URL: one, USER_GROUPS_EU_BASE_URL: two };

describe("the diff of a UserGroup", () => {
  const args = { userGroupId: "acme", name: "Acme", properties: { region: "eu" } };
  const state = { ...args, token: "t0ken", adopted: true, baseUrl: one };

  for (const [change, replaces, field] of [
    [{ name: unknown }, ["name"], "name"],
    [{ properties: { region: unknown } }, ["properties"], "properties"],
    [{ userGroupId: unknown, name: "B" }, ["userGroupId", "name"], "userGroupId"],
    [{ connection: unknown }, ["connection"], "connection"],
    [{ connection: "eu" }, ["connection"], undefined],
    [{ name: unknown, overlap: true }, [], "name"],
  ] as const)
    deploymentTest(
      `of ${JSON.stringify(change)} has its replacement, and warns of a possible new token`,
      { env },
      async ({ lines, userGroup }) => {
        const news = { ...args, ...change };
        await userGroup.check(news, args, "one");
        assert.deepEqual(await userGroup.diff(state, news), {
          changes: true,
          replaces,
          // If an option of the resource replaces it, it is created first, so that it keeps its token.
          deleteBeforeReplace: replaces.length > 0 && !("userGroupId" in change || "connection" in change),
        });
        const warning = `possibly .* new token, because a value of its ${field} isn't known yet: .*\\[possible-new-token\\]$`;
        assert.match(lines.join("\n"), field === undefined ? /^$/ : new RegExp(warning));
      },
    );

  deploymentTest(
    "goes by the ID of the resource and the provider, and a refresh warns of nothing",
    { env },
    async (context) => {
      const { lines, userGroup } = context;
      assert.deepEqual((await userGroup.provider.diff("other", state, args)).replaces, ["userGroupId"]);
      const { userGroupId, ...others } = state;
      assert.equal((await userGroup.provider.diff(userGroupId, others, args)).changes, false);
      const theirs = { ...state, __provider: "theirs" };
      const rewritten = await userGroup.provider.diff("acme", theirs, { ...args, __provider: "ours" });
      assert.equal(rewritten.changes, true);
      await userGroup.diff(state, { ...args, name: "B" });
      assert.deepEqual(lines, []);
    },
  );
});

it("the outputs of a preview have the token of an unchanged group, and no token of one that is replaced", () => {
  const lifecycle = lifecycleOf(userGroupShape, testDeployment());
  const news = { userGroupId: "acme", name: "Acme" };
  const olds = { ...news, token: "t0ken", adopted: true, baseUrl: one };
  assert.equal(lifecycle.preview("acme", news, olds)["token"], "t0ken");
  assert.equal(lifecycle.preview("acme", { ...news, name: "New" }, olds)["token"], unknown);
});

describe("the diff of a UserGroups", () => {
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
  const account = accountOf({ apiToken: "t0ken", headers: undefined });
  const groups = { groups: { a: { name: "A" } }, tokens: { a: "1" } };
  const state = { ...groups, removed: "retain", baseUrl: one, account };
  const lifecycle = lifecycleOf(userGroupsShape, testDeployment(settings));
  const deletion = lifecycle.delete({ resource: "urn", id: "user-groups", state });
  await assert.rejects(deletion, { code: "deletion-limit" });
});
