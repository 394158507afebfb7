/** Changes with `overlap`: the group gets a new ID in the service, and the former one stays for a while. `histories` combines them. */
import assert from "node:assert/strict";
import {
  acme,
  behavior,
  beta,
  both,
  declareMany,
  type Declare,
  inModel,
  many,
  renamed,
  single,
  underOtherNames,
} from "./contract";
import { aged } from "./drivers";
import { fails, succeeds, warns, type StackContext } from "./stackContext";

const overlap = { overlap: true };
const day = { ...overlap, overlapHours: 24 };
const none = { ...overlap, overlapHours: 0 };
const derived = /^acme~[0-9a-f]{8}$/;

/** Creates the groups `acme` and `beta`, and renames `acme`. Returns the IDs of the former group and of the current one. */
async function rename(
  context: StackContext,
  declare: Declare,
  shared: object = day,
): Promise<[former: string, current: string]> {
  await context.applies(declare({ acme, beta }, shared));
  const former = await context.idOf("acme");
  await context.applies(declare({ acme: renamed, beta }, shared));
  context.requests();
  return [former, await context.idOf("acme")];
}

describe("contract: overlap", () => {
  behavior("removed: retain keeps former groups in their time in the service", {}, async (context) => {
    const program = (groups: object) => [many("tenants", groups, { ...day, removed: "retain" })];
    const ids: string[] = [];
    for (const name of ["One", "Two", "Three"]) {
      await context.applies(program({ acme: { name }, beta: name === "Three" ? renamed : beta }));
      ids.push(await context.idOf("acme"));
      await context.stack.rewrite(aged(20));
    }
    const [over = "", former = "", current = ""] = ids;
    context.requests();
    warns(
      await context.preview(program({})),
      /1 to lose former groups \("acme"\)/,
      /2 to remove from the state only/,
    );
    const { warnings } = await context.applies(program({ beta: renamed }));
    for (const named of [`${current}".*`, `${former}".*20\\d\\d-\\d\\d-.*`])
      assert.match(warnings.join("\n"), new RegExp(`"${named}\\[retained\\]`));
    assert.deepEqual(context.requests(), [`DELETE ${over} deleted`]);
  });

  behavior("a former group stays for 24 hours, also after a failure in part", inModel, async (context) => {
    const program = (name: string) =>
      declareMany({ acme: { name }, beta: { name }, gamma: { name } }, overlap);
    await context.applies(program("One"));
    context.emulator.fault({ kind: "refuse", method: "GET", skip: 2 });
    fails(await context.up(program("Two")), /1 user group failed|\[service-refused\]/);
    context.requests();
    await context.applies(program("Two"));
    assert.match(context.requests().join(), /^GET (acme|beta|gamma)~\w+ created$/);
    assert.equal((await context.formerIds("acme")).length, 1);
    assert.equal(context.emulator.groups.size, 6);
    assert(await context.isUpToDate(program("Two")));
  });

  behavior("overlapHours: 0 of one group ends its time, and no other's", {}, async (context) => {
    const program = (groups: Record<string, object>) => declareMany(groups, overlap);
    await context.applies(program({ acme, beta }));
    await context.applies(program({ acme, beta: renamed }));
    const leaked = await context.idOf("acme");
    const rotated = program({ acme: { ...acme, keepers: { leak: "1" }, overlapHours: 0 }, beta: renamed });
    warns(await context.preview(rotated), /"acme".*until the next up|until the next up.*"acme"/);
    await context.applies(rotated);
    context.requests();
    warns(await context.preview(rotated), /1 to lose former groups \("acme"\)/);
    await context.applies(rotated);
    assert.deepEqual(context.requests(), [`DELETE ${leaked} deleted`]);
    assert.equal((await context.formerIds("beta")).length, 1);
    assert(await context.isUpToDate(rotated));
  });

  both("creates a group; with hours 0, the next up deletes the former one", {}, async (context, declare) => {
    await context.applies(declare({ acme, beta }, none));
    const former = await context.idOf("acme");
    assert.match(former, derived);
    const token = context.token(former);
    context.requests();
    const program = declare({ acme: renamed, beta }, none);
    const preview = await context.preview(program);
    const changes = Object.values(preview.changes).filter((change) => change !== "same");
    assert.deepEqual(changes, ["update"]);
    assert.match(preview.warnings.join("\n"), /"acme".*new token.*until the next up|new token.*"acme"/s);
    await context.applies(program);
    const current = await context.idOf("acme");
    assert.match(current, derived);
    assert.deepEqual(context.requests(), [`GET ${current} created`]);
    assert.deepEqual(await context.tokenAndAdopted("acme"), [context.token(current), false]);
    const [first] = (await context.group("acme"))?.former ?? [];
    assert.deepEqual([first?.providedId, first?.token], [former, token]);
    assert((await context.secretOutputs()).includes("former"));
    warns(await context.preview(program), /"acme".*former group|former group.*"acme"/s);
    await context.applies(program);
    assert.deepEqual(context.requests(), [`DELETE ${former} deleted`]);
    assert.deepEqual([await context.idOf("acme"), await context.formerIds("acme")], [current, []]);
    assert(await context.isUpToDate(program));
  });

  both(
    'create, "found by its derived ID": finds the group whose responses were lost, and whose ID the error names',
    inModel,
    async (context, declare) => {
      await context.applies(declare({ acme, beta }, overlap));
      context.loseResponses();
      const program = declare({ acme: renamed, beta }, overlap);
      const { errors } = await context.up(program);
      const [, lost = ""] = /"(acme~[0-9a-f]{8})"/.exec(errors) ?? [];
      const { token } = context.emulator.groups.get(lost) ?? assert.fail(errors);
      context.heal();
      const refused = declare({ acme: renamed, beta }, { ...overlap, adopt: false });
      fails(await context.up(refused), /"acme".*adopt: true.*\[adoption-refused\]/s);
      const { warnings } = await context.applies(program);
      assert.match(warnings.join("\n"), /"acme".*\[adopted\]/s);
      assert.doesNotMatch(warnings.join("\n"), /can't be verified/);
      assert.equal(await context.idOf("acme"), lost);
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, true]);
    },
  );

  both(
    "counts from the next change on, and so does its end, as the preview says",
    { engine: "release" },
    async (context, declare) => {
      await context.applies(declare({ acme }));
      context.requests();
      for (const shared of [overlap, {}, day]) await context.applies(declare({ acme }, shared));
      assert.deepEqual(context.requests(), []);
      await context.applies(declare({ acme: renamed }, day));
      const id = await context.idOf("acme");
      assert.deepEqual(context.requests(), [`GET ${id} created`]);
      assert.deepEqual(await context.formerIds("acme"), ["acme"]);
      const third = declare({ acme: { ...acme, name: "Third" } }, { overlap: false });
      warns(await context.preview(third), /new token.*(is|are) deleted in the same up/);
      await context.applies(declare({ acme: renamed }, none));
      context.requests();
      await context.applies(third);
      assert.deepEqual(context.requests(), ["GET acme created", `DELETE ${id} deleted`]);
      assert.deepEqual([await context.idOf("acme"), await context.formerIds("acme")], ["acme", []]);
    },
  );

  both(
    "with changes: update creates a group for other keepers only",
    { engine: "release", existing: "update", settings: { changes: "update" } },
    async (context, declare) => {
      await context.applies(declare({ acme }, overlap));
      const former = await context.idOf("acme");
      context.requests();
      await context.applies(declare({ acme: renamed }, none));
      assert.deepEqual(context.requests(), [`GET ${former} updated`]);
      const rotated = { ...renamed, keepers: { month: "2" } };
      await context.applies(declare({ acme: rotated }, none));
      const current = await context.idOf("acme");
      assert.deepEqual(context.requests(), [`GET ${current} created`]);
      await context.applies(declare({ acme: { ...rotated, name: "Newer" } }, none));
      assert.deepEqual(context.requests(), [`GET ${current} updated`, `DELETE ${former} deleted`]);
      for (const { name } of await context.resources()) await context.stack.forget(name);
      const { warnings } = await context.applies(declare({ acme: rotated }, overlap));
      assert.match(warnings.join("\n"), /"acme".*can't be verified.*\[adopted\]/s);
    },
  );
});

