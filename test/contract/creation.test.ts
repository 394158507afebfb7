/** The first `up` of a group: created, adopted or refused. */
import assert from "node:assert/strict";
import { unknownValue as unknown } from "../../provider/values";
import { drip } from "../support/harness/responseFaults";
import { groupsOf } from "../support/model/groups";
import {
  acme,
  behavior,
  both,
  declareMany,
  everyService,
  inModel,
  many,
  remapped,
  returnsStored,
  single,
  type BehaviorOptions,
} from "./contract";
import { fails, succeeds } from "./stackContext";

const others = { mapping: { sales: "theirs" }, properties: { region: "us" } };
const theirs = { userGroupId: "acme", name: "Theirs", ...others };

describe("contract: creation", () => {
  both(
    'create, "new": a refresh leaves it as it is',
    { services: everyService },
    async (context, declare) => {
      const args = { ...acme, keepers: { a: "1" } };
      const program = declare({ acme: args }, { adopt: false });
      assert.deepEqual((await context.applies(program)).warnings, []);
      const state = await context.resources();
      assert.deepEqual(JSON.parse(JSON.stringify(await context.group("acme"))), {
        ...{ ...args, userGroupId: "acme", providedId: "acme", adopted: false, former: [] },
        token: context.token("acme"),
        baseUrl: context.emulator.baseUrl,
      });
      assert.deepEqual(succeeds(await context.refresh()).warnings, []);
      assert.deepEqual(await context.resources(), state);
      assert.deepEqual(context.bodies(), Array(2).fill({ user_group_id: "acme", ...acme }));
      assert.match(context.requests().join(), /^GET acme created,GET acme (returned|updated)$/);
      await context.applies(program);
      assert.deepEqual(context.requests(), []);
    },
  );

  both(
    'create, "found": warns of the mapping, and the preview shows other values',
    { services: everyService },
    async (context, declare, service) => {
      const { token } = context.emulator.putGroup(theirs);
      const warnings = (await context.applies(declare({ acme }))).warnings.join("\n");
      assert.deepEqual(await context.tokenAndAdopted("acme"), [token, true]);
      const isShown = returnsStored(service);
      assert.equal((await context.group("acme"))?.name, isShown ? "Theirs" : "Acme");
      assert.match(warnings, /user group "acme" .*mapping.*\[adopted\]/s);
      assert.equal(warnings.includes("[adopted-with-other-values]"), isShown);
      for (const secret of [token, "Theirs", "Acme", "theirs"]) assert(!warnings.includes(secret));
      assert.match(context.requests().join(), /^GET acme (returned|updated)$/);
      assert.equal(await context.isUpToDate(declare({ acme })), !isShown);
    },
  );

  both(
    'create, "found, adopt is false": is refused after one request',
    { services: everyService },
    async (context, declare, { existing }) => {
      const { token } = context.emulator.putGroup({ userGroupId: "acme", ...acme });
      const { errors, warnings } = await context.up(declare({ acme }, { adopt: false }));
      assert.match(errors, /user group "acme".*adopt.*\[adoption-refused\]/s);
      if (existing === "update") assert.match(errors, /updates existing groups.*values/s);
      assert.match(context.requests().join(), /^GET acme (returned|updated)$/);
      assert.deepEqual([warnings, await context.group("acme")], [[], undefined]);
      context.emulator.fault({ kind: "drop", when: "after" });
      fails(await context.up(declare({ acme }, { adopt: false })), /may have created.*Its ID in/);
      succeeds(await context.destroy());
      assert.equal(context.token("acme"), token);
    },
  );

  behavior(
    'create, "wrong-group": a service that ignores the case',
    { drivers: ["provider"] },
    async (context) => {
      const program = (userGroupId: string) => [single("tenant", { ...acme, userGroupId })];
      await context.applies(program("Acme"));
      const token = context.token("Acme") ?? "";
      context.emulator.putGroup({ userGroupId: "acme", ...acme }, () => token);
      context.requests();
      fails(await context.up(program("acme")), /user group "acme".*\[wrong-group\]/s);
      assert.deepEqual(context.requests(), ["GET acme returned"]);
      assert.equal((await context.group("Acme"))?.token, token);
    },
  );
});

describe("contract: two spellings of an ID", () => {
  const newToken: BehaviorOptions["newToken"] = (userGroupId, account) => {
    const other = userGroupId === "Acme" ? "acme" : "Acme";
    const { token } = account.putGroup({ ...acme, userGroupId: other });
    return token;
  };
  behavior(
    'create, "wrong-group": the response "new" comes last',
    { drivers: ["provider"], newToken, settings: { timeout: "60" } },
    async (context) => {
      context.emulator.fault({ ...drip(2), method: "GET" });
      fails(await context.up(declareMany({ Acme: acme, acme: remapped })), /"(acme|Acme)".*\[wrong-group\]/s);
      assert.equal((await context.resources()).flatMap(groupsOf).length, 1);
    },
  );
  const normalize: BehaviorOptions["normalize"] = (sent) => {
    return { ...sent, userGroupId: sent.userGroupId.toLowerCase() };
  };
  behavior("the service's is the remedy, also with overlap", { ...inModel, normalize }, async (context) => {
    fails(
      await context.up(declareMany({ Acme: acme }, { overlap: true })),
      /Use the service's spelling in the/,
    );
    await context.applies(declareMany({ acme }, { overlap: true }));
    assert.equal(context.emulator.groups.size, 1);
  });
});

describe("contract: one group in several resources", () => {
  behavior("is refused in the preview", {}, async (context) => {
    const existing = declareMany({ acme });
    await context.applies(existing);
    for (const added of [single("other", acme), many("others", { acme })])
      fails(await context.preview([...existing, added]), /"acme".*\[declared-twice\]/s);
  });
});

describe("contract: the preview of a creation", () => {
  both("needs no settings, and accepts unknown values at any depth", inModel, async (context, declare) => {
    delete context.settings["baseUrl"];
    const properties = { list: [unknown], nested: { deep: unknown } };
    for (const group of [acme, { name: unknown, mapping: unknown, properties }])
      assert.equal(await context.isUpToDate(declare({ acme: group }, { adopt: null })), false);
    assert.equal(context.emulator.connections, 0);
  });
});
