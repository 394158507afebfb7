import assert from "node:assert/strict";
import { z } from "zod";
import { effectsOf, many } from "../harness/providers";
import type { Declared } from "../model/resources";
import { behavior, behaviorOfBoth, declareMany, resource, type Declare } from "./contract";
import { fails, succeeds, type StackContext } from "./stackContext";

const acme = {
  name: "Acme",
  mapping: { sales: "one" },
  properties: { region: "eu" },
  keepers: { month: "1" },
};
const renamed = { ...acme, name: "New" };
const beta = { name: "Beta" };
const overlap = { overlap: true };
const inProcess = ["provider", "plugin"] as const;

const kept = z.object({ providedId: z.string(), token: z.string() });
const outputsOfOne = z.object({ providedId: z.string(), former: kept.optional() });
const outputsOfMany = z.object({
  providedIds: z.record(z.string(), z.string()),
  former: z.record(z.string(), kept).default({}),
});

/** The ID that the service has for the group, and the former group. */
async function inState(context: StackContext, id = "acme"): Promise<z.infer<typeof outputsOfOne>> {
  const [{ outputs } = assert.fail("no resource")] = await context.resources();
  if (!("groups" in outputs)) return outputsOfOne.parse((await context.resource(id)).outputs);
  const { providedIds, former } = outputsOfMany.parse(outputs);
  return { providedId: providedIds[id] ?? id, former: former[id] };
}

/** Creates the group `acme`, and renames it: the service has `acme~2` beside it. */
async function rename(context: StackContext, declare: Declare, shared: object = overlap): Promise<void> {
  await context.applies(declare({ acme, beta }, shared));
  await context.applies(declare({ acme: renamed, beta }, shared));
  context.requests();
}

/** The same resources, renamed without an alias. */
function underOtherNames(program: readonly Declared[]): Declared[] {
  return program.map((declared) => ({ ...declared, name: `${declared.name}-2` }));
}

