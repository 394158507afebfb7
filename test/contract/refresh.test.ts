import assert from "node:assert/strict";
import { z } from "zod";
import {
  acme,
  acmeSent,
  behavior,
  behaviorOfBoth,
  behaviorOfBothInModel,
  everyService,
  resource,
  returnsStored,
} from "./contract";
import { fails, succeeds, warnsOfCreatedAgain, type StackContext } from "./stackContext";

/** A group that the refresh finds with its token, so that it takes no account for another one. */
const beta = { name: "Beta" };

function bodyOf({ emulator }: StackContext, userGroupId: string): unknown {
  return emulator.requests.find((request) => request.userGroupId === userGroupId)?.body;
}

describe("contract: refresh", () => {
  for (const existed of [true, false])
    behaviorOfBoth(
      `creates a group again that was ${existed ? "adopted" : "created"} and is gone, with a warning, and records its token`,
      async (context, declare) => {
        if (existed) context.emulator.putGroup({ userGroupId: "acme", ...acme });
        await context.applies(declare({ acme, beta }));
        context.emulator.removeGroup("acme");
        context.requests();
        warnsOfCreatedAgain(succeeds(await context.refresh()));
        assert.deepEqual(await context.tokenAndAdopted("acme"), [context.token("acme"), false]);
        assert.deepEqual(bodyOf(context, "acme"), acmeSent);
        assert(await context.isUpToDate(declare({ acme, beta })));
      },
      { services: everyService, isInModel: existed },
    );

  behaviorOfBothInModel(
    "stores the token of a group that somebody else created again, which counts as adopted, with a warning",
    async (context, declare) => {
      await context.applies(declare({ acme, beta }));
      const { token } = context.emulator.rotateToken("acme");
      const { warnings } = succeeds(await context.refresh());
      assert.match(warnings.join("\n"), /^user group "acme" .*another token.*somebody else/s);
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, true]);
    },
    { services: everyService },
  );

  behaviorOfBoth(
    "records a drift as outputs and inputs until it is undone",
    async (context, declare, service) => {
      await context.applies(declare({ acme }));
      const state = await context.resources();
      const theirs = { name: "Theirs", properties: { region: "us" } };
      context.emulator.putGroup({ userGroupId: "acme", ...theirs });
      succeeds(await context.refresh());
      const shown = returnsStored(service) ? theirs : acme;
      const { name, properties } = (await context.group("acme")) ?? {};
      assert.deepEqual([name, properties], [shown.name, shown.properties]);
      const inputs = JSON.stringify((await context.resources()).map((each) => each.inputs));
      assert.equal(inputs.includes("Theirs"), returnsStored(service));
      context.emulator.putGroup({ userGroupId: "acme", ...acme });
      succeeds(await context.refresh());
      assert.deepEqual(await context.resources(), state);
    },
    { services: everyService, drivers: ["provider"] },
  );

  behaviorOfBothInModel(
    "sends a drift that the program has taken over, if the group is gone",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      const theirs = { ...acme, name: "Theirs" };
      context.emulator.renameGroup("acme", "Theirs");
      succeeds(await context.refresh());
      await context.applies(declare({ acme: theirs, beta }));
      context.emulator.removeGroup("acme");
      succeeds(await context.refresh());
      assert.equal(context.emulator.groups.get("acme")?.name, "Theirs");
      assert(await context.isUpToDate(declare({ acme: theirs, beta })));
    },
  );

  behavior(
    "that creates a group again for one of two states ends what the other one knows, also with a reused token",
    async (context) => {
      const program = (name: string, sales: string) => [
        resource(name, "userGroup", { userGroupId: "acme", name: "Acme", mapping: { sales } }),
      ];
      await context.applies(program("first", "one"));
      fails(await context.up(program("second", "two")), /"acme".*\[mapping-conflict\]/s);
      context.emulator.removeGroup("acme");
      succeeds(await context.refresh());
      const { mapping } = context.emulator.groups.get("acme") ?? {};
      assert.deepEqual(mapping, { sales: "two" });
      for (const { outputs } of await context.resources())
        assert.deepEqual(z.object({ mapping: z.unknown() }).parse(outputs).mapping, mapping);
    },
    { drivers: ["provider"], newToken: (userGroupId) => `token-of-${userGroupId}` },
  );

  for (const [fault, code] of [
    [{ kind: "status", status: 404 }, "not-found"],
    [{ kind: "status", status: 403 }, "unauthorized"],
    [{ kind: "status", status: 418 }, "unexpected-status"],
    [{ kind: "refuse", status: 404 }, "service-refused"],
  ] as const)
    behaviorOfBoth(
      `fails with ${code}, and the state stays`,
      async (context, declare) => {
        await context.applies(declare({ acme }));
        const state = await context.resources();
        context.emulator.fault(fault);
        fails(await context.refresh(), new RegExp(`"acme".*\\[${code}\\]`));
        assert.deepEqual(await context.resources(), state);
        succeeds(await context.refresh());
      },
      { drivers: ["provider"] },
    );
});
