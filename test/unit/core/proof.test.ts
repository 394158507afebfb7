/** What only one process shows of the proof of an account: which groups it reads. */
import assert from "node:assert/strict";
import { lifecycleOf } from "../../../provider/core/lifecycle";
import { userGroupShape, userGroupsShape } from "../../../provider/core/state/shapes";
import { resourceOf } from "../../../provider/values";
import { jumpingClock } from "../../support/harness/clock";
import { emulatorTest } from "../../support/harness/emulatorTest";
import { newTestDeployment } from "../../support/harness/product";
import { contextOf, effectsOf, failureOf, numbered, plain } from "../../support/harness/providers";

emulatorTest("a proof of the account reads groups that are drawn", {}, async (emulator) => {
  const { id, outs } = await contextOf(emulator).userGroups.create({ groups: numbered(4) });
  const { apiToken } = emulator.addAccount();
  const draws = [0.9, 0.1, 0.5, 0.7];
  const clock = jumpingClock(() => draws.shift() ?? 0);
  emulator.clearRequests();
  const { userGroups } = contextOf(emulator, { clock, settings: { apiToken } });
  const { code } = await failureOf(userGroups.delete(id, plain(outs)));
  assert.equal(code, "nothing-found");
  const reads = emulator.requests.filter(({ method }) => method === "GET");
  assert.deepEqual(
    reads.map(({ userGroupId }) => userGroupId),
    ["t1", "t2", "t3"],
  );
});

emulatorTest("a group that was deleted by the state's token proves the account", {}, async (emulator) => {
  const { id, outs } = await contextOf(emulator).userGroups.create({ groups: { acme: { name: "Acme" } } });
  const former = plain(outs);
  emulator.rotateApiToken();
  const { props } = await contextOf(emulator).userGroups.read(id, former);
  const { userGroups } = contextOf(emulator);
  emulator.clearRequests();
  await userGroups.delete(id, plain(props));
  await userGroups.delete(id, former);
  assert.deepEqual(effectsOf(emulator), ["DELETE acme deleted"]);
});

emulatorTest("a group that was imported in this deployment proves the account", {}, async (emulator) => {
  const { id, outs } = await contextOf(emulator).userGroups.create({ groups: { acme: { name: "Acme" } } });
  const settings = { baseUrl: emulator.baseUrl, apiToken: emulator.rotateApiToken() };
  const deployment = newTestDeployment({ settings });
  const [one, many] = [resourceOf("one"), resourceOf("many")];
  const lifecycle = lifecycleOf(userGroupShape, deployment);
  const news = { userGroupId: "acme", name: "Acme" };
  const { state } = await lifecycle.read({ resource: one, id: "acme", state: news, isImport: true });
  lifecycle.check({ resource: one, olds: {}, news });
  lifecycle.diff({
    resource: one,
    before: undefined,
    id: "acme",
    olds: state,
    news,
    isOfOtherProvider: false,
  });
  emulator.clearRequests();
  const leaving = { resource: many, id, state: plain(outs) };
  await lifecycleOf(userGroupsShape, deployment).delete(leaving);
  assert.deepEqual(effectsOf(emulator), []);
});
