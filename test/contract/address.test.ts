/** The address of the service, which the state stores. */
import assert from "node:assert/strict";
import { effectsOf } from "../support/harness/providers";
import { acme, both, inModel, renamed } from "./contract";
import { fails, succeeds } from "./stackContext";

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
});
