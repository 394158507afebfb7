/** Diffs of unknown values, and what a diff shows of each group. test/contract/address.test.ts has those of another service. */
import assert from "node:assert/strict";
import { lifecycleOf } from "../../../provider/core/lifecycle";
import { userGroupShape, userGroupsShape, type Shape } from "../../../provider/core/state/shapes";
import { resourceOf, unknownValue as unknown, type JsonObject } from "../../../provider/values";
import { newTestDeployment } from "../../support/harness/product";

const resource = resourceOf("urn");
const one = "https://one.example";

/** The diff of a resource in a program, and its warnings. */
function diffOf(shape: Shape, id: string, olds: JsonObject, news: JsonObject) {
  const deployment = newTestDeployment({ settings: { baseUrl: one } });
  const lifecycle = lifecycleOf(shape, deployment);
  lifecycle.check({ resource, olds, news });
  const { details, ...diff } = lifecycle.diff({ resource, id, olds, news });
  return { diff, details: Object.fromEntries(details), ...deployment };
}

describe("the diff of a UserGroup", () => {
  const args = { userGroupId: "acme", name: "Acme", properties: { region: "eu" } };
  const state = { ...args, token: "t0ken", adopted: true, baseUrl: one };

  for (const [change, replaces, fields] of [
    [{ name: unknown }, [], "name"],
    [{ properties: { region: unknown } }, [], "properties"],
    [{ name: unknown, properties: unknown }, [], "name and properties"],
    [{ userGroupId: unknown }, [], "userGroupId"],
    [{ name: unknown, properties: { region: "us" } }, ["name", "properties"], undefined],
    [{ userGroupId: unknown, name: "B" }, ["userGroupId", "name"], "userGroupId"],
    [{ name: unknown, overlap: true }, [], "name"],
  ] as const)
    it(`of ${JSON.stringify(change)} replaces by ${replaces.join() || "nothing"}, and warns of a new token`, () => {
      const { diff, lines, details } = diffOf(userGroupShape, "acme", state, { ...args, ...change });
      // If an option of the resource replaces it, it is created first, so that it keeps its token.
      const deleteBeforeReplace = replaces.length > 0 && !("userGroupId" in change);
      assert.deepEqual(diff, { changes: true, replaces, deleteBeforeReplace });
      for (const field of Object.keys(change)) assert(field in details, field);
      const possible = `possibly .* new token, because a value of its ${fields} isn't known yet: .*\\[possible-new-token\\]$`;
      const certain =
        "is deleted and created again, .* because its properties change\\. Its dashboards are blank until .* overlap: true, .* \\[new-token\\]$";
      assert.match(lines.join("\n"), new RegExp(fields === undefined ? certain : possible));
    });

  it("takes a group whose replacement is only possible for none that stays", () => {
    const { facts } = diffOf(userGroupShape, "acme", state, { ...args, name: unknown });
    assert.deepEqual(facts.of("acme"), []);
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

describe("the diff of a UserGroups", () => {
  it("names each changed group and field, as the engine writes paths", () => {
    const olds = {
      groups: { a: { name: "A" }, "b.c": { name: "B", keepers: { k: "1" } }, gone: { name: "G" } },
      tokens: { a: "1", "b.c": "2", gone: "3" },
      former: {
        "b.c": [{ name: "F", providedId: "b", token: "4", until: "2026-01-01T00:00:00Z" }],
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
    assert.deepEqual(
      facts.of("a").map(({ status }) => status),
      ["removed"],
    );
  });
});
