import assert from "node:assert/strict";
import { effectsOf } from "../harness/providers";
import { acme, behavior, behaviorOfBoth, behaviorOfBothInModel, resource } from "./contract";
import { fails, succeeds } from "./stackContext";

describe("contract: the service's address", () => {
  behaviorOfBothInModel(
    "that isn't the state's is refused before any request, and another spelling of it isn't",
    async (context, declare) => {
      const { emulator, other, settings } = context;
      const recorded = emulator.baseUrl.replace("127.0.0.1", "localhost");
      settings["baseUrl"] = `${emulator.baseUrl.replace("127.0.0.1", "LOCALHOST")}/`;
      const program = declare({ acme });
      await context.applies(program);
      const state = await context.resources();
      assert.equal((await context.group("acme"))?.baseUrl, recorded);
      settings["baseUrl"] = other.baseUrl;
      const changed = declare({ acme: { ...acme, name: "New" } });
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
    },
  );

  behaviorOfBothInModel(
    "is recorded by a refresh if formerBaseUrl names the state's",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      const token = context.token("acme");
      context.other.putGroup({ userGroupId: "acme", ...acme });
      context.other.rotateToken("acme", token);
      Object.assign(context.settings, {
        baseUrl: context.other.baseUrl,
        formerBaseUrl: context.emulator.baseUrl,
      });
      succeeds(await context.refresh());
      const group = await context.group("acme");
      assert.deepEqual([group?.baseUrl, group?.token], [context.other.baseUrl, token]);
      delete context.settings["formerBaseUrl"];
      succeeds(await context.destroy());
      assert.equal(context.other.groups.size, 0);
    },
  );

  behaviorOfBoth(
    "is recorded by an up without a request if formerBaseUrl names the state's",
    async (context, declare) => {
      const { emulator, other, settings } = context;
      await context.applies(declare({ acme }));
      const token = context.token("acme");
      Object.assign(settings, { baseUrl: other.baseUrl, formerBaseUrl: emulator.baseUrl });
      context.requests();
      assert.match(JSON.stringify((await context.preview(declare({ acme }))).changes), /update/);
      await context.applies(declare({ acme }));
      const group = await context.group("acme");
      assert.deepEqual([group?.baseUrl, group?.token], [other.baseUrl, token]);
      assert.deepEqual([context.requests(), other.requests.length], [[], 0]);
      delete settings["formerBaseUrl"];
      assert.equal(await context.isUpToDate(declare({ acme })), true);
    },
  );

  behaviorOfBothInModel(
    "is the new one for a change if formerBaseUrl names the state's",
    async (context, declare) => {
      const { emulator, other, settings } = context;
      await context.applies(declare({ acme }));
      context.requests();
      other.putGroup({ userGroupId: "acme", ...acme });
      other.rotateToken("acme", context.token("acme"));
      Object.assign(settings, { baseUrl: other.baseUrl, formerBaseUrl: emulator.baseUrl });
      await context.applies(declare({ acme: { ...acme, name: "New" } }));
      assert.deepEqual(effectsOf(other), ["DELETE acme deleted", "GET acme created"]);
      assert.deepEqual(context.requests(), []);
    },
  );

  behavior(
    "of a connection: another one moves the group, the same one changes the state only",
    async (context) => {
      const program = (connection: string, keepers = {}) => [
        resource("acme", "userGroup", { userGroupId: "acme", ...acme, connection, keepers }),
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
    { drivers: ["provider"] },
  );
});
