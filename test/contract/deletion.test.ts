import assert from "node:assert/strict";
import { acme, acmeSent, behaviorOfBoth, behaviorOfBothInModel, everyService } from "./contract";
import { fails, succeeds } from "./stackContext";

const beta = { name: "Beta" };
const gone = ["DELETE acme refused", "GET acme created", "DELETE acme deleted"];

describe("contract: deletion", () => {
  behaviorOfBoth(
    "sends the token, the ID and the data source, and leaves other groups alone",
    async (context, declare) => {
      await context.applies(declare({ acme: { ...acme, dataSourceProvidedId: "one" } }));
      context.emulator.putGroup({ userGroupId: "other", name: "Other" });
      const ids = { user_group_id: "acme", data_source_provided_id: "one" };
      const sent = { current_token: context.token("acme"), ...ids };
      context.requests();
      assert.deepEqual(succeeds(await context.destroy()).warnings, []);
      assert.deepEqual(context.bodies(), [sent]);
      assert.deepEqual([...context.emulator.groups.keys()], ["other"]);
    },
  );

  behaviorOfBothInModel(
    "with the API token of another account sends nothing else, and the state stays",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      context.settings["apiToken"] = context.emulator.addAccount().apiToken;
      context.requests();
      fails(await context.destroy(), /user group "acme".*may be in another account.*\[service-refused\]/s);
      assert.deepEqual(context.requests(), ["DELETE acme refused"]);
      assert(await context.group("acme"));
    },
  );

  behaviorOfBoth(
    "that the service refuses is an error with a remedy, and the state stays",
    async (context, declare) => {
      await context.applies(declare({ acme, beta }));
      const { token } = context.emulator.rotateToken("acme");
      context.requests();
      const { errors } = fails(
        await context.destroy(),
        /user group "acme".*pulumi refresh.*\[service-refused\]/s,
      );
      assert.equal(errors.split('user group "acme"').length, 2, errors);
      const requests = context.requests().filter((line) => line.includes("acme"));
      assert.match(requests.join(), /^DELETE acme refused,GET acme (returned|updated)$/);
      assert(await context.group("acme"));
      assert.equal(context.token("acme"), token);
      await context.applies(declare({ acme, beta }));
      succeeds(await context.refresh());
      succeeds(await context.destroy());
      assert.equal(context.emulator.groups.size, 0);
    },
    { services: everyService },
  );

  for (const [how, fault] of [
    ["status 503", { kind: "status", status: 503 }],
    ["a broken connection", { kind: "drop", when: "before" }],
  ] as const)
    for (const by of ["destroy", "removal"])
      behaviorOfBothInModel(
        `by ${by} of a group that somebody else created again fails, although ${how} followed the refusal`,
        async (context, declare) => {
          await context.applies(declare({ acme, beta }));
          const stored = await context.group("acme");
          context.emulator.removeGroup("acme");
          const { token } = context.emulator.putGroup({ userGroupId: "acme", name: "Theirs" });
          context.emulator.fault({ ...fault, userGroupId: "acme", method: "GET" });
          const run = by === "destroy" ? await context.destroy() : await context.up(declare({ beta }));
          fails(run, /user group "acme".*pulumi refresh/s);
          assert.equal(context.token("acme"), token);
          assert.deepEqual(await context.group("acme"), stored);
        },
      );

  behaviorOfBothInModel(
    "without the data source that the service needs says so, and doesn't doubt the token",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      const { errors } = await context.destroy();
      assert.match(errors, /user group "acme".*dataSourceProvidedId.*\[service-refused\]/s);
      assert.doesNotMatch(errors, /stale|pulumi refresh|--refresh/);
      await context.applies(declare({ acme: { ...acme, dataSourceProvidedId: "one" } }));
      succeeds(await context.destroy());
      assert.equal(context.emulator.groups.size, 0);
    },
    { deleteNeeds: ["current_token", "user_group_id", "data_source_provided_id"] },
  );

  behaviorOfBothInModel(
    "reports the refusal if the following get-or-create fails, or the deletion after it",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      for (const [count, fault] of [
        [2, { kind: "status", status: 418, method: "GET" }],
        [3, { kind: "refuse", method: "DELETE", times: 2 }],
      ] as const) {
        context.emulator.removeGroup("acme");
        context.requests();
        context.emulator.fault(fault);
        fails(await context.destroy(), /the service refused \(success 0\) \(status 200 to DELETE /);
        assert.equal(context.requests().length, count);
      }
    },
  );

  behaviorOfBoth(
    "of a group that is gone succeeds, and leaves none",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      context.emulator.renameGroup("acme", "Theirs");
      succeeds(await context.refresh());
      const token = context.token("acme");
      context.emulator.removeGroup("acme");
      context.emulator.clearRequests();
      assert.deepEqual(succeeds(await context.destroy()).warnings, []);
      const [first, lookup, second] = context.bodies();
      assert.deepEqual(first, { current_token: token, user_group_id: "acme" });
      assert.deepEqual(lookup, acmeSent);
      assert.notDeepEqual(first, second);
      assert.deepEqual(context.requests(), gone);
      assert.deepEqual([context.emulator.groups.size, await context.resources()], [0, []]);
    },
    { engine: "release", services: everyService },
  );

  for (const [when, effects] of [
    ["after", ["DELETE acme deleted", ...gone]],
    ["before", ["DELETE acme none", "DELETE acme deleted"]],
  ] as const)
    behaviorOfBothInModel(
      `succeeds if the connection breaks ${when} the effect`,
      async (context, declare) => {
        await context.applies(declare({ acme }));
        context.requests();
        context.emulator.fault({ kind: "drop", when, method: "DELETE" });
        succeeds(await context.destroy());
        assert.deepEqual([context.requests(), context.emulator.groups.size], [effects, 0]);
      },
    );

  behaviorOfBothInModel(
    "takes status 404 for a group that is gone only if get-or-create creates it",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      context.emulator.fault({ kind: "status", status: 404, method: "DELETE" });
      fails(await context.destroy(), /\[not-found\]/);
      assert(context.token("acme"));
      context.emulator.removeGroup("acme");
      context.emulator.fault({ kind: "status", status: 404, method: "DELETE" });
      succeeds(await context.destroy());
      assert.equal(context.emulator.groups.size, 0);
    },
  );
});
