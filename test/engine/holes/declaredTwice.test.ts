import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../../provider/src/testing";
import { fails, newWorld, requestsTo, stepsOf, succeeds, tokensOf, type Result } from "../harness";

describe("a group that two resources of a program declare", () => {
  const world = newWorld(
    ({ baseUrl, apiToken }) => ({
      program: existing,
      env: {
        USER_GROUPS_SLASH_BASE_URL: `${baseUrl}/`,
        USER_GROUPS_SLASH_API_TOKEN: apiToken,
        USER_GROUPS_PLAIN_BASE_URL: "http://localhost/api",
        USER_GROUPS_ODD_BASE_URL: "HTTP://LOCALHOST:80/api/",
      },
    }),
    { basePath: "/tenant" },
  );
  before(async () => {
    succeeds(await world.stack.up());
    world.emulator.clearRequests();
  });
  afterEach("no preview sends a request", () => {
    assert.deepEqual(requestsTo(world.emulator), []);
  });
  const previewWith = async (declarations: string) => {
    await world.stack.program(existing + declarations);
    return world.stack.preview();
  };

  for (const { by, id = "twice", declarations } of [
    { by: "two new UserGroup", declarations: `one("first", "twice", 1); one("second", "twice", 2);` },
    {
      by: "an existing and a new UserGroup",
      id: "existing",
      declarations: `one("second", "existing", 2);`,
    },
    {
      by: "a UserGroup and UserGroups",
      declarations: `one("first", "twice", 1); many("second", ["once", "twice"], 2);`,
    },
    {
      by: "existing UserGroups and a new UserGroup",
      id: "existing-many",
      declarations: `one("second", "existing-many", 2);`,
    },
    {
      by: "two UserGroups",
      declarations: `many("first", ["once", "twice"], 1); many("second", ["twice"], 2);`,
    },
    {
      by: "two whose addresses differ by a trailing slash",
      declarations: `one("first", "twice", 1); one("second", "twice", 2, "slash");`,
    },
    {
      by: "two whose addresses differ by case, default port and trailing slash",
      declarations: `one("first", "twice", 1, "plain"); many("second", ["twice"], 2, "odd");`,
    },
  ])
    it(`fails in the preview, which names it: by ${by}`, async () => {
      fails(await previewWith(declarations), new RegExp(`"${id}"[^]*\\[declared-twice\\]`));
    });
});

/** Each declares its group once, though the engine checks some of the resources twice, or two for one group in turn. */
describe("a group that one resource of a program declares", () => {
  let other: Emulator;
  before("another service", async () => {
    other = await startEmulator();
  });
  const world = newWorld(() => ({
    program: declaredOnce,
    services: [other],
    env: { USER_GROUPS_OTHER_BASE_URL: other.baseUrl, USER_GROUPS_OTHER_API_TOKEN: other.apiToken },
  }));
  after("its end", () => other.stop());
  let original: Readonly<Record<string, string>>;
  let results: readonly Result[];
  before("a preview and an up of each change", async () => {
    const { stack, emulator } = world;
    succeeds(await stack.up({ env: { PHASE: "original" } }));
    original = tokensOf(emulator);
    const { urn } = await stack.resource("replaced");
    results = [
      await stack.preview({ flags: ["--replace", urn] }),
      await stack.up({ flags: ["--replace", urn] }),
    ];
  });

  it("isn't taken for one declared twice", () => {
    for (const result of results) succeeds(result);
    for (const name of ["renamed", "triggered", "with-it", "replaced", "first"])
      for (const result of results) assert(stepsOf(result, name).includes("replace"), name);
  });

  it("keeps its token while it moves between resources", () => {
    const tokens = tokensOf(world.emulator);
    for (const id of ["swapped-a", "swapped-b", "joined", "aliased", "replaced", "triggered", "with-it"])
      assert.equal(tokens[id], original[id], id);
  });

  it("has a token of its own in each service", async () => {
    const tokens = [world.emulator, other].map((service) => tokensOf(service)["shared"]);
    assert.deepEqual((await world.stack.plainOutputs())["shared"], tokens);
  });
});

const existing = `
  const { UserGroup, UserGroups } = require("pulumi-user-groups");

  const one = (name, userGroupId, sales, connection) =>
    new UserGroup(name, { userGroupId, name: "Tenant", mapping: { sales }, connection });
  const many = (name, ids, sales, connection) => {
    const groups = Object.fromEntries(ids.map((id) => [id, { name: "Tenant", mapping: { sales } }]));
    return new UserGroups(name, { groups, connection });
  };
  one("existing", "existing", 1);
  many("existing-many", ["existing-many"], 1);
`;

const declaredOnce = `
  const { UserGroup, UserGroups } = require("pulumi-user-groups");

  const isOriginal = process.env.PHASE === "original";
  const one = (name, args, opts) => new UserGroup(name, { userGroupId: name, name: "Tenant", ...args }, opts);
  const many = (name, ids, args) =>
    new UserGroups(name, { groups: Object.fromEntries(ids.map((id) => [id, { name: "Tenant" }])), ...args });

  one("replaced");
  one("renamed", { name: isOriginal ? "Before" : "After" }, { replaceOnChanges: ["*"] });
  const triggered = one("triggered", {}, { replacementTrigger: String(isOriginal) });
  one("with-it", {}, { replaceWith: [triggered] });
  one("first", { userGroupId: isOriginal ? "swapped-a" : "swapped-b" });
  one("second", { userGroupId: isOriginal ? "swapped-b" : "swapped-a" });
  if (isOriginal) one("joined");
  const team = many("team", ["stays", isOriginal ? "left" : "joined"]);
  if (!isOriginal) one("left", {}, { dependsOn: team });
  if (isOriginal) one("aliased");
  else one("aliased-since", { userGroupId: "aliased" }, { aliases: [{ name: "aliased" }] });
  UserGroup.get("looked-up", one("owned").id, { name: "Tenant" });
  const shared = [one("shared"), one("shared-elsewhere", { userGroupId: "shared", connection: "other" })];
  many("many-elsewhere", ["replaced", "stays"], { connection: "other" });
  exports.shared = shared.map(({ token }) => token);
`;
