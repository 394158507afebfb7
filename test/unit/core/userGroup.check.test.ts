import assert from "node:assert/strict";
import fc from "fast-check";
import { userGroup } from "../../../provider/src/provider";
import { inEnvironment } from "../environment";
import { inWorld } from "../world";
import { acme, configure } from "./oneGroup";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const everything = { ...acme, dataSourceProvidedId: "warehouse", adopt: false, connection: "eu" };

describe("UserGroup, check", () => {
  beforeEach(() => configure());

  it(
    "passes what is right on, with no settings and without the SDK's own properties",
    inEnvironment({}, async () => {
      const { inputs, failures } = await userGroup.check({}, { ...everything, __provider: "text" });
      assert.deepEqual([inputs, failures], [everything, []]);
    }),
  );

  it(
    "takes null for nothing",
    inEnvironment({}, async () => {
      const nulls = { mapping: null, properties: null, dataSourceProvidedId: null, adopt: null };
      const { inputs, failures } = await userGroup.check({}, { ...nulls, userGroupId: "acme", name: "Acme" });
      assert.deepEqual([inputs, failures], [{ userGroupId: "acme", name: "Acme" }, []]);
    }),
  );

  it(
    "passes values on that aren't known yet, at any depth",
    inEnvironment({}, async () => {
      const all = Object.fromEntries(Object.keys(everything).map((key) => [key, unknown]));
      const parts = { ...acme, mapping: { sales: unknown }, properties: { list: [{ deep: unknown }] } };
      for (const news of [all, parts]) {
        const { inputs, failures } = await userGroup.check({}, news);
        assert.deepEqual([inputs, failures], [news, []]);
      }
    }),
  );

  it(
    "makes no request",
    inWorld({}, async ({ emulator }) => {
      await userGroup.check({}, acme);
      assert.equal(emulator.connections, 0);
    }),
  );

  it(
    "reports what is missing and what is wrong inside an argument against its place",
    inEnvironment({}, async () => {
      const { failures } = await userGroup.check(
        {},
        { mapping: { sales: {} }, properties: { "a.b": () => 1 } },
      );
      assert.deepEqual(failures, [
        { property: "userGroupId", reason: "is required" },
        { property: "name", reason: "is required" },
        { property: "mapping.sales", reason: "must be a string or a number" },
        { property: "properties.a.b", reason: "must be JSON" },
      ]);
    }),
  );

  it(
    "names an argument in the reason only, because the engine prints the value of a property that fails",
    inEnvironment({}, async () => {
      const { failures } = await userGroup.check({}, { ...acme, name: 7, adopt: "yes", teamId: 1 });
      assert.deepEqual(failures, [
        { property: "", reason: "property name must be a string" },
        { property: "", reason: "property adopt must be true or false" },
        { property: "", reason: "property teamId is not an argument" },
      ]);
    }),
  );

  it(
    "never names a property that is there, or a value, whatever is wrong",
    inEnvironment({}, async () => {
      const secret = fc.string({ minLength: 12, unit: fc.constantFrom("Q", "X", "Z", "#") });
      const key = fc.oneof(fc.constantFrom(...Object.keys(everything)), fc.string({ minLength: 1 }));
      await fc.assert(
        fc.asyncProperty(key, fc.jsonValue(), secret, async (key, value, secret) => {
          const news = { ...acme, [key]: [value, secret] };
          const { inputs, failures = [] } = await userGroup.check({}, news);
          for (const { property } of failures) assert(property === "" || !(property in Object(inputs)));
          assert(!JSON.stringify(failures).includes(secret));
        }),
      );
    }),
  );

  it(
    "refuses a setting that is wrong, from either place, and of the connection that is named",
    inEnvironment({ USER_GROUPS_TIMEOUT: "s3cret", USER_GROUPS_EU_CHANGES: "s3cret" }, async () => {
      const wrong = (name: string) => ({
        code: "setting-invalid",
        message: new RegExp(`^The setting ${name} `),
      });
      await assert.rejects(userGroup.check({}, acme), wrong("USER_GROUPS_TIMEOUT"));
      await assert.rejects(userGroup.check({}, everything), wrong("USER_GROUPS_EU_CHANGES"));
      const others = { ...everything, connection: "us" };
      assert.deepEqual((await userGroup.check({}, others)).failures, []);
      await configure({ "user-groups:us.baseUrl": "http://us.example" });
      await assert.rejects(userGroup.check({}, others), wrong("user-groups:us.baseUrl"));
    }),
  );
});
