import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../../provider/src/testing";
import { newFixture, packageProgram, stepsOf, succeeds, tokensOf } from "../harness";

/** Each declares its group once, though the engine checks some of the resources twice, or two for one group in turn. */
describe("a group that one resource of a program declares", () => {
  let other: Emulator;
  before("another service", async () => {
    other = await startEmulator();
  });
  const fixture = newFixture(() => ({
    program,
    services: [other],
    env: { USER_GROUPS_OTHER_BASE_URL: other.baseUrl, USER_GROUPS_OTHER_API_TOKEN: other.apiToken },
  }));
  after("its end", () => other.stop());

  it("isn't taken for one declared twice, and keeps its token while it moves between resources", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up({ env: { PHASE: "original" } }));
    const original = tokensOf(emulator);
    const flags = ["--replace", (await stack.resource("replaced")).urn];
    for (const result of [await stack.preview({ flags }), await stack.up({ flags })]) {
      succeeds(result);
      for (const name of ["renamed", "triggered", "linked", "replaced", "first"])
        assert(stepsOf(result, name).includes("replace"), name);
    }
    const tokens = tokensOf(emulator);
    for (const id of ["swapped-a", "swapped-b", "joined", "aliased", "replaced", "triggered", "linked"])
      assert.equal(tokens[id], original[id], id);
    const { shared } = await stack.plainOutputs();
    assert.deepEqual(shared, [tokens["shared"], tokensOf(other)["shared"]]);
  });
});

const program = packageProgram(`
  const isOriginal = process.env.PHASE === "original";
  const one = (name, args, opts) => new UserGroup(name, { userGroupId: name, name: "Tenant", ...args }, opts);
  const many = (name, ids, args) =>
    new UserGroups(name, { groups: Object.fromEntries(ids.map((id) => [id, { name: "Tenant" }])), ...args });

  one("replaced");
  one("renamed", { name: isOriginal ? "Before" : "After" }, { replaceOnChanges: ["*"] });
  const triggered = one("triggered", {}, { replacementTrigger: String(isOriginal) });
  one("linked", {}, { replaceWith: [triggered] });
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
`);
