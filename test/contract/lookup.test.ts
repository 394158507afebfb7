import assert from "node:assert/strict";
import { acme, behavior, everyService, inModel, returnsStored, single } from "./contract";
import { fails, succeeds } from "./stackContext";

const lookup = (args: object) => single("found", args, { isLookup: true });
const ours = [lookup({ name: "Ours" })];
const nothingLeft = ["GET acme created", "DELETE acme deleted"];

describe("contract: a lookup", () => {
  for (const service of everyService)
    behavior(
      `returns what the service has (${Object.values(service).join(", ")})`,
      { ...service, drivers: service === everyService[0] ? ["provider", "plugin", "engine"] : ["provider"] },
      async (context) => {
        const { token } = context.emulator.putGroup({ userGroupId: "acme", ...acme });
        assert.deepEqual((await context.applies(ours)).warnings, []);
        const group = await context.group("acme");
        const [name, properties] = returnsStored(service) ? ["Acme", acme.properties] : ["Ours", undefined];
        assert.deepEqual([group?.token, group?.name, group?.properties], [token, name, properties]);
        assert.equal(group?.adopted, true);
        succeeds(await context.destroy());
        assert.equal(context.token("acme"), token);
      },
    );

  behavior("of a group that doesn't exist fails, and leaves none", {}, async (context) => {
    const { warnings, errors } = await context.up(ours);
    assert.match(errors, /user group "acme".*overlap.*providedId.*\[no-such-group\]/s);
    assert.deepEqual(context.requests(), nothingLeft);
    assert.deepEqual([warnings, context.emulator.groups.size, await context.resources()], [[], 0, []]);
  });

  behavior("of a group that this run may have created fails, and names it", inModel, async (context) => {
    context.emulator.fault({ kind: "drop", when: "after", method: "GET" });
    fails(await context.up(ours), /user group "acme".*may have created.*\[no-such-group\]/s);
    assert.deepEqual(await context.resources(), []);
    await context.applies(ours);
  });

  behavior("is a lookup in a refresh, too", inModel, async (context) => {
    context.emulator.putGroup({ userGroupId: "acme", ...acme });
    await context.applies(ours);
    const { outputs } = await context.resource("found");
    succeeds(await context.refresh());
    assert.deepEqual((await context.resource("found")).outputs, outputs);
    context.emulator.removeGroup("acme");
    context.requests();
    fails(await context.refresh(), /user group "acme".*\[no-such-group\]/s);
    assert.deepEqual(context.requests(), nothingLeft);
  });

  behavior(
    "with changes: update sends no request, and finds only a group of the program",
    { ...inModel, existing: "update", settings: { changes: "update" } },
    async (context) => {
      fails(await context.up([lookup(acme)]), /dependsOn.*\[setting-conflict\]/s);
      assert.equal(context.emulator.connections, 0);
      const program = [single("acme", acme), ...ours];
      await context.applies(program);
      assert.deepEqual(context.requests(), ["GET acme created"]);
      assert(await context.isUpToDate(program));
    },
  );

  behavior("of a group of the program sends no request", inModel, async (context) => {
    await context.applies([single("acme", acme), ...ours]);
    assert.deepEqual(context.requests(), ["GET acme created"]);
    const { outputs } = await context.resource("found");
    assert(JSON.stringify(outputs).includes(context.token("acme") ?? "no token"));
  });

  behavior("of its ID in the service, too", inModel, async (context) => {
    const program = [single("acme", { ...acme, overlap: true })];
    await context.applies(program);
    const userGroupId = await context.idOf("acme");
    context.requests();
    await context.applies([...program, lookup({ userGroupId, name: "Ours" })]);
    assert.deepEqual(context.requests(), []);
    const { outputs } = await context.resource("found");
    assert(JSON.stringify(outputs).includes(context.token(userGroupId) ?? "no token"));
  });
});
