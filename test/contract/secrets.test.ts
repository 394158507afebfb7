import assert from "node:assert/strict";
import { markedOf, plainTexts } from "../model/secrets";
import { acme, behavior, behaviorOfBoth, declareEach, declareMany, resource } from "./contract";
import { fails, succeeds, type StackContext } from "./stackContext";

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

/** Old values, none of which the program has as an input any more. */
const old = {
  name: "old-name",
  mapping: { sales: "old-source" },
  properties: { region: "old-region" },
  keepers: { month: "old-month" },
  dataSourceProvidedId: "old-data-source",
};
const changed = { name: "New", mapping: { sales: "new" } };

/** The old values are in the state, and all of them are secrets. */
async function assertOldValuesAreSecret(context: StackContext): Promise<void> {
  assert.equal((await context.group("acme"))?.name, old.name);
  const resources = await context.resources();
  assert.deepEqual(
    resources.flatMap(({ outputs }) => oldTexts(outputs)),
    [],
  );
}

function oldTexts(properties: object) {
  return plainTexts(markedOf(properties)).filter(({ text }) => text.startsWith("old-"));
}

describe("contract: old values in a state are secrets", () => {
  for (const [what, args] of [
    ["was removed", {}],
    ["was changed", { acme: changed }],
  ] as const)
    behavior(`of a group that ${what}, and whose deletion failed`, async (context) => {
      await context.applies(declareMany({ acme: old, other }));
      context.emulator.fault({ kind: "refuse", userGroupId: "acme", times: Infinity });
      fails(await context.up(declareMany({ ...args, other })), /"acme".*\[service-refused\]/s);
      await assertOldValuesAreSecret(context);
    });

  behavior(
    "of a group that a partly failed update created, in the inputs of a refresh",
    async (context) => {
      await context.applies(declareMany({ other }));
      context.emulator.fault({ kind: "refuse", userGroupId: "beta" });
      fails(
        await context.up(declareMany({ acme: old, beta: { name: "Beta" }, other })),
        /\[service-refused\]/,
      );
      succeeds(await context.refresh());
      const [state] = await context.resources();
      assert(state && JSON.stringify(state.inputs).includes("old-name"));
      assert.deepEqual(oldTexts(state.inputs), []);
    },
    { engine: "release" },
  );

  behavior(
    "of a group that stays until another resource has got it",
    async (context) => {
      const giver = (groups: object) => resource("giver", "userGroups", { groups });
      await context.applies([giver({ acme: old, other })]);
      context.emulator.fault({ kind: "refuse", userGroupId: "acme", method: "GET" });
      const taker = resource("taker", "userGroup", { userGroupId: "acme", ...changed });
      // At the same time: the giver doesn't depend on the taker, whose failure would skip it.
      await context.up([taker, giver({ other })], { continuesOnError: true, secondsBetween: 0.1 });
      await assertOldValuesAreSecret(context);
    },
    { engine: "release" },
  );

  behavior(
    "of a group that another resource has as well and has read first, in the inputs of a refresh",
    async (context) => {
      const program = (takers: object, givers: object) => [
        resource("taker", "userGroups", { groups: takers }),
        resource("giver", "userGroups", { groups: givers }),
      ];
      await context.applies(program({ beta: other }, { acme: old, other }));
      const moved = { ...old, mapping: changed.mapping };
      fails(
        await context.up(program({ acme: moved, beta: other }, { other })),
        /"acme".*\[mapping-conflict\]/s,
      );
      context.emulator.rotateToken("acme");
      succeeds(await context.refresh());
      const giver = (await context.resources()).find(({ name }) => name === "giver");
      assert(giver && JSON.stringify(giver.inputs).includes("old-name"));
      assert.deepEqual(oldTexts(giver.inputs), []);
    },
    { drivers: ["provider"] },
  );

  behavior("of a group whose replacement skipped the deletion", async (context) => {
    const retained = (group: object) =>
      declareEach({ acme: group }).map((each) => ({ ...each, retainOnDelete: true }));
    await context.applies(retained(old));
    fails(await context.up(retained(changed)), /\[replacement-retained\]/);
    await assertOldValuesAreSecret(context);
  });
});
