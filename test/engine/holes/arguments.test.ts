import assert from "node:assert/strict";
import { fails, newWorld, requestsTo, stepsOf, succeeds } from "../harness";

describe("a value in properties that is no JSON", () => {
  const world = newWorld(() => ({ program }));

  for (const { what, kind, path } of [
    { what: "a Date", kind: "date", path: "properties.since" },
    { what: "a Map", kind: "map", path: "properties.limits.seats" },
    { what: "a Set, in an array", kind: "set", path: "properties.tags.1" },
    { what: "a BigInt", kind: "bigint", path: "properties.seats" },
    { what: "a function", kind: "function", path: "properties.of" },
    { what: "an instance of a class", kind: "instance", path: "properties.plan" },
    { what: "a Date inside an output", kind: "output", path: "properties.since" },
    { what: "a Map inside a promise", kind: "promise", path: "properties.plan.seats" },
    { what: "a Date in UserGroups", kind: "many", path: "groups.acme.properties.since" },
  ])
    it(`fails the program, which names its path: ${what}`, async () => {
      const failed = fails(await world.stack.preview({ env: { KIND: kind } }), /\[argument-invalid\]/);
      const escaped = path.replaceAll(".", "\\.");
      const inBrackets = path.replace(/\.(\d+)/, "[$1]").replace(/[.[\]]/g, "\\$&");
      assert.match(failed.output, new RegExp(`${escaped}\\b|${inBrackets}`));
    });

  it("is neither an output, a promise, a secret, nor an object without a prototype", async () => {
    const up = succeeds(await world.stack.up({ env: { KIND: "json" } }));
    assert.deepEqual(stepsOf(up, "acme"), ["create"]);
    const properties = { region: "eu", seats: 5, plan: { tags: ["a", null, true] }, licence: "gold" };
    assert.deepEqual(world.emulator.groups.get("acme")?.properties, properties);
    assert.deepEqual(requestsTo(world.emulator), ['GET "acme" created 200']);
  });
});

const program = `
  const { output, secret } = require("@pulumi/pulumi");
  const { UserGroup, UserGroups } = require("pulumi-user-groups");

  class Plan {
    constructor() {
      this.seats = 5;
    }
  }
  const since = new Date(0);
  const valuesOf = {
    date: () => ({ since }),
    map: () => ({ limits: { seats: new Map([["a", 1]]) } }),
    set: () => ({ tags: ["a", new Set(["b"])] }),
    bigint: () => ({ seats: 5n }),
    function: () => ({ of: () => 5 }),
    instance: () => ({ plan: new Plan() }),
    output: () => output(1).apply(() => ({ since })),
    promise: () => ({ plan: Promise.resolve({ seats: new Map() }) }),
    json: () => ({
      region: output("eu"),
      seats: Promise.resolve(5),
      plan: Object.assign(Object.create(null), { tags: ["a", null, true] }),
      licence: secret("gold"),
    }),
  };
  const { KIND: kind } = process.env;
  if (kind === "many") new UserGroups("many", { groups: { acme: { name: "Acme", properties: { since } } } });
  else new UserGroup("acme", { userGroupId: "acme", name: "Acme", properties: valuesOf[kind]() });
`;
