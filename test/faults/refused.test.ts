/** Mistakes of a program or of its settings, which are refused before any request. */
import assert from "node:assert/strict";
import { startEmulator } from "../../provider/src/testing";
import { inContext, type Context } from "../harness/context";
import type { Declared } from "../model/resources";
import type { Outcome } from "../model/run";

const one = (name: string, args: object = {}): Declared => ({
  name,
  provider: "userGroup",
  args: { userGroupId: "acme", name: "Acme", ...args },
});
const many = (name: string, args: object = {}): Declared => ({
  name,
  provider: "userGroups",
  args: { groups: { acme: { name: "Acme" } }, ...args },
});

describe("in-place updates, for which get-or-create writes", () => {
  for (const [what, declared] of [
    ["a UserGroup without adoption", one("tenant", { adopt: false })],
    ["UserGroups without adoption", many("tenants", { adopt: false })],
    ["a lookup with a name only", { ...one("found"), isLookup: true }],
  ] as const)
    it(`refuse ${what}`, () =>
      inContext({ existing: "update", settings: { changes: "update" } }, async (context) => {
        context.emulator.putGroup({ userGroupId: "acme", name: "Theirs" });
        assertRefused(context, await context.engine.up([declared]), "setting-conflict");
        assert.equal(context.emulator.groups.get("acme")?.name, "Theirs");
      }));
});

describe("a group that a program declares twice", () => {
  for (const [what, program] of [
    ["two UserGroup", [one("tenant"), one("again")]],
    ["a UserGroup and UserGroups", [one("tenant"), many("tenants")]],
    ["two UserGroups", [many("tenants"), many("again")]],
  ] as const)
    it(`is refused in ${what}`, () =>
      inContext({}, async ({ engine, emulator }) => {
        const { failures } = await engine.up(program);
        assert.match(failures[0]?.message ?? "", /"acme".*\[declared-twice\]/);
        assert(emulator.requests.length <= 1);
        assert.deepEqual((await engine.up(program.slice(0, 1))).failures, []);
      }));
});

describe("settings with another address than the state's", () => {
  for (const declare of [one, many])
    for (const command of ["up", "refresh", "destroy"] as const)
      it(`are refused by ${command} of ${declare("").provider}`, () =>
        inContext({}, async (context) => {
          const other = await startEmulator({ apiToken: context.emulator.apiToken });
          try {
            await context.engine.up([declare("tenant")]);
            const before = context.engine.resources;
            context.settings["baseUrl"] = other.baseUrl;
            context.emulator.clearRequests();
            assertRefused(context, await run(context, command, [declare("tenant")]), "service-changed");
            assert.deepEqual(other.requests, []);
            assert.deepEqual(context.engine.resources, before);
          } finally {
            await other.stop();
          }
        }));

  it("are accepted if they spell it otherwise", () =>
    inContext({ basePath: "/v1" }, async ({ engine, settings }) => {
      await engine.up([one("tenant")]);
      settings["baseUrl"] = `${settings["baseUrl"] ?? ""}/`;
      assert.deepEqual((await engine.refresh()).failures, []);
      assert.deepEqual((await engine.up([one("tenant")])).steps, []);
      assert.deepEqual((await engine.destroy()).failures, []);
    }));

  for (const declare of [one, many])
    it(`are accepted if formerBaseUrl names the state's, and need no such setting later: ${declare("").provider}`, () =>
      inContext({}, async ({ engine, emulator, settings }) => {
        await engine.up([declare("tenant")]);
        Object.assign(settings, { baseUrl: emulator.baseUrl, formerBaseUrl: settings["baseUrl"] });
        assert.deepEqual((await engine.up([declare("tenant")])).failures, []);
        Reflect.deleteProperty(settings, "formerBaseUrl");
        assert.deepEqual((await engine.refresh()).failures, []);
        assert.deepEqual((await engine.destroy()).failures, []);
        assert.equal(emulator.groups.size, 0);
      }));
});

function run(
  { engine }: Context,
  command: "up" | "refresh" | "destroy",
  program: readonly Declared[],
): Promise<Outcome> {
  return command === "up" ? engine.up(program) : engine[command]();
}

function assertRefused({ emulator }: Context, { failures }: Outcome, code: string): void {
  assert.match(failures[0]?.message ?? "", new RegExp(`\\[${code}\\]`));
  assert.deepEqual(emulator.requests.map(String), []);
}
