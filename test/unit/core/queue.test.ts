import assert from "node:assert/strict";
import { effectsOf, deploymentTest } from "../../harness/providers";

const acme = { userGroupId: "acme", name: "Acme", mapping: { sales: 1 } };

describe("operations on one group", () => {
  deploymentTest("create it only when its deletion by another resource has ended", {}, async (context) => {
    const { emulator } = context;
    const state = await context.userGroups.create({ groups: { acme: { name: "Acme" } } });
    const { userGroup, userGroups } = context.deploy();
    emulator.clearRequests();
    const create = async (userGroupId: string) => {
      await userGroup.check({ ...acme, userGroupId }, {}, userGroupId);
      return userGroup.create({ ...acme, userGroupId });
    };
    let created: ReturnType<typeof create> | undefined;
    // The response comes after a creation that began later than that of acme. Then the deletion is tried again.
    const body = async function* () {
      created = create("acme");
      await create("other");
      yield "busy";
    };
    emulator.fault({
      kind: "respond",
      method: "DELETE",
      when: "before",
      respond: () => ({ status: 503, headers: {}, body: body() }),
    });
    await userGroups.update(state, { groups: {} });
    assert.equal((await created)?.["token"], emulator.groups.get("acme")?.token);
    const effects = effectsOf(emulator).filter((line) => line.includes("acme"));
    assert.deepEqual(effects.slice(-2), ["DELETE acme deleted", "GET acme created"]);
  });
});