describe("contract: overlap", () => {
  for (const [what, change] of Object.entries({
    name: { name: "New" },
    mapping: { mapping: { sales: "two" } },
    properties: { properties: { region: "us" } },
    keepers: { keepers: { month: "2" } },
  }))
    behaviorOfBoth(
      `a change of ${what} creates a group beside the former one, which the next up deletes, as the previews say`,
      async (context, declare) => {
        await context.applies(declare({ acme, beta }, overlap));
        const token = context.token("acme");
        context.requests();
        const program = declare({ acme: { ...acme, ...change }, beta }, overlap);
        const preview = await context.preview(program);
        assert.deepEqual(
          Object.values(preview.changes).filter((each) => each !== "same"),
          ["update"],
        );
        assert.match(
          preview.warnings.join("\n"),
          new RegExp(
            `^user group "acme" gets a new token, because its ${what} changes?\\. Its former group stays until the next up\\. \\[new-token\\]$|` +
              '^user groups in this change: 1 to get a new token, while their former groups stay until the next up \\("acme"\\)\\. \\[planned-changes\\]$',
          ),
        );
        await context.applies(program);
        assert.deepEqual(context.requests(), ["GET acme~2 created"]);
        assert.deepEqual(await context.tokenAndAdopted("acme"), [context.token("acme~2"), false]);
        const former = { providedId: "acme", token };
        assert.deepEqual(await inState(context), { providedId: "acme~2", former });
        assert((await context.secretOutputs()).includes("former"));
        const next = await context.preview(program);
        assert.match(
          next.warnings.join("\n"),
          /"acme".*former group is deleted|to lose the former group.* \("acme"\)/,
        );
        await context.applies(program);
        assert.deepEqual(context.requests(), ["DELETE acme deleted"]);
        const { providedId, former: left } = await inState(context);
        assert.deepEqual([providedId, left], ["acme~2", undefined]);
        assert(await context.isUpToDate(program));
      },
      { drivers: what === "name" ? undefined : inProcess },
    );

  behaviorOfBoth("a failed creation changes nothing, and the next up does it", async (context, declare) => {
    await context.applies(declare({ acme, beta }, overlap));
    const [state, token] = [await inState(context), context.token("acme")];
    context.emulator.fault({ kind: "refuse", method: "GET", userGroupId: "acme~2" });
    fails(
      await context.up(declare({ acme: renamed, beta }, overlap)),
      /user group "acme".*\[service-refused\]/,
    );
    assert.deepEqual(await context.tokenAndAdopted("acme"), [token, false]);
    assert.deepEqual([await inState(context), context.emulator.groups.get("acme")?.name], [state, "Acme"]);
    context.requests();
    await context.applies(declare({ acme: renamed, beta }, overlap));
    assert.deepEqual(context.requests(), ["GET acme~2 created"]);
  });

  behaviorOfBoth(
    "switched on and off sends no request and keeps the group",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      context.requests();
      for (const shared of [overlap, {}, overlap]) await context.applies(declare({ acme }, shared));
      assert.deepEqual(context.requests(), []);
      await context.applies(declare({ acme: renamed }, overlap));
      await context.applies(declare({ acme: renamed }, overlap));
      const token = context.token("acme~2");
      context.requests();
      for (const shared of [{}, overlap]) await context.applies(declare({ acme: renamed }, shared));
      assert.deepEqual([context.requests(), await context.tokenAndAdopted("acme")], [[], [token, false]]);
      await context.applies(declare({ acme }));
      assert.deepEqual(context.requests(), ["DELETE acme~2 deleted", "GET acme created"]);
      assert.equal((await inState(context)).providedId, "acme");
    },
    { engine: "release" },
  );

  behaviorOfBoth(
    "an ID that another customer has, or a group that no state has, is skipped and named",
    async (context, declare) => {
      const others = { "acme~2": { name: "Two" }, beta };
      context.emulator.putGroup({ userGroupId: "acme~3", name: "Left by a killed up" });
      const left = context.token("acme~3");
      await context.applies(declare({ ...others, acme }, overlap));
      context.requests();
      const changed = { "acme~2": { name: "Changed" }, beta };
      const { warnings } = await context.applies(declare({ ...changed, acme: renamed }, overlap));
      assert.match(
        warnings.join("\n"),
        /^user group "acme~3" exists in the service, and no resource declared so far has it\./m,
      );
      assert.deepEqual(context.requests().sort(), [
        "GET acme~2~2 created",
        "GET acme~3 returned",
        "GET acme~4 created",
      ]);
      succeeds(await context.destroy());
      assert.deepEqual(context.tokens(), { "acme~3": left });
    },
    { engine: "release" },
  );
});

