import assert from "node:assert/strict";
import { acme, behaviorOfBoth } from "./contract";
import { fails, succeeds } from "./stackContext";

const tokens = ["token", "tokens"];
const other = { name: "Other" };

describe("contract: secrets", () => {
  behaviorOfBoth(
    "the token is a secret output after each command, and after a failure",
    async (context, declare) => {
      const isSecret = async () => {
        const names = await context.secretOutputs();
        assert(
          tokens.some((name) => names.includes(name)),
          names.join(),
        );
      };
      await context.applies(declare({ acme, other }));
      await isSecret();
      context.emulator.rotateToken("acme");
      succeeds(await context.refresh());
      await isSecret();
      await context.applies(declare({ acme: { ...acme, dataSourceProvidedId: "tab" }, other }));
      await isSecret();
      context.emulator.fault({ kind: "refuse", userGroupId: "beta" });
      fails(await context.up(declare({ acme, other, beta: { name: "Beta" } })), /\[service-refused\]/);
      await isSecret();
    },
  );
});
