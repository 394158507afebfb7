import assert from "node:assert/strict";
import { userGroup, userGroups } from "../../../provider/src/provider";
import { findRunBy, Run } from "../../../provider/src/provider/claims";
import { inWorld, type World } from "../world";
import { create, many, tokensIn, update } from "./manyGroups";

const tenant = (userGroupId: string) => ({ userGroupId, name: "Tenant" });
const late =
  /^warning: user group "t0" leaves another resource of this program in this update, .* new token\. .*dependsOn.*"retain"\.\n$/;

describe("a group that moves to another resource in one update", () => {
  it(
    "is kept by the update that it leaves, where the other resource has declared it before",
    inRun(async ({ emulator, warnings }) => {
      const { record, former } = await twoGroups(emulator);
      await userGroup.check({}, tenant("t0"));
      await registered(record, { groups: many(2) }, { groups: { t1: { name: "Tenant" } } });
      assert.deepEqual(tokensIn(emulator), former);
      assert.match(warnings.join(""), /"t0" is kept, with its token/);
      assert(!warnings.some((line) => late.test(line)));
    }),
  );

  it(
    "is announced to get another token, where the other resource declares it only after that",
    inRun(async ({ emulator, warnings }) => {
      const { record, former } = await twoGroups(emulator);
      await registered(record, { groups: many(2) }, { groups: { t1: { name: "Tenant" } } });
      await userGroup.check({}, tenant("t0"));
      assert.match(warnings.at(-1) ?? "", late);
      assert.notDeepEqual(tokensIn(emulator), former);
    }),
  );

  it(
    "is announced in one line with the others that move into the same resource",
    inRun(async ({ emulator, warnings }) => {
      const { record } = await twoGroups(emulator);
      await registered(record, { groups: many(2) }, { groups: {} });
      await userGroups.check({}, { groups: { ...many(2), other: { name: "Other" } } });
      assert.match(
        warnings.at(-1) ?? "",
        /^warning: user groups "t0", "t1" leave another resource .* deletes them .* new tokens\./,
      );
    }),
  );

  it(
    "isn't announced where the former resource only forgets it, or stays as it is",
    inRun(async ({ emulator, warnings }) => {
      const { record } = await twoGroups(emulator);
      await registered(
        record,
        { groups: many(2) },
        { groups: { t1: { name: "Tenant" } }, removed: "retain" },
      );
      for (const id of ["t0", "t1"]) await userGroup.check({}, tenant(id));
      assert(!warnings.some((line) => line.includes("leaves another resource")));
    }),
  );
});

async function twoGroups(emulator: World["emulator"]) {
  const record = await create({ groups: many(2) });
  findRunBy(nextRun());
  return { record, former: tokensIn(emulator) };
}

/** What the engine does with a resource that is there. */
async function registered(record: object, olds: object, news: object): Promise<void> {
  await userGroups.check(olds, news);
  await userGroups.diff("user-groups", record, news);
  await update(record, news);
}

function nextRun(): () => Run {
  const run = new Run();
  return () => run;
}

function inRun(test: (world: World) => Promise<void>): () => Promise<void> {
  return inWorld({}, async (world) => {
    findRunBy(nextRun());
    try {
      await test(world);
    } finally {
      findRunBy(() => undefined);
    }
  });
}