describe("contract: a group with a suffix", () => {
  behaviorOfBoth(
    "is refreshed by its ID in the service, created again under it, and its drift is repaired",
    async (context, declare) => {
      await rename(context, declare);
      context.emulator.removeGroup("acme~2");
      const { warnings } = succeeds(await context.refresh());
      assert.match(warnings.join("\n"), /^user group "acme" .*created again.*new token/s);
      assert.deepEqual(context.requests().sort(), [
        "GET acme returned",
        "GET acme~2 created",
        "GET beta returned",
      ]);
      assert.deepEqual(await context.tokenAndAdopted("acme"), [context.token("acme~2"), false]);
      assert.equal((await inState(context)).former?.token, context.token("acme"));
      const program = declare({ acme: renamed, beta }, overlap);
      await context.applies(program);
      context.emulator.renameGroup("acme~2", "Theirs");
      succeeds(await context.refresh());
      assert.equal((await context.group("acme"))?.name, "Theirs");
      context.requests();
      await context.applies(program);
      assert.deepEqual(context.requests(), ["GET acme~3 created"]);
    },
  );

  behaviorOfBoth(
    "with a token of somebody else counts as adopted after a refresh",
    async (context, declare) => {
      await rename(context, declare);
      const { token } = context.emulator.rotateToken("acme~2");
      succeeds(await context.refresh());
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, true]);
      succeeds(await context.destroy());
      assert.equal(context.emulator.groups.size, 0);
    },
    { drivers: inProcess },
  );

  behaviorOfBoth(
    "keeps its former group that has another token: a failed up records it, for a destroy a refresh does",
    async (context, declare) => {
      await rename(context, declare);
      const program = declare({ acme: renamed, beta }, overlap);
      const { token } = context.emulator.rotateToken("acme");
      fails(
        await context.up(program),
        /"acme".*the former group.*has that token now. Run the same command again.*\[service-refused\]/s,
      );
      assert.deepEqual((await inState(context)).former, { providedId: "acme", token });
      const { token: another } = context.emulator.rotateToken("acme");
      fails(await context.destroy(), /"acme".*Run pulumi refresh, then run the same command again/s);
      succeeds(await context.refresh());
      assert.equal((await inState(context)).former?.token, another);
      succeeds(await context.destroy());
      assert.equal(context.emulator.groups.size, 0);
    },
    { drivers: inProcess },
  );

  behaviorOfBoth(
    "loses its former group that is gone in a refresh, except in another account",
    async (context, declare) => {
      await rename(context, declare);
      const { former } = await inState(context);
      context.emulator.removeGroup("acme");
      const another = context.emulator.addAccount();
      for (const userGroupId of ["acme~2", "beta"]) another.putGroup({ userGroupId, name: "Theirs" });
      const { apiToken } = context.settings;
      context.settings["apiToken"] = another.apiToken;
      await context.refresh();
      assert.deepEqual((await inState(context)).former, former);
      assert.deepEqual([...another.groups.keys()], ["acme~2", "beta"]);
      Object.assign(context.settings, { apiToken });
      context.requests();
      succeeds(await context.refresh());
      assert.equal((await inState(context)).former, undefined);
      assert.deepEqual(context.requests().sort(), [
        "DELETE acme deleted",
        "GET acme created",
        "GET acme~2 returned",
        "GET beta returned",
      ]);
    },
    { drivers: inProcess },
  );

  behaviorOfBoth(
    "is deleted with its former group when its customer leaves",
    async (context, declare) => {
      await rename(context, declare);
      await context.applies(declare({ beta }, overlap));
      assert.deepEqual(context.requests(), ["DELETE acme deleted", "DELETE acme~2 deleted"]);
    },
    { engine: "release" },
  );

  behavior(
    "is released with its former group by removed: retain, without a request",
    async (context) => {
      const shared = { ...overlap, removed: "retain" };
      await rename(context, declareMany, shared);
      const tokens = context.tokens();
      await context.applies(declareMany({ beta }, shared));
      assert.deepEqual([context.requests(), context.tokens()], [[], tokens]);
      assert.equal(await context.group("acme"), undefined);
    },
    { engine: "release" },
  );

  behavior("changes beside retainOnDelete, which keeps both groups", async (context) => {
    const program = (args: object) => [
      resource("acme", "userGroup", { userGroupId: "acme", ...args, ...overlap }, { retainOnDelete: true }),
    ];
    await context.applies(program(acme));
    await context.applies(program(renamed));
    context.requests();
    succeeds(await context.destroy());
    assert.deepEqual([context.requests(), Object.keys(context.tokens())], [[], ["acme", "acme~2"]]);
  });

  behavior(
    "moves to another ID or service under a new ID, and leaves nothing behind",
    async (context) => {
      const { baseUrl, apiToken } = context.emulator;
      for (const [name, url] of Object.entries({ a: baseUrl, b: context.other.baseUrl }))
        Object.assign(context.settings, { [`${name}.baseUrl`]: url, [`${name}.apiToken`]: apiToken });
      const program = (connection: string, userGroupId: string, args: object) => [
        resource("acme", "userGroup", { userGroupId, ...args, connection, ...overlap }),
      ];
      await context.applies(program("a", "acme", acme));
      await context.applies(program("a", "acme", renamed));
      await context.applies(program("a", "other", renamed));
      await context.applies(program("a", "other", acme));
      assert.deepEqual(Object.keys(context.tokens()), ["other", "other~2"]);
      await context.applies(program("b", "other", acme));
      assert.deepEqual([context.tokens(), [...context.other.groups.keys()]], [{}, ["other"]]);
    },
    { engine: "release", drivers: ["provider", "engine"] },
  );

  behaviorOfBoth(
    "moves with formerBaseUrl, and its former group is deleted there",
    async (context, declare) => {
      await rename(context, declare);
      const { emulator, other, settings } = context;
      for (const { userGroupId, name, mapping, properties, token } of emulator.groups.values()) {
        other.putGroup({ userGroupId, name, ...(mapping && { mapping }), ...(properties && { properties }) });
        other.rotateToken(userGroupId, token);
      }
      Object.assign(settings, { baseUrl: other.baseUrl, formerBaseUrl: emulator.baseUrl });
      succeeds(await context.refresh());
      await context.applies(declare({ acme: renamed, beta }, overlap));
      assert.deepEqual(effectsOf(other).sort(), [
        "DELETE acme deleted",
        "GET acme returned",
        "GET acme~2 returned",
        "GET beta returned",
      ]);
      assert.deepEqual(context.requests(), []);
    },
    { engine: "release" },
  );

  behaviorOfBoth(
    "is updated under its ID in the service with changes: update, and only keepers create a group",
    async (context, declare) => {
      const rotated = { ...acme, keepers: { month: "2" } };
      await context.applies(declare({ acme }, overlap));
      await context.applies(declare({ acme: rotated }, overlap));
      context.requests();
      await context.applies(declare({ acme: { ...rotated, name: "New" } }, overlap));
      assert.deepEqual(context.requests(), ["DELETE acme deleted", "GET acme~2 updated"]);
      assert.deepEqual(await context.tokenAndAdopted("acme"), [context.token("acme~2"), false]);
      assert.equal(context.emulator.groups.get("acme~2")?.name, "New");
    },
    { engine: "release", existing: "update", settings: { changes: "update" } },
  );

  behaviorOfBoth(
    "keeps its ID in the service with another name of the resource",
    async (context, declare) => {
      await rename(context, declare);
      const program = declare({ acme: renamed, beta }, overlap).map((declared) => ({
        ...declared,
        name: `${declared.name}-2`,
        aliases: [declared.name],
      }));
      const token = context.token("acme~2");
      await context.applies(program);
      assert.deepEqual(context.requests(), ["DELETE acme deleted"]);
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, false]);
    },
    { engine: "release" },
  );
});

