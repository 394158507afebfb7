import assert from "node:assert/strict";
import { failureOf, inContext } from "../../harness/providers";
import { unknownValue as unknown } from "../../../provider/src/values";
import { acme } from "./everyService";

const noSettings = { USER_GROUPS_BASE_URL: "", USER_GROUPS_API_TOKEN: "" };
const everything = {
  ...acme,
  keepers: { a: "1" },
  dataSourceProvidedId: "warehouse",
  adopt: false,
  connection: "eu",
};

describe("UserGroup, check", () => {
  it(
    "passes valid and unknown arguments on, without settings, nulls and requests",
    inContext({ env: noSettings }, async ({ emulator, userGroup }) => {
      const nulls = { mapping: null, properties: null, dataSourceProvidedId: null, adopt: null };
      const bare = { userGroupId: "acme", name: "Acme" };
      const unknowns = Object.fromEntries(Object.keys(everything).map((key) => [key, unknown]));
      for (const [news, inputs] of [
        [everything, everything],
        [{ ...bare, ...nulls }, bare],
        [unknowns, unknowns],
      ] as const)
        assert.deepEqual(await userGroup.check(news), { inputs, failures: [] });
      assert.equal(emulator.connections, 0);
    }),
  );

  it(
    "reports invalid settings by their source, those of the connection included",
    inContext(
      { env: { USER_GROUPS_TIMEOUT: "s3cret", USER_GROUPS_EU_CHANGES: "s3cret" } },
      async (context) => {
        const { userGroup, configure } = context;
        const invalid = async (args: object, source: string) => {
          const { code, message } = await failureOf(userGroup.check(args));
          assert.equal(code, "setting-invalid");
          assert(message.startsWith(`The setting ${source} `), message);
        };
        await invalid(acme, "USER_GROUPS_TIMEOUT");
        await invalid(everything, "USER_GROUPS_EU_CHANGES");
        const us = { ...everything, connection: "us" };
        assert.deepEqual((await userGroup.check(us)).failures, []);
        configure({ "user-groups:us.baseUrl": "http://us.example" });
        await invalid(us, "user-groups:us.baseUrl");
      },
    ),
  );
});

describe("check of two resources", () => {
  const many = { groups: { globex: { name: "Globex" }, acme: { name: "Acme" } } };
  const twice =
    /^: Another resource of this program also declares user group "acme"( \(connection "eu"\))?, .*\[declared-twice\]$/;

  it(
    "refuses the same group twice, of either kind, by its address",
    inContext(
      { env: { USER_GROUPS_EU_BASE_URL: "https://eu.example" } },
      async ({ emulator, environment, deploy }) => {
        environment["USER_GROUPS_US_BASE_URL"] = `${emulator.baseUrl}/`;
        for (const [first, second, expected] of [
          ["userGroup", "userGroup", twice],
          ["userGroup", "userGroups", twice],
          ["userGroups", "userGroup", twice],
        ] as const) {
          const providers = deploy();
          const args = (kind: typeof first) => (kind === "userGroup" ? acme : many);
          assert.deepEqual((await providers[first].check(args(first), {}, "one")).failures, []);
          const { failures } = await providers[second].check(
            { ...args(second), connection: "us" },
            {},
            "two",
          );
          assert.equal(failures.length, 1);
          assert.match(failures[0]?.replace(' (connection "us")', "") ?? "", expected);
          assert.deepEqual(
            (await providers[second].check({ ...args(second), connection: "eu" }, {}, "three")).failures,
            [],
          );
        }
      },
    ),
  );

  it(
    "accepts a resource that is checked again before its replacement, and another deployment",
    inContext({}, async ({ userGroup, deploy }) => {
      for (const provider of [userGroup, userGroup, deploy().userGroup])
        assert.deepEqual(
          (await provider.check(acme, {}, provider === userGroup ? "one" : "two")).failures,
          [],
        );
    }),
  );
});

describe("a group that moves between resources in one update", () => {
  const tenant = { userGroupId: "t0", name: "Tenant" };
  const olds = { groups: { t0: { name: "Tenant" }, t1: { name: "Tenant" } } };
  const news = { groups: { t1: { name: "Tenant" } } };
  const early =
    /^warning: Another resource of this program deletes user group "t0" in the same update, before this resource can adopt it\. It gets a new token\. .*dependsOn.*"retain"\.$/;

  /** What the engine does with the resource that has two groups and drops one. */
  async function leave(
    { userGroups, deploy }: Parameters<Parameters<typeof inContext>[1]>[0],
    change: object = {},
  ) {
    const state = await userGroups.create(olds);
    const next = deploy();
    return {
      next,
      run: async () => {
        await next.userGroups.check({ ...news, ...change }, olds, "many");
        await next.userGroups.diff(state, { ...news, ...change });
        return next.userGroups.update(state, { ...news, ...change });
      },
    };
  }

  it(
    "is kept if the other resource has declared it before, with its token",
    inContext({}, async (context) => {
      const { next, run } = await leave(context);
      const { token } = context.emulator.groups.get("t0") ?? assert.fail("no group");
      await next.userGroup.check(tenant, {}, "one");
      await run();
      assert.equal(context.emulator.groups.get("t0")?.token, token);
      assert.match(context.lines.join(), /"t0" is kept with its token/);
      assert(!context.lines.some((line) => early.test(line)));
    }),
  );

  it(
    "gets a new token if the other resource declares it only then, with a warning",
    inContext({}, async (context) => {
      const { next, run } = await leave(context);
      await run();
      await next.userGroup.check(tenant, {}, "one");
      assert.match(context.lines.at(-1) ?? "", early);
      assert.equal(context.emulator.groups.has("t0"), false);
    }),
  );

  it(
    "isn't announced if the former resource only drops it from its state",
    inContext({}, async (context) => {
      const { next, run } = await leave(context, { removed: "retain" });
      await run();
      await next.userGroup.check(tenant, {}, "one");
      assert(!context.lines.some((line) => early.test(line)));
      assert.equal(context.emulator.groups.size, 2);
    }),
  );

  it(
    "with other values is announced in both orders",
    inContext({}, async ({ lines, deploy }) => {
      const moved =
        'warning: user group "t0" moves to another resource of this program, with a different name, mapping or properties.';
      for (const isFirst of [true, false]) {
        lines.length = 0;
        const next = deploy();
        const check = () => next.userGroup.check({ ...tenant, mapping: { a: 1 } }, {}, "one");
        if (isFirst) await check();
        await next.userGroups.check(news, olds, "many");
        if (!isFirst) await check();
        assert.equal(lines.filter((line) => line.startsWith(moved)).length, 1, lines.join());
      }
    }),
  );
});
