/** Groups that `overlap` keeps beside the current one: for how long, and how they leave. */
import assert from "node:assert/strict";
import {
  acme,
  beta,
  both,
  bothInModel,
  declareMany,
  inModel,
  renamed,
  resource,
  single,
  underOtherNames,
  type Declare,
} from "./contract";
import { fails, succeeds, warns, type StackContext } from "./stackContext";

const overlap = { overlap: true };
const day = { ...overlap, overlapHours: 24 };
const third = { ...acme, name: "Third" };

/** Creates the group `acme`, and renames it. Returns the IDs of the former group and of the current one. */
async function rename(
  context: StackContext,
  declare: Declare,
  shared: object = day,
): Promise<[string, string]> {
  await context.applies(declare({ acme, beta }, shared));
  const former = await context.idOf("acme");
  await context.applies(declare({ acme: renamed, beta }, shared));
  context.requests();
  return [former, await context.idOf("acme")];
}

describe("contract: the time of a former group", () => {
  both("is overlapHours, in which no preview or refresh knows of it", async (context, declare) => {
    const [former] = await rename(context, declare);
    const program = (name: string) => declare({ acme: renamed, beta: { name } }, day);
    for (const name of ["One", "Two", "Three"]) {
      const { warnings, infos } = await context.preview(program(name));
      assert.doesNotMatch([...warnings, ...infos].join("\n"), /"acme"/);
      await context.applies(program(name));
    }
    succeeds(await context.refresh());
    assert(await context.isUpToDate(program("Three")));
    assert(!context.requests().some((line) => line.includes(former)));
    assert.deepEqual(await context.formerIds("acme"), [former]);
  });

  both("ends with the first up afterwards, as its preview says", async (context, declare) => {
    const [former, current] = await rename(context, declare);
    const program = declare({ acme: renamed, beta }, day);
    await context.stack.age(23);
    assert(await context.isUpToDate(program));
    await context.stack.age(2);
    const { changes, warnings } = await context.preview(program);
    assert(Object.values(changes).includes("update"));
    assert.match(warnings.join("\n"), /former group.*"acme"|"acme".*former group/s);
    await context.applies(program);
    assert.deepEqual(context.requests(), [`DELETE ${former} deleted`]);
    assert.equal(await context.idOf("acme"), current);
    assert(await context.isUpToDate(program));
  });

  bothInModel("is its own, and the preview of a change says it", async (context, declare) => {
    const [former, current] = await rename(context, declare);
    await context.stack.age(10);
    const program = declare({ acme: third, beta }, day);
    assert.match((await context.preview(program)).warnings.join("\n"), /until .*24 hours|24 hours.* until /s);
    await context.applies(program);
    await context.stack.age(15);
    context.requests();
    await context.applies(program);
    assert.deepEqual(context.requests(), [`DELETE ${former} deleted`]);
    assert.deepEqual(await context.formerIds("acme"), [current]);
  });

  for (const [what, shared, age] of [
    ["a smaller overlapHours", { ...overlap, overlapHours: 0.5 }, 0.6],
    ["overlapHours 0", { ...overlap, overlapHours: 0 }, 0],
    ["overlap: false", { overlapHours: 24 }, 0],
  ] as const)
    bothInModel(`ends by ${what} with the next up`, async (context, declare) => {
      const [former] = await rename(context, declare);
      await context.stack.age(age);
      await context.applies(declare({ acme: renamed, beta }, shared));
      assert.deepEqual(context.requests(), [`DELETE ${former} deleted`]);
    });

  bothInModel("ends with the change that ends overlap, as its preview says", async (context, declare) => {
    const [former, current] = await rename(context, declare);
    const program = declare({ acme: third, beta });
    const { warnings } = await context.preview(program);
    assert.match(warnings.join("\n"), /new token.*(is|are) deleted in the same up/);
    await context.applies(program);
    assert.deepEqual(
      context.requests().sort(),
      ["GET acme created", `DELETE ${former} deleted`, `DELETE ${current} deleted`].sort(),
    );
  });

  bothInModel("may end between a preview and its up", async (context, declare) => {
    const [former] = await rename(context, declare);
    const program = declare({ acme: third, beta }, day);
    assert.match((await context.preview(program)).warnings.join("\n"), /until/);
    await context.stack.age(25);
    await context.applies(program);
    assert.deepEqual(context.requests(), [
      `GET ${await context.idOf("acme")} created`,
      `DELETE ${former} deleted`,
    ]);
  });
});