describe("contract: a group with a suffix and other resources", () => {
  behaviorOfBoth(
    "doesn't lose its group to a resource that got the former one: a rename without an alias fails, and the former program ends it",
    async (context, declare) => {
      await rename(context, declare);
      const program = declare({ acme: renamed, beta }, overlap);
      const tokens = context.tokens();
      fails(
        await context.up(underOtherNames(program)),
        /"acme".*its former one after a change with overlap.*\[mapping-conflict\]/s,
      );
      assert.deepEqual(context.tokens(), tokens);
      succeeds(await context.refresh());
      await context.applies(program);
      assert.deepEqual(await context.tokenAndAdopted("acme"), [tokens["acme~2"], false]);
    },
  );

  for (const [what, isSettled, changed] of [
    ["after the next up", true, renamed],
    ["with other keepers, which the message names", false, { ...renamed, keepers: { month: "2" } }],
  ] as const)
    behaviorOfBoth(
      `isn't deleted for a resource without an alias before applications have its new token: ${what}`,
      async (context, declare) => {
        await rename(context, declare);
        const program = (acme: object) => underOtherNames(declare({ acme, beta }, overlap));
        if (isSettled) await context.applies(declare({ acme: renamed, beta }, overlap));
        else fails(await context.up(program(renamed)), /keepers.*\[mapping-conflict\]/s);
        const token = context.token("acme~2");
        const { errors } = await context.up(program(changed));
        assert.match(
          errors,
          /"acme".*Deliver the new token, then run the same command again.*\[move-unconfirmed\]/s,
        );
        assert.equal(context.token("acme~2"), token);
        const current = (await context.tokenAndAdopted("acme"))[0];
        await context.applies(program(changed));
        assert.deepEqual(context.tokens()["acme~2"], undefined);
        assert(Object.values(context.tokens()).includes(String(current)));
      },
      { drivers: inProcess },
    );

  behaviorOfBoth(
    "isn't left for a group in another account",
    async (context, declare) => {
      await context.applies(declare({ acme, beta }, overlap));
      const { settings } = context;
      const { apiToken } = settings;
      const account = context.emulator.addAccount();
      settings["apiToken"] = account.apiToken;
      fails(await context.up(declare({ acme: renamed, beta }, overlap)), /"acme".*\[nothing-found\]/s);
      assert.equal(account.groups.size, 0);
      settings["apiToken"] = apiToken ?? context.emulator.apiToken;
      await context.applies(declare({ acme: renamed, beta }, overlap));
      assert.deepEqual(Object.keys(context.tokens()).sort(), ["acme", "acme~2", "beta"]);
    },
    { drivers: inProcess },
  );

  behavior("keeps its ID in the service if it moves from a state that is known", async (context) => {
    const shared = { ...overlap, removed: "retain" };
    await rename(context, declareMany, shared);
    await context.applies(declareMany({ acme: renamed, beta }, shared));
    const token = context.token("acme~2");
    context.requests();
    await context.applies([
      ...declareMany({ beta }, shared),
      resource("acme", "userGroup", { userGroupId: "acme", ...renamed, ...overlap }),
    ]);
    assert.deepEqual(context.requests(), ["GET acme~2 returned"]);
    assert.deepEqual(await context.tokenAndAdopted("acme"), [token, false]);
  });

  behaviorOfBoth("isn't shared with a customer of the program who has its ID", async (context, declare) => {
    await rename(context, declare);
    const tokens = context.tokens();
    for (const groups of [
      { acme: renamed, beta, "acme~2": renamed },
      { "acme~2": renamed, acme: renamed, beta },
    ]) {
      const taken = /ID "acme~2" to user group "acme".*\[overlap-id-taken\]/s;
      fails(await context.preview(declare(groups, overlap)), taken);
      fails(await context.up(declare(groups, overlap)), taken);
    }
    assert.equal(context.tokens()["acme~2"], tokens["acme~2"]);
  });

  behavior(
    "fails for a customer who has its next ID and is declared after it, and a refresh restores the customer's values",
    async (context) => {
      const program = (values: object) => [
        resource("acme", "userGroup", { userGroupId: "acme", ...values, ...overlap }),
        resource("other", "userGroup", { userGroupId: "acme~2", ...beta }, { dependsOn: ["acme"] }),
      ];
      await context.applies(program(acme));
      fails(
        await context.up(program(renamed)),
        /user group "acme~2" was requested by.*"acme".*\[overlap-id-taken\]/s,
      );
      succeeds(await context.refresh());
      await context.applies(program(renamed));
      assert.equal(context.emulator.groups.get("acme~2")?.name, beta.name);
      assert.equal(context.emulator.groups.get("acme~3")?.name, renamed.name);
    },
    { existing: "update", drivers: inProcess },
  );

  behavior("follows deletionLimit, which the resource in its place may raise", async (context) => {
    const program = (name: string, deletionLimit: number) =>
      declareMany(many(2, { name }), { ...overlap, deletionLimit });
    for (const each of ["Old", "New", "New"]) await context.applies(program(each, 2));
    await context.applies(program("New", 0));
    fails(
      await context.up(underOtherNames(program("New", 0))),
      /No group was deleted\..*\[deletion-limit\]/s,
    );
    assert.deepEqual(Object.keys(context.tokens()).sort(), ["t0", "t0~2", "t1", "t1~2"]);
    await context.applies(underOtherNames(program("New", 2)));
    assert.deepEqual(Object.keys(context.tokens()).sort(), ["t0", "t1"]);
  });

  behavior("isn't left in the service by removed: retain while its former group is used", async (context) => {
    const shared = { ...overlap, removed: "retain" };
    await rename(context, declareMany, shared);
    const program = declareMany({ acme: renamed, beta }, shared);
    fails(await context.up(underOtherNames(program)), /"acme".*\[mapping-conflict\]/s);
    const states = await context.resources();
    assert(states.some(({ outputs }) => JSON.stringify(outputs).includes("acme~2")));
  });

  behavior("stays without its former group if only the deletion of that one succeeds", async (context) => {
    await rename(context, declareMany);
    context.emulator.fault({ kind: "refuse", method: "DELETE", userGroupId: "acme~2" });
    fails(await context.up(declareMany({ beta }, overlap)), /"acme".*\[service-refused\]/s);
    assert.deepEqual(await inState(context), { providedId: "acme~2", former: undefined });
  });

  behavior("is named by its ID in the service if removed: retain leaves it there", async (context) => {
    const shared = { ...overlap, removed: "retain" };
    await rename(context, declareMany, shared);
    await context.applies(declareMany({ acme: renamed, beta }, shared));
    const program = declareMany({ acme: renamed, beta }, shared);
    const { warnings } = await context.applies(underOtherNames(program));
    assert.match(warnings.join("\n"), /user group "acme~2": it stays in the service.*\[retained\]/);
  });

  behaviorOfBoth(
    "that a request without a response may have created is named, and the change can be taken back",
    async (context, declare) => {
      await context.applies(declare({ acme, beta }, overlap));
      const lost = { method: "GET", userGroupId: "acme~2", times: Infinity } as const;
      context.emulator.fault({ kind: "drop", when: "after", ...lost });
      fails(
        await context.up(declare({ acme: renamed, beta }, overlap)),
        /User group "acme~2" may exist in the service now, and no state has it\..*\[connection-failed\]/s,
      );
      context.emulator.clearFaults();
      context.requests();
      await context.applies(declare({ acme, beta }, overlap));
      assert.deepEqual(context.requests(), []);
    },
    { drivers: inProcess },
  );
});

