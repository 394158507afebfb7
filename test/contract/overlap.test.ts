/** Changes with `overlap`: the group gets a new ID in the service, and the former one stays for a while. */
import assert from "node:assert/strict";
import {
  acme,
  beta,
  both,
  bothInModel,
  declareEach,
  declareMany,
  everyChange,
  inModel,
  renamed,
  resource,
  underOtherNames,
} from "./contract";
import type { Run } from "./drivers";
import { fails, succeeds, warns } from "./stackContext";

const overlap = { overlap: true };
const derived = /^acme~[0-9a-f]{8}$/;

/** Its warning doesn't doubt the mapping, which the ID shows. */
function assertIsFoundByItsId({ warnings }: Run): void {
  assert.match(warnings.join("\n"), /"acme".*\[adopted\]/s);
  assert.doesNotMatch(warnings.join("\n"), /can't be verified/);
}

describe("contract: overlap", () => {
  for (const [what, change] of Object.entries(everyChange))
    (what === "name" ? both : bothInModel)(
      `creates a group for a change of ${what}, and the next up deletes the former one`,
      async (context, declare) => {
        await context.applies(declare({ acme, beta }, overlap));
        const former = await context.idOf("acme");
        assert.match(former, derived);
        const token = context.token(former);
        context.requests();
        const program = declare({ acme: { ...acme, ...change }, beta }, overlap);
        const preview = await context.preview(program);
        assert.deepEqual(
          Object.values(preview.changes).filter((each) => each !== "same"),
          ["update"],
        );
        assert.match(preview.warnings.join("\n"), /"acme"/);
        assert.match(preview.warnings.join("\n"), /new token.*until the next up/s);
        await context.applies(program);
        const current = await context.idOf("acme");
        assert.match(current, derived);
        assert.deepEqual(context.requests(), [`GET ${current} created`]);
        assert.deepEqual(await context.tokenAndAdopted("acme"), [context.token(current), false]);
        const [first, ...others] = (await context.group("acme"))?.former ?? [];
        assert.deepEqual([first?.providedId, first?.token, others], [former, token, []]);
        assert((await context.secretOutputs()).includes("former"));
        const { warnings } = await context.preview(program);
        assert.match(warnings.join("\n"), /"acme"/);
        assert.match(warnings.join("\n"), /former group/);
        await context.applies(program);
        assert.deepEqual(context.requests(), [`DELETE ${former} deleted`]);
        assert.deepEqual([await context.idOf("acme"), await context.formerIds("acme")], [current, []]);
        assert(await context.isUpToDate(program));
      },
    );

  for (const what of ["a creation", "a change"])
    bothInModel(
      `create, "found by its derived ID": finds the group of ${what} whose responses were lost`,
      async (context, declare) => {
        if (what === "a change") await context.applies(declare({ acme, beta }, overlap));
        context.loseResponses();
        const program = declare({ acme: renamed, beta }, overlap);
        const { errors } = await context.up(program);
        const [, lost = ""] = /"(acme~[0-9a-f]{8})"/.exec(errors) ?? [];
        const { token } = context.emulator.groups.get(lost) ?? assert.fail(errors);
        context.heal();
        const refused = await context.up(declare({ acme: renamed, beta }, { ...overlap, adopt: false }));
        fails(refused, /"acme"/, /adopt: true.*\[adoption-refused\]/s);
        assertIsFoundByItsId(await context.applies(program));
        assert.deepEqual(
          [await context.idOf("acme"), await context.tokenAndAdopted("acme")],
          [lost, [token, true]],
        );
        await context.applies(program);
        assert.equal(context.emulator.groups.size, 2);
      },
    );

  bothInModel(
    "names the group of a lost response, which another change doesn't find",
    async (context, declare) => {
      await context.applies(declare({ acme, beta }, overlap));
      context.loseResponses();
      const { errors } = await context.up(declare({ acme: renamed, beta }, overlap));
      context.heal();
      for (let runs = 0; runs < 2; runs += 1)
        await context.applies(declare({ acme: { ...acme, name: "Third" }, beta }, overlap));
      const [left] = Object.keys(context.tokens()).filter((id) => errors.includes(`"${id}"`));
      assert.match(left ?? "", derived);
      assert.deepEqual([context.emulator.groups.size, await context.formerIds("acme")], [3, []]);
    },
  );

  const each = declareEach({ acme }, overlap);
  const together = declareMany({ acme }, overlap);
  for (const [what, before, after] of [
    ["a lost state", together, together],
    ["another stack", each, each],
    ["a rename without an alias", each, underOtherNames(each)],
    ["a move into UserGroups", each, together],
    ["a move out of UserGroups", together, each],
  ] as const)
    inModel(`create, "found by its derived ID": finds the group after ${what}`, async (context) => {
      await context.applies(before);
      const tokens = context.tokens();
      assert.match(Object.keys(tokens).join(), derived);
      if (what === "a lost state") await context.stack.forget("tenants");
      const next = what === "another stack" ? await context.otherStack() : context;
      assertIsFoundByItsId(await next.applies(after));
      assert.deepEqual(context.tokens(), tokens);
      assert.deepEqual(tokens, { [await next.idOf("acme")]: (await next.group("acme"))?.token });
      assert(await next.isUpToDate(after));
    });

  bothInModel(
    'delete, "got another group": keeps the group of a renamed resource until the next up',
    async (context, declare) => {
      await context.applies(declare({ acme, beta }, overlap));
      const former = await context.idOf("acme");
      const program = underOtherNames(declare({ acme: renamed, beta }, overlap));
      fails(await context.up(program), /"acme".*[Dd]eliver.*\[move-unconfirmed\]/s);
      assert(context.token(former));
      context.requests();
      await context.applies(program);
      assert.deepEqual(context.requests(), [`DELETE ${former} deleted`]);
      assert.equal((await context.group("acme"))?.token, context.token(await context.idOf("acme")));
    },
  );

  both(
    "counts from the next change on, and so does its end",
    { engine: "release" },
    async (context, declare) => {
      const { token } = context.emulator.putGroup({ userGroupId: "acme", ...acme });
      await context.applies(declare({ acme }));
      context.requests();
      for (const shared of [overlap, {}, overlap]) await context.applies(declare({ acme }, shared));
      assert.deepEqual(context.requests(), []);
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, true]);
      await context.applies(declare({ acme: renamed }, overlap));
      const id = await context.idOf("acme");
      assert.deepEqual(
        [context.requests(), await context.formerIds("acme")],
        [[`GET ${id} created`], ["acme"]],
      );
      await context.applies(declare({ acme: renamed }, overlap));
      context.requests();
      await context.applies(declare({ acme }));
      assert.deepEqual(context.requests(), ["GET acme created", `DELETE ${id} deleted`]);
      assert.deepEqual([await context.idOf("acme"), await context.formerIds("acme")], ["acme", []]);
    },
  );

  bothInModel("from the start leaves a group with the plain ID alone", async (context, declare) => {
    const plain = context.emulator.putGroup({ userGroupId: "acme", name: "Theirs" });
    await context.applies(declare({ acme }, overlap));
    assert.deepEqual(context.requests(), [`GET ${await context.idOf("acme")} created`]);
    await context.applies(declare({ acme: renamed }, overlap));
    succeeds(await context.destroy());
    assert.deepEqual([...context.emulator.groups.values()], [plain]);
  });

  bothInModel("gives another ID if the program takes a name back", async (context, declare) => {
    await context.applies(declare({ acme, beta }, overlap));
    const former = await context.idOf("acme");
    context.emulator.renameGroup(former, "Theirs");
    succeeds(await context.refresh());
    assert.equal((await context.group("acme"))?.name, "Theirs");
    context.requests();
    await context.applies(declare({ acme, beta }, overlap));
    const current = await context.idOf("acme");
    assert.match(current, derived);
    assert.notEqual(current, former);
    assert.deepEqual(context.requests(), [`GET ${current} created`]);
    assert.deepEqual(await context.formerIds("acme"), [former]);
  });

  both(
    "with changes: update creates a group for other keepers only",
    { engine: "release", existing: "update", settings: { changes: "update" } },
    async (context, declare) => {
      await context.applies(declare({ acme }, overlap));
      const former = await context.idOf("acme");
      context.requests();
      await context.applies(declare({ acme: renamed }, overlap));
      assert.deepEqual(context.requests(), [`GET ${former} updated`]);
      const rotated = { ...renamed, keepers: { month: "2" } };
      await context.applies(declare({ acme: rotated }, overlap));
      const current = await context.idOf("acme");
      assert.deepEqual(context.requests(), [`GET ${current} created`]);
      await context.applies(declare({ acme: { ...rotated, name: "Newer" } }, overlap));
      assert.deepEqual(context.requests(), [`GET ${current} updated`, `DELETE ${former} deleted`]);
      const other = await context.otherStack();
      warns(
        await other.applies(declare({ acme: rotated }, overlap)),
        /"acme".*can't be verified.*\[adopted\]/s,
      );
    },
  );

  both(
    "stays by an alias, and leaves nothing in another service",
    { engine: "release", drivers: ["provider", "engine"] },
    async (context, declare) => {
      const { baseUrl, apiToken } = context.emulator;
      for (const [name, url] of Object.entries({ a: baseUrl, b: context.other.baseUrl }))
        Object.assign(context.settings, { [`${name}.baseUrl`]: url, [`${name}.apiToken`]: apiToken });
      const program = (connection: string, values: object) =>
        declare({ acme: values }, { ...overlap, overlapHours: 24, connection });
      await context.applies(program("a", acme));
      await context.applies(program("a", renamed));
      const tokens = context.tokens();
      const aliased = underOtherNames(program("a", renamed)).map((one) => ({
        ...one,
        aliases: [one.name.replace("-2", "")],
      }));
      context.requests();
      await context.applies(aliased);
      assert.deepEqual([context.requests(), context.tokens()], [[], tokens]);
      await context.applies(underOtherNames(program("b", renamed)));
      assert.deepEqual([context.tokens(), context.other.groups.size], [{}, 1]);
    },
  );

  inModel("leaves nothing under another userGroupId", async (context) => {
    const program = (userGroupId: string, values: object) => [
      resource("tenant", "userGroup", { userGroupId, ...values, ...overlap, overlapHours: 24 }),
    ];
    await context.applies(program("acme", acme));
    await context.applies(program("acme", renamed));
    await context.applies(program("globex", renamed));
    assert.match(Object.keys(context.tokens()).join(), /^globex~[0-9a-f]{8}$/);
  });
});
