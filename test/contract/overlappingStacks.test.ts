import assert from "node:assert/strict";
import { acme, beta, both } from "./contract";
import { succeeds, warns, warnsOfCreatedAgain } from "./stackContext";

describe("contract: two stacks with one group", () => {
  both(
    "the second adopts it, and deletes it although the first has it",
    { engine: "release" },
    async (first, declare) => {
      const second = await first.otherStack();
      await first.applies(declare({ acme, beta }));
      const token = first.token("acme");
      warns(await second.applies(declare({ acme })), /\[adopted\]/);
      for (const context of [first, second]) assert.equal((await context.group("acme"))?.token, token);
      succeeds(await second.destroy());
      assert(await first.isUpToDate(declare({ acme, beta })));
      warnsOfCreatedAgain(succeeds(await first.refresh()));
      assert.deepEqual(await first.tokenAndAdopted("acme"), [first.token("acme"), false]);
    },
  );
});
