/** The address of the service, which the state stores. */
import assert from "node:assert/strict";
import { effectsOf } from "../harness/providers";
import { acme, behavior, both, inModel, many, renamed, single } from "./contract";
import { fails, succeeds, warns, type StackContext } from "./stackContext";

/** The plugin has explicit providers instead. */
const ofConnections = { drivers: ["provider"] } as const;

/** The connections a and b lead to the service, c to another one. */
function connect({ emulator, other, settings }: StackContext): void {
  const urls = { a: emulator.baseUrl, b: `${emulator.baseUrl}/`, c: other.baseUrl };
  for (const [name, url] of Object.entries(urls))
    Object.assign(settings, { [`${name}.baseUrl`]: url, [`${name}.apiToken`]: emulator.apiToken });
}

describe("contract: the service's address", () => {
  both("that isn't the state's is refused before any request", inModel, async (context, declare) => {
    const { emulator, other, settings } = context;
    const recorded = emulator.baseUrl.replace("127.0.0.1", "localhost");
    settings["baseUrl"] = `${emulator.baseUrl.replace("127.0.0.1", "LOCALHOST")}/`;
    await context.applies(declare({ acme }));
    const state = await context.resources();
    assert.equal((await context.group("acme"))?.baseUrl, recorded);
    settings["baseUrl"] = other.baseUrl;
    context.requests();
    for (const run of [
      await context.preview(declare({ acme: renamed })),
      await context.up(declare({ acme })),
      await context.refresh(),
      await context.destroy(),
    ])
      fails(run, /\[service-changed\]/);
    assert.deepEqual([context.requests(), other.requests], [[], []]);
    assert.deepEqual(await context.resources(), state);
  });

  both("is recorded by an up if formerBaseUrl names the state's", {}, async (context, declare) => {
    const { emulator, other, settings } = context;
    await context.applies(declare({ acme }));
    context.requests();
    const token = context.token("acme") ?? "";
    other.putGroup({ userGroupId: "acme", ...acme }, () => token);
    Object.assign(settings, { baseUrl: other.baseUrl, formerBaseUrl: emulator.baseUrl });
    assert.equal(await context.isUpToDate(declare({ acme })), false);
    await context.applies(declare({ acme }));
    const group = await context.group("acme");
    assert.deepEqual([group?.baseUrl, group?.token], [other.baseUrl, token]);
    assert.deepEqual([context.requests(), effectsOf(other)], [[], []]);
    delete settings["formerBaseUrl"];
    succeeds(await context.destroy());
    assert.equal(other.groups.size, 0);
  });

  behavior(
    "of a connection: another one moves the group, the same one changes the state only",
    ofConnections,
    async (context) => {
      const { emulator, other } = context;
      const program = (connection: string) => [single("acme", { ...acme, connection })];
      connect(context);
      await context.applies(program("a"));
      context.requests();
      await context.applies(program("b"));
      assert.deepEqual(context.requests(), []);
      const { outputs } = await context.resource("acme");
      assert("connection" in outputs);
      assert.equal(outputs.connection, "b");
      await context.applies(program("c"));
      assert.deepEqual([emulator.groups.size, other.groups.size], [0, 1]);
    },
  );

  for (const how of ["an alias", "pulumi stack rename"])
    behavior(
      `changes as the preview says, with ${how} in the same up`,
      { ...ofConnections, ...inModel },
      async (context) => {
        const groups = { acme, beta: renamed };
        connect(context);
        await context.applies([many("one", groups, { connection: "a" })]);
        if (how !== "an alias")
          await context.stack.rewrite((state) => state.replace("urn:pulumi:dev::", "urn:pulumi:before::"));
        const [name, options] = how === "an alias" ? ["two", { aliases: ["one"] }] : ["one", {}];
        const moved = [many(name, groups, { connection: "c", removed: "retain" }, options)];
        warns(await context.preview(moved), /2 to remove from the state only .*\[planned-changes\]/);
        await context.applies(moved);
        assert.deepEqual([context.emulator.groups.size, context.other.groups.size], [2, 2]);
      },
    );

  behavior("of a UserGroups changes within the program's deletionLimit", ofConnections, async (context) => {
    const { emulator, other } = context;
    const program = (connection: string, deletionLimit: number) => [
      many("tenants", { acme }, { connection, deletionLimit }),
    ];
    connect(context);
    await context.applies(program("a", 0));
    const retained = many("tenants", { acme }, { connection: "c", removed: "retain", deletionLimit: 0 });
    warns(await context.preview([retained]), /new token in another service .*\[planned-changes\]/);
    fails(await context.preview(program("c", 0)), /\b1 .*"acme".*\[deletion-limit\]/);
    await context.applies(program("c", 1));
    assert.deepEqual([emulator.groups.size, other.groups.size], [0, 1]);
  });
});
