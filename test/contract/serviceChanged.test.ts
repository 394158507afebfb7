import assert from "node:assert/strict";
import { effectsOf } from "../harness/providers";
import { acme, behavior, both, bothInModel, renamed, single, type Declare } from "./contract";
import { fails, succeeds, type StackContext } from "./stackContext";

describe("contract: the service's address", () => {
  bothInModel("that isn't the state's is refused before any request", async (context, declare) => {
    const { emulator, other, settings } = context;
    const recorded = emulator.baseUrl.replace("127.0.0.1", "localhost");
    settings["baseUrl"] = `${emulator.baseUrl.replace("127.0.0.1", "LOCALHOST")}/`;
    const program = declare({ acme });
    await context.applies(program);
    const state = await context.resources();
    assert.equal((await context.group("acme"))?.baseUrl, recorded);
    settings["baseUrl"] = other.baseUrl;
    const changed = declare({ acme: renamed });
    const { errors } = fails(await context.preview(changed), /\[service-changed\]/);
    for (const address of [recorded, other.baseUrl]) assert(errors.includes(address), errors);
    context.requests();
    for (const run of [
      await context.up(program),
      await context.up(changed),
      await context.refresh(),
      await context.destroy(),
    ])
      fails(run, /\[service-changed\]/);
    assert.deepEqual([context.requests(), other.requests.length], [[], 0]);
    assert.deepEqual(await context.resources(), state);
    settings["baseUrl"] = `${recorded}/`;
    succeeds(await context.refresh());
    succeeds(await context.destroy());
    assert.equal(emulator.groups.size, 0);
  });

  for (const [what, run, requests] of [
    ["a refresh", (context: StackContext) => context.refresh(), ["GET acme returned"]],
    ["an up", (context: StackContext, program: Declare) => context.up(program({ acme })), []],
    [
      "a change",
      (context: StackContext, program: Declare) => context.up(program({ acme: renamed })),
      ["DELETE acme deleted", "GET acme created"],
    ],
  ] as const)
    both(
      `is recorded by ${what} if formerBaseUrl names the state's`,
      { isInModel: what !== "an up" },
      async (context, declare) => {
        const { emulator, other, settings } = context;
        await context.applies(declare({ acme }));
        context.requests();
        other.putGroup({ userGroupId: "acme", ...acme }, () => String(context.token("acme")));
        Object.assign(settings, { baseUrl: other.baseUrl, formerBaseUrl: emulator.baseUrl });
        assert.equal(await context.isUpToDate(declare({ acme })), false);
        succeeds(await run(context, declare));
        assert.deepEqual([context.requests(), effectsOf(other)], [[], requests]);
        const group = await context.group("acme");
        assert.deepEqual([group?.baseUrl, group?.token], [other.baseUrl, other.groups.get("acme")?.token]);
        delete settings["formerBaseUrl"];
        succeeds(await context.destroy());
        assert.equal(other.groups.size, 0);
      },
    );

  behavior(
    "of a connection: another one moves the group, the same one changes the state only",
    { drivers: ["provider"] },
    async (context) => {
      const program = (connection: string, keepers = {}) => [
        single("acme", { ...acme, connection, keepers }),
      ];
      const { baseUrl, apiToken } = context.emulator;
      for (const [name, url] of [
        ["a", baseUrl],
        ["b", `${baseUrl}/`],
        ["c", context.other.baseUrl],
      ] as const)
        Object.assign(context.settings, { [`${name}.baseUrl`]: url, [`${name}.apiToken`]: apiToken });
      await context.applies(program("a"));
      context.requests();
      await context.applies(program("b"));
      assert.deepEqual(context.requests(), []);
      const { outputs } = await context.resource("acme");
      assert("connection" in outputs && "baseUrl" in outputs);
      assert.deepEqual([outputs.connection, outputs.baseUrl], ["b", baseUrl]);
      await context.applies(program("a", { month: "2" }));
      assert.deepEqual(context.requests(), ["DELETE acme deleted", "GET acme created"]);
      await context.applies(program("c"));
      assert.deepEqual([context.emulator.groups.size, context.other.groups.size], [0, 1]);
    },
  );
});
