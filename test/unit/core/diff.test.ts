/** Diffs of unknown values, and what a diff shows of each group. test/contract/address.test.ts has those of another service. */
import assert from "node:assert/strict";
import { customerOf } from "../../../provider/src/core/deployment/facts";
import { lifecycleOf } from "../../../provider/src/core/lifecycle";
import { userGroupShape, userGroupsShape, type Shape } from "../../../provider/src/core/state/shapes";
import { resourceOf, unknownValue as unknown, type JsonObject } from "../../../provider/src/values";
import { newTestDeployment } from "../../harness/product";

const resource = resourceOf("urn");
const [one, two] = ["https://one.example", "https://two.example"];

/** The diff of a resource in a program, and its warnings. */
function diffOf(shape: Shape, id: string, olds: JsonObject, news: JsonObject) {
  const deployment = newTestDeployment({ settings: { baseUrl: one, "eu.baseUrl": two } });
  const lifecycle = lifecycleOf(shape, deployment);
  lifecycle.check({ resource, olds, news });
  const { details, ...diff } = lifecycle.diff({ resource, id, olds, news });
  return { diff, details: Object.fromEntries(details), ...deployment };
}

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
    it(`of ${JSON.stringify(change)} has its replacement, and warns of a new token`, () => {
      const { diff, lines } = diffOf(userGroupShape, "acme", state, { ...args, ...change });
      // If an option of the resource replaces it, it is created first, so that it keeps its token.
      const deleteBeforeReplace = replaces.length > 0 && !("userGroupId" in change || "connection" in change);
      assert.deepEqual(diff, { changes: true, replaces, deleteBeforeReplace });
      const possible = `possibly .* new token, because a value of its ${field} isn't known yet: .*\\[possible-new-token\\]$`;
      const moved =
        /1 to get a new token in another service \("acme"\), 1 to delete in the previous service \("acme"\)/;
      assert.match(lines.join("\n"), field === undefined ? moved : new RegExp(possible));
    });

  it("of a replacement by an option fails if the program drops a guard", () => {
    const lifecycle = lifecycleOf(userGroupShape, newTestDeployment({ settings: { baseUrl: one } }));
    const issues = [{ ...args, overlap: true }, {}].map((olds) =>
      lifecycle.check({ resource, olds, news: args }),
    );
    assert.match(JSON.stringify(issues), /^\[\[\],.*\[guard-dropped\]/);
  });

  it("goes by the ID of the resource, and a refresh warns of nothing", () => {
    const deployment = newTestDeployment({ settings: { baseUrl: one } });
    const ofRefresh = (id: string, olds: JsonObject, news: JsonObject) =>
      lifecycleOf(userGroupShape, deployment).diff({ resource, id, olds, news });
    const { userGroupId: _, ...others } = state;
    assert.deepEqual(ofRefresh("other", state, args).replaces, ["userGroupId"]);
    assert.equal(ofRefresh("acme", others, args).changes, false);
    assert.equal(ofRefresh("acme", state, { ...args, name: "B" }).changes, true);
    assert.deepEqual(deployment.lines, []);
  });
});

it("each of many diffs after a rotated API token remembers three groups for all, so that they stay linear", () => {
  const { accounts } = newTestDeployment({ settings: { baseUrl: one } });
  for (let n = 0; n < 1000; n += 1) {
    const group = { userGroupId: `t${n}`, name: "A", providedId: `t${n}`, token: `${n}`, adopted: false };
    const customer = customerOf(undefined, group.userGroupId);
    accounts.see({ resource, customer, address: one, group, is: "stays" }, "before");
  }
  assert.equal(accounts.inSight({ address: one, account: "before", today: "today" }).length, 3);
});

describe("the diff of a UserGroups", () => {
  it("names each changed group and field, as the engine writes paths", () => {
    const olds = {
      groups: { a: { name: "A" }, "b.c": { name: "B", keepers: { k: "1" } }, gone: { name: "G" } },
      tokens: { a: "1", "b.c": "2", gone: "3" },
      former: {
        "b.c": [{ name: "F", providedId: "b", token: "4", since: "2026-01-01T00:00:00Z", hours: 0 }],
      },
    };
    const news = { groups: { a: unknown, "b.c": { name: "C" }, added: { name: "D" } }, adopt: false };
    assert.deepEqual(diffOf(userGroupsShape, "user-groups", olds, news).details, {
      adopt: "ADD",
      "groups.a.name": "UPDATE",
      'former["b.c"]': "DELETE",
      "groups.added": "ADD",
      "groups.gone": "DELETE",
      'groups["b.c"].keepers': "DELETE",
      'groups["b.c"].name': "UPDATE",
    });
  });

  it("isn't asked for if the groups are too large", () => {
    const groups = { a: { name: "A", properties: { text: "x".repeat(9 * 2 ** 20) } } };
    const lifecycle = lifecycleOf(userGroupsShape, newTestDeployment({ settings: { baseUrl: one } }));
    assert.match(
      JSON.stringify(lifecycle.check({ resource, olds: {}, news: { groups } })),
      /\[groups-too-large\]/,
    );
  });

  it("of groups that aren't known yet says so, and takes none of the state's groups to stay", () => {
    const olds = { groups: { a: { name: "A" } }, tokens: { a: "1" } };
    const { facts, lines } = diffOf(userGroupsShape, "user-groups", olds, { groups: unknown });
    assert.match(lines.join(), /groups isn't known yet.*\[groups-not-known\]/);
    const customer = customerOf(undefined, "a");
    assert.deepEqual(facts.of(customer), []);
  });
});