describe("contract: a former group", () => {
  for (const isPlain of [true, false])
    bothInModel(
      `create, "own former group": is the current one again, with ${isPlain ? "a plain" : "a derived"} ID`,
      async (context, declare) => {
        await context.applies(declare({ acme, beta }, isPlain ? {} : day));
        const first = await context.idOf("acme");
        const token = context.token(first);
        await context.applies(declare({ acme: renamed, beta }, day));
        const second = await context.idOf("acme");
        context.requests();
        const program = declare({ acme, beta }, day);
        assert.match(
          (await context.preview(program)).warnings.join("\n"),
          /"acme".*token of|token of.*"acme"/,
        );
        const { warnings } = await context.applies(program);
        assert.doesNotMatch(warnings.join("\n"), /\[adopted/);
        assert.deepEqual(context.requests(), [`GET ${first} returned`]);
        assert.deepEqual(await context.tokenAndAdopted("acme"), [token, false]);
        assert.deepEqual([await context.idOf("acme"), await context.formerIds("acme")], [first, [second]]);
        assert(await context.isUpToDate(program));
      },
    );

  bothInModel("that is wanted again, but gone, is created with a warning", async (context, declare) => {
    const [former] = await rename(context, declare);
    context.emulator.removeGroup(former);
    warns(await context.applies(declare({ acme, beta }, day)), /"acme".*\[created-again\]/s);
    assert.deepEqual(context.requests(), [`GET ${former} created`]);
  });

  bothInModel("that is somebody else's by now leaves with a warning", async (context, declare) => {
    const [former] = await rename(context, declare, overlap);
    const { token } = context.emulator.rotateToken(former);
    const { warnings } = await context.applies(declare({ acme: renamed, beta }, overlap));
    assert(
      warnings.some((line) => line.includes(`"${former}"`)),
      warnings.join("\n"),
    );
    assert.deepEqual(context.requests(), [`DELETE ${former} refused`, `GET ${former} returned`]);
    assert.deepEqual([context.token(former), await context.formerIds("acme")], [token, []]);
  });

  bothInModel("that can't be deleted fails the up after its change", async (context, declare) => {
    const [former, current] = await rename(context, declare, overlap);
    context.emulator.fault({ kind: "refuse", method: "DELETE", userGroupId: former, times: Infinity });
    const program = declare({ acme: third, beta }, overlap);
    fails(
      await context.up(program),
      new RegExp(`"${former}".*current group isn't affected.*\\[service-refused\\]`, "s"),
    );
    const id = await context.idOf("acme");
    assert.deepEqual(await context.tokenAndAdopted("acme"), [context.token(id), false]);
    assert.deepEqual((await context.formerIds("acme")).sort(), [former, current].sort());
    context.heal();
    await context.applies(program);
    assert.deepEqual(
      context.requests().sort(),
      [`DELETE ${former} deleted`, `DELETE ${current} deleted`].sort(),
    );
    assert(await context.isUpToDate(program));
  });

  bothInModel("isn't read by a refresh", { existing: "update" }, async (context, declare) => {
    const [former, current] = await rename(context, declare);
    succeeds(await context.refresh());
    assert.deepEqual(
      context.requests().sort(),
      [`GET ${current} updated`, `GET ${await context.idOf("beta")} updated`].sort(),
    );
    assert.equal(context.emulator.groups.get(former)?.name, "Acme");
  });

  both("is deleted with its customer, and by a destroy", { engine: "release" }, async (context, declare) => {
    const [former, current] = await rename(context, declare);
    await context.applies(declare({ beta }, day));
    assert.deepEqual(
      context.requests().sort(),
      [`DELETE ${current} deleted`, `DELETE ${former} deleted`].sort(),
    );
    await context.applies(declare({ acme, beta }, day));
    await context.applies(declare({ acme: renamed, beta }, day));
    succeeds(await context.destroy());
    assert.equal(context.emulator.groups.size, 0);
  });

  inModel("is deleted with removed: retain, and the current one stays", async (context) => {
    const shared = { ...day, removed: "retain" };
    const [former, current] = await rename(context, declareMany, shared);
    const { warnings } = await context.applies(declareMany({ beta }, shared));
    assert(
      warnings.some((line) => line.includes(`"${current}"`)),
      warnings.join("\n"),
    );
    assert.deepEqual(context.requests(), [`DELETE ${former} deleted`]);
    assert(context.token(current));
    assert.equal(await context.group("acme"), undefined);
  });
});

describe("contract: a former group of another state", () => {
  bothInModel('delete, "former group in its time": stays until then', async (context, declare) => {
    const [former, current] = await rename(context, declare);
    const program = underOtherNames(declare({ acme: renamed, beta }, day));
    for (let runs = 0; runs < 2; runs += 1) {
      fails(await context.up(program), /"acme".*stays until .*\[move-unconfirmed\]/s);
      assert(context.token(former));
    }
    await context.stack.age(25);
    await context.applies(program);
    assert.deepEqual([context.token(former), context.token(current)], [undefined, context.token(current)]);
    assert(await context.isUpToDate(program));
  });

  inModel('delete, "held as former": leaves', async (context) => {
    const bad = resource("bad", "userGroup", { userGroupId: "bad", ...beta });
    await context.applies([single("one", { ...acme, ...day })]);
    const former = await context.idOf("acme");
    const two = (values: object) => [single("two", { ...values, ...day }), bad];
    context.emulator.fault({ kind: "refuse", userGroupId: "bad" });
    fails(await context.up(two(acme)), /"bad".*\[service-refused\]/s);
    context.requests();
    warns(await context.applies(two(renamed)), /"acme".*\[kept\]/s);
    assert(!context.requests().some((line) => line.startsWith("DELETE")));
    assert(context.token(former));
    assert.deepEqual(await context.formerIds("acme"), [former]);
  });

  bothInModel('delete, "replaced by a new group", of a former group', async (context, declare) => {
    const [former, current] = await rename(context, declare);
    const { token } = context.emulator.rotateToken(former);
    const program = underOtherNames(declare({ acme, beta }, day));
    fails(await context.up(program), /"acme".*\[move-unconfirmed\]/s);
    context.requests();
    await context.applies(program);
    assert.deepEqual(context.requests(), [`DELETE ${current} deleted`]);
    assert.deepEqual([context.token(former), (await context.group("acme"))?.token], [token, token]);
  });
});
