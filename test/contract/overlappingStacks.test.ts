import assert from "node:assert/strict";
import { acme, behaviorOfBoth } from "./contract";
import { fails, succeeds, warnsOfCreatedAgain } from "./stackContext";

const own = { name: "Own" };

describe("contract: two stacks with one group", () => {
  behaviorOfBoth(
    "the second adopts it, and deletes it although the first has it",
    async (first, declare) => {
      const second = await first.otherStack();
      await first.applies(declare({ acme, own }));
      const token = first.token("acme");
      const { warnings } = await second.applies(declare({ acme }));
      assert.match(warnings.join("\n"), /existed before/);
      for (const context of [first, second]) assert.equal((await context.group("acme"))?.token, token);
      succeeds(await second.destroy());
      assert(await first.isUpToDate(declare({ acme, own })));
      warnsOfCreatedAgain(succeeds(await first.refresh()));
      assert.deepEqual(await first.tokenAndAdopted("acme"), [first.token("acme"), false]);
    },
    { engine: "release" },
  );

  behaviorOfBoth(
    "a replacement by the second leaves the first a stale token, which a refresh repairs",
    async (first, declare) => {
      const second = await first.otherStack();
      await first.applies(declare({ acme, own }));
      await second.applies(declare({ acme: { ...acme, name: "Theirs" } }));
      await second.applies(declare({ acme: { ...acme, name: "Theirs" } }));
      fails(await first.destroy(), /pulumi refresh.*\[service-refused\]/s);
      assert.equal(first.emulator.groups.get("acme")?.name, "Theirs");
      await first.applies(declare({ acme, own }));
      succeeds(await first.refresh());
      succeeds(await first.destroy());
      assert.equal(first.emulator.groups.size, 0);
    },
    { drivers: ["provider", "plugin"] },
  );
});
