/** What a command does about what it knows of the state and of other resources, request by request. */
import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { PartialFailureError } from "../../../provider/adapters/results";
import { propertiesOf, withoutSecretMarks } from "../../../provider/values";
import { TestClock } from "../../support/harness/clock";
import { emulatorTest } from "../../support/harness/emulatorTest";
import { contextOf, effectsOf, failureOf } from "../../support/harness/providers";

const plain = (outputs: unknown) => propertiesOf(withoutSecretMarks(outputs));
/** With a request of an earlier update that may have been applied. */
const inDoubt = (outputs: unknown) => {
  const state = plain(outputs);
  return { ...state, internal: { ...propertiesOf(state["internal"]), groups: { acme: { doubt: true } } } };
};

emulatorTest("a doubt ends before the change", {}, async (emulator) => {
  const { userGroups, deploy } = contextOf(emulator);
  const { id, outs } = await userGroups.create({ groups: { acme: { name: "Acme" } } });
  emulator.clearRequests();
  await deploy().userGroups.update(id, inDoubt(outs), { groups: { acme: { name: "Corp" } } });
  assert.deepEqual(effectsOf(emulator), ["GET acme returned", "DELETE acme deleted", "GET acme created"]);
});

emulatorTest("another group that is found in a doubt ends the planned change", {}, async (emulator) => {
  const { userGroups, deploy } = contextOf(emulator);
  const { id, outs } = await userGroups.create({ groups: { acme: { name: "Acme" } } });
  emulator.removeGroup("acme");
  emulator.putGroup({ userGroupId: "acme", name: "Acme" });
  emulator.clearRequests();
  const news = { groups: { acme: { name: "Corp" } } };
  const failure = await failureOf(deploy().userGroups.update(id, inDoubt(outs), news));
  assert(failure instanceof PartialFailureError);
  assert.match(failure.reasons.join(), /another group under its ID .*\[update-not-applied\]/);
  assert.deepEqual(effectsOf(emulator), ["GET acme returned"]);
});

emulatorTest("a creation waits until the states of its program are seen", {}, async (emulator) => {
  const { id, outs } = await contextOf(emulator).userGroups.create({ groups: { acme: { name: "Acme" } } });
  const account = emulator.addAccount();
  const settings = { apiToken: account.apiToken };
  const { userGroup, userGroups } = contextOf(emulator, { settings, clock: new TestClock() });
  await userGroup.check({}, { userGroupId: "added", name: "Added", __resource: "one" });
  const created = failureOf(userGroup.create({ userGroupId: "added", name: "Added", __resource: "one" }));
  await setImmediate();
  await userGroups.diff(id, plain(outs), { groups: { acme: { name: "Acme" } } });
  assert.equal((await created).code, "nothing-found");
  assert.deepEqual([...account.groups.keys()], []);
});

emulatorTest(
  "a drift that is taken back gets another ID than the group that drifted",
  {},
  async (emulator) => {
    const acme = { userGroupId: "acme", name: "Acme", overlap: true };
    const { userGroup, deploy } = contextOf(emulator);
    const { id, outs } = await userGroup.create(acme);
    const before = String(plain(outs)["providedId"]);
    emulator.renameGroup(before, "Theirs");
    const next = deploy().userGroup;
    const { props } = await next.read(id, plain(outs));
    const { outs: after } = await next.update(id, plain(props), acme);
    assert.notEqual(plain(after)["providedId"], before);
    assert.equal(emulator.groups.size, 2);
  },
);

emulatorTest(
  "with changes: update, the values of the resource that keeps a group are sent once more",
  { existing: "update" },
  async (emulator) => {
    const { userGroups, deploy } = contextOf(emulator, { settings: { changes: "update" } });
    const former = await userGroups.create({ groups: { acme: { name: "Acme" } } });
    const corp = { userGroupId: "acme", name: "Corp", __resource: "one" };
    const { id, outs } = await deploy().userGroup.create(corp);
    const next = deploy();
    await next.userGroup.check(corp, corp);
    await next.userGroup.diff(id, plain(outs), corp);
    emulator.clearRequests();
    await next.userGroups.delete(former.id, { ...plain(former.outs), __resource: "many" });
    assert.deepEqual(
      emulator.requests.map(({ method, body }) => [method, propertiesOf(body)["name"]]),
      [["GET", "Corp"]],
    );
  },
);

emulatorTest(
  "a resource with another name in the program is the one that it replaces",
  {},
  async (emulator) => {
    const acme = { userGroupId: "acme", name: "Acme" };
    const { userGroup, deploy } = contextOf(emulator);
    const { id, outs } = await userGroup.create({ ...acme, __resource: "before" });
    const next = deploy().userGroup;
    const renamed = { ...acme, name: "Corp", __resource: "present" };
    const before = { ...plain(outs), __resource: "before" };
    await next.check({ ...acme, __resource: "before" }, renamed);
    await next.diff(id, before, renamed);
    emulator.clearRequests();
    await next.delete(id, before);
    assert.deepEqual(effectsOf(emulator), ["DELETE acme deleted"]);
  },
);