describe("contract: overlap of several groups", () => {
  behavior("of which one fails keeps the state of each, and the next up does the rest", async (context) => {
    await context.applies(declareMany(many(3), overlap));
    const former = context.tokens();
    const program = declareMany(many(3, { name: "New" }), overlap);
    context.emulator.fault({ kind: "refuse", method: "GET", userGroupId: "t1~2" });
    fails(
      await context.up(program),
      /1 user group failed.*\[partial-failure\]/s,
      /"t1".*\[service-refused\]/,
    );
    for (const [id, providedId] of Object.entries({ t0: "t0~2", t1: "t1", t2: "t2~2" }))
      assert.deepEqual(await context.tokenAndAdopted(id), [context.token(providedId), false]);
    assert.equal((await inState(context, "t0")).former?.token, former["t0"]);
    context.requests();
    await context.applies(program);
    assert.deepEqual(context.requests().sort(), [
      "DELETE t0 deleted",
      "DELETE t2 deleted",
      "GET t1~2 created",
    ]);
    await context.applies(program);
    assert.deepEqual(Object.keys(context.tokens()).sort(), ["t0~2", "t1~2", "t2~2"]);
  });

  behavior(
    "counts the customers who get a new token for deletionLimit",
    async (context) => {
      const program = (name: string) => declareMany(many(3, { name }), { ...overlap, deletionLimit: 2 });
      await context.applies(program("Old"));
      fails(await context.preview(program("New")), /"t0", "t1", "t2".*\[deletion-limit\]/);
    },
    { engine: "release" },
  );
});
