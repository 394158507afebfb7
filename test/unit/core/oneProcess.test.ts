/** What a command does about what it knows of the state and of other resources, request by request. */
import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { PartialFailureError } from "../../../provider/adapters/results";
import { lifecycleOf } from "../../../provider/core/lifecycle";
import { userGroupsShape } from "../../../provider/core/state/shapes";
import { propertiesOf, resourceOf } from "../../../provider/values";
import { TestClock } from "../../support/harness/clock";
import { emulatorTest } from "../../support/harness/emulatorTest";
import { newTestDeployment } from "../../support/harness/product";
import { contextOf, effectsOf, failureOf, plain } from "../../support/harness/providers";

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
  "a resource that has the customer in its state adopts no group that another one releases",
  {},
  async (emulator) => {
    const acme = (sales: string) => ({ name: "Acme", mapping: { sales } });
    const { userGroups, deploy } = contextOf(emulator);
    const { id, outs } = await userGroups.create({ groups: { acme: acme("one") }, __resource: "many" });
    const next = deploy();
    const released = { groups: {}, removed: "retain", __resource: "many" };
    const old = { groups: { acme: acme("one") }, removed: "retain", __resource: "many" };
    const one = { userGroupId: "acme", ...acme("two"), __resource: "one" };
    await next.userGroups.check(old, released);
    await next.userGroups.diff(id, { ...plain(outs), removed: "retain", __resource: "many" }, released);
    assert.deepEqual((await next.userGroup.check(one, one)).failures, []);
    const other = deploy();
    await other.userGroups.check(old, released);
    await other.userGroups.diff(id, { ...plain(outs), removed: "retain", __resource: "many" }, released);
    const failures = (await other.userGroup.check({}, one)).failures ?? [];
    assert.match(failures.map(({ reason }) => reason).join(), /\[mapping-conflict\]/);
  },
);

emulatorTest("the guards of a program hold for its resource under the former name", {}, async (emulator) => {
  const { id, outs } = await contextOf(emulator).userGroups.create({ groups: { acme: { name: "Acme" } } });
  const settings = { baseUrl: emulator.baseUrl, apiToken: emulator.apiToken };
  const lifecycle = lifecycleOf(userGroupsShape, newTestDeployment({ settings }));
  const [before, resource] = [resourceOf("before"), resourceOf("present")];
  const news = { groups: { acme: { name: "Corp" } }, removed: "retain" };
  lifecycle.check({ resource, olds: plain(outs), news });
  lifecycle.diff({ resource, before, id, olds: plain(outs), news, isOfOtherProvider: false });
  emulator.clearRequests();
  await lifecycle.delete({ resource: before, id, state: plain(outs) });
  assert.deepEqual(effectsOf(emulator), []);
});