describe("contract: a former group", () => {
  both(
    "that may be our own, because a response was lost, stays in the state",
    inModel,
    async (context, declare) => {
      const [former] = await rename(context, declare);
      const program = declare({ acme: renamed, beta }, day);
      context.emulator.removeGroup(former);
      await context.stack.rewrite(aged(25));
      context.emulator.fault({ kind: "drop", when: "after", method: "GET", userGroupId: former });
      fails(await context.up(program), new RegExp(`"${former}".*(may|isn't known)`, "s"));
      assert.deepEqual(await context.formerIds("acme"), [former]);
      warns(await context.applies(program), new RegExp(`"${former}"`));
      assert.deepEqual(await context.formerIds("acme"), []);
    },
  );

  both("stays for overlapHours, and no refresh reads it", { engine: "release" }, async (context, declare) => {
    const [former, current] = await rename(context, declare);
    const program = declare({ acme: renamed, beta }, day);
    succeeds(await context.refresh());
    await context.stack.rewrite(aged(23));
    assert(await context.isUpToDate(program));
    assert(!context.requests().some((line) => line.includes(former)));
    await context.stack.rewrite(aged(2));
    const { changes, warnings } = await context.preview(program);
    assert(Object.values(changes).includes("update"));
    assert.match(warnings.join("\n"), /former group.*"acme"|"acme".*former group/s);
    await context.applies(program);
    assert.deepEqual(context.requests(), [`DELETE ${former} deleted`]);
    assert.equal(await context.idOf("acme"), current);
    assert(await context.isUpToDate(program));
  });

  both(
    'create, "own former group": is the current one again, or created again with a warning',
    inModel,
    async (context, declare) => {
      const [first, second] = await rename(context, declare);
      const token = context.token(first);
      const program = declare({ acme, beta }, day);
      warns(await context.preview(program), /"acme".*token of|token of.*"acme"/);
      const { warnings } = await context.applies(program);
      assert.doesNotMatch(warnings.join("\n"), /\[adopted/);
      assert.deepEqual(context.requests(), [`GET ${first} returned`]);
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, false]);
      assert.deepEqual([await context.idOf("acme"), await context.formerIds("acme")], [first, [second]]);
      assert(await context.isUpToDate(program));
      context.emulator.removeGroup(second);
      warns(await context.applies(declare({ acme: renamed, beta }, day)), /"acme".*\[created-again\]/s);
      assert.deepEqual(context.requests(), [`GET ${second} created`]);
      succeeds(await context.destroy());
      assert.equal(context.emulator.groups.size, 0);
    },
  );
});

