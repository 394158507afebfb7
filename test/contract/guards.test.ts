/** `removed`, `deletionLimit` and `overlap` as guards: they hold whenever groups leave, and no program loses them by omission. */
import assert from "node:assert/strict";
import { unknownValue } from "../../provider/values";
import { acme, behavior, beta, declareEach, declareMany, inModel, many, renamed, single } from "./contract";
import type { Program } from "./drivers";
import { fails, succeeds, warns, type StackContext } from "./stackContext";

const groups = { acme, beta, gamma: beta };
const retain = { removed: "retain" };
const guarded = { ...retain, deletionLimit: 0 };
const other = single("other", { ...beta, userGroupId: "other" });

describe("contract: a guard of a UserGroups", () => {
  behavior(
    'delete, "retained": sends nothing, and a group that comes back is adopted',
    {},
    async (context) => {
      const program = (declared: object) => [many("tenants", declared, retain)];
      await context.applies(program({ acme, beta }));
      const tokens = context.tokens();
      context.requests();
      await context.applies(program({ beta }));
      assert.deepEqual([context.requests(), await context.group("acme")], [[], undefined]);
      await context.applies(program({ acme, beta }));
      assert.deepEqual(await context.tokenAndAdopted("acme"), [tokens["acme"], true]);
      assert.deepEqual(await context.tokenAndAdopted("beta"), [tokens["beta"], false]);
    },
  );

  for (const [how, leave] of [
    ["a destroy", (context: StackContext) => context.destroy()],
    ["a program without the resource", (context: StackContext) => context.up([other])],
  ] as const) {
    behavior(`removed: "retain" holds in ${how}`, {}, async (context) => {
      await context.applies([many("tenants", groups, { ...retain, deletionLimit: 1 }), other]);
      context.requests();
      warns(succeeds(await leave(context)), /^(tenants: )?3 user groups .*\[retained\]$/m);
      assert(!context.requests().some((line) => /DELETE (acme|beta|gamma)/.test(line)));
      for (const userGroupId of Object.keys(groups)) assert(context.token(userGroupId));
      assert.equal(await context.group("acme"), undefined);
    });

    behavior(`deletionLimit holds in ${how}, until an up raises it`, {}, async (context) => {
      const program = (deletionLimit: number) => [many("tenants", groups, { deletionLimit })];
      await context.applies([...program(1), other]);
      context.requests();
      fails(await leave(context), /\b3\b.*"acme", "beta", "gamma".*pulumi up.*\[deletion-limit\]/s);
      assert(!context.requests().some((line) => /DELETE (acme|beta|gamma)/.test(line)));
      await context.applies([...program(3), other]);
      succeeds(await leave(context));
      assert.deepEqual(
        Object.keys(groups).filter((id) => context.token(id)),
        [],
      );
    });
  }

  behavior(
    "holds after a rename by an alias, if another resource takes its former name",
    {},
    async (context) => {
      await context.applies([many("one", groups, guarded)]);
      await context.applies([many("two", groups, guarded, { aliases: ["one"] })]);
      context.requests();
      warns(
        await context.applies([many("one", { other: beta })]),
        /^(tenants: )?3 user groups .*\[retained\]$/m,
      );
      assert.deepEqual(context.requests(), ["GET other created"]);
    },
  );

  behavior(
    "deletionLimit counts no change with overlap, unless its hours are 0",
    inModel,
    async (context) => {
      const program = (values: object, overlapHours?: number) =>
        declareMany({ acme: values, beta }, { overlap: true, deletionLimit: 0, overlapHours });
      await context.applies(program(acme));
      await context.applies(program(renamed));
      assert.equal((await context.formerIds("acme")).length, 1);
      const third = { ...acme, name: "Third" };
      fails(await context.preview(program(third, 0)), /\b1 .*"acme".*\[deletion-limit\]/);
    },
  );
});

describe("contract: a guard that the program drops", () => {
  const changed = { ...groups, acme: renamed };
  const { gamma, ...fewer } = groups;
  const each = { acme, beta };
  const cases: readonly (readonly [string, Program, Program, readonly Program[]])[] = [
    [
      'removed: "retain"',
      [many("tenants", groups, retain)],
      [many("tenants", groups)],
      [[many("tenants", fewer)], [many("tenants", fewer, { removed: null })], [many("tenants", changed)]],
    ],
    [
      "deletionLimit",
      [many("tenants", groups, { deletionLimit: 5 })],
      [many("tenants", groups)],
      [[many("tenants", fewer)], [many("tenants", { ...groups, delta: beta })]],
    ],
    [
      "overlap",
      declareMany(groups, { overlap: true }),
      declareMany(groups),
      [declareMany(changed), declareMany(fewer, { overlapHours: 24 })],
    ],
    [
      "overlap of a UserGroup",
      declareEach(each, { overlap: true }),
      declareEach(each),
      [declareEach({ ...each, acme: renamed })],
    ],
  ];
  for (const [guard, program, withoutGuard, changes] of cases)
    behavior(`${guard}: only the state may change, in the preview and in up`, inModel, async (context) => {
      await context.applies(program);
      const state = await context.resources();
      context.requests();
      for (const change of changes) {
        fails(await context.preview(change), /(removed|deletionLimit|overlap).*\[guard-dropped\]/s);
        for (let runs = 0; runs < 2; runs += 1) fails(await context.up(change), /\[guard-dropped\]/);
      }
      assert.deepEqual([context.requests(), await context.resources()], [[], state]);
      await context.applies(withoutGuard);
      assert.deepEqual(context.requests(), []);
      for (const change of changes) await context.applies(change);
    });

  behavior(
    "is stated by an unknown value, and the preview says that up may refuse",
    inModel,
    async (context) => {
      await context.applies([many("tenants", groups, guarded)]);
      for (const unknown of [{ removed: unknownValue }, { deletionLimit: unknownValue }]) {
        const program = [many("tenants", fewer, { ...guarded, ...unknown })];
        warns(succeeds(await context.preview(program)), /isn't known yet|possibly|may/);
      }
    },
  );
});
