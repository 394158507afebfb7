import assert from "node:assert/strict";
import { many, tokensOf } from "../harness/providers";
import { groupsOf } from "../model/groups";
import { declareMany, inModel } from "./contract";
import { fails } from "./stackContext";

describe("contract: a cancelled update", () => {
  inModel(
    "starts no further request, and the next up does the rest",
    { settings: { maxConnections: "1" } },
    async (context) => {
      let cancelled: Promise<void> | undefined;
      context.emulator.configure({
        latency: 50,
        normalize: (values) => {
          if (context.emulator.groups.size === 2) cancelled = context.stack.cancel();
          return values;
        },
      });
      const program = declareMany(many(6));
      fails(await context.up(program), /0 user groups failed, and \d were not tried.*Not tried: "t\d"/s);
      await cancelled;
      const { size } = context.emulator.groups;
      assert(size < 6, `${size} groups`);
      const done = groupsOf(await context.resource("tenants"));
      assert.deepEqual(
        Object.fromEntries(done.map(({ userGroupId, token }) => [userGroupId, token])),
        tokensOf(context.emulator),
      );
      context.emulator.configure({ latency: 0, normalize: (values) => values });
      context.requests();
      await context.applies(program);
      assert.equal(context.requests().length, 6 - size);
    },
  );
});