/** A refused deletion: until when, how to end it, and by which command. */
const stays = [/"acme".*until 20\d\d-\d\d-.*\[move-unconfirmed\]/s, /overlapHours: 0/, /pulumi up/];

describe("contract: a replaced resource with overlap", () => {
  both("keeps its former group until its time is over", { engine: "release" }, async (context, declare) => {
    const [former, current] = await rename(context, declare);
    const program = declare({ acme: renamed, beta }, day);
    const replaces = (await context.resources()).map(({ name }) => name);
    for (const options of [{ replaces }, {}]) {
      fails(await context.up(program, options), ...stays);
      assert(context.token(former));
    }
    await context.stack.rewrite(aged(25));
    await context.applies(program);
    assert.deepEqual([context.token(former), !context.token(current)], [undefined, false]);
    assert(await context.isUpToDate(program));
  });
});

describe("contract: a renamed resource with overlap", () => {
  both(
    'delete, "got another group": its group stays until the next up',
    inModel,
    async (context, declare) => {
      await context.applies(declare({ acme, beta }, overlap));
      const former = await context.idOf("acme");
      const program = underOtherNames(declare({ acme: renamed, beta }, overlap));
      fails(await context.up(program), /"acme".*[Dd]eliver.*\[move-unconfirmed\]/s);
      assert(context.token(former));
      context.requests();
      await context.applies(program);
      assert.deepEqual(context.requests(), [`DELETE ${former} deleted`]);
    },
  );

  both('delete, "former group in its time": ends by overlapHours: 0', inModel, async (context, declare) => {
    const [former, current] = await rename(context, declare);
    const program = (shared: object) => underOtherNames(declare({ acme: renamed, beta }, shared));
    for (let runs = 0; runs < 2; runs += 1) {
      fails(await context.up(program(day)), ...stays);
      assert(context.token(former));
    }
    await context.applies(program(none));
    assert.deepEqual([context.token(former), !context.token(current)], [undefined, false]);
    assert(await context.isUpToDate(program(none)));
  });

  both('delete, "replaced by a new group": of a former group', inModel, async (context, declare) => {
    const [former] = await rename(context, declare, overlap);
    context.emulator.rotateToken(former);
    const program = underOtherNames(declare({ acme, beta }, overlap));
    fails(await context.up(program), /"acme".*\[move-unconfirmed\]/s);
    await context.applies(program);
  });

  behavior('delete, "held with the same values": as a former group', inModel, async (context) => {
    const bad = single("bad", { ...beta, userGroupId: "bad" });
    await context.applies([single("one", { ...acme, ...day })]);
    const former = await context.idOf("acme");
    const two = (values: object) => [single("two", { ...values, ...day }), bad];
    context.emulator.fault({ kind: "refuse", userGroupId: "bad" });
    fails(await context.up(two(acme)), /"bad".*\[service-refused\]/s);
    context.requests();
    warns(await context.applies(two(renamed)), /"acme".*\[kept\]/s);
    assert.deepEqual(await context.formerIds("acme"), [former]);
    assert(context.token(former));
  });
});
