import assert from "node:assert/strict";
import { DeploymentTracker } from "../../../provider/src/core/deploymentTracker";
import type { Lifecycle } from "../../../provider/src/core/lifecycle";
import { userGroupLifecycle } from "../../../provider/src/core/userGroupLifecycle";
import { userGroupsLifecycle } from "../../../provider/src/core/userGroupsLifecycle";
import { unknownValue } from "../../../provider/src/values";
import { instantClock } from "../../harness/clock";

const acme = { userGroupId: "acme", name: "Acme" };

describe("the groups that resources declare", () => {
  it("are reported once as declared twice, for the resource as a whole", () => {
    const { userGroup } = deployment();
    assert.deepEqual(userGroup.check({ resource: "one", olds: {}, news: acme }), []);
    const [issue, ...more] = userGroup.check({ resource: "two", olds: {}, news: acme });
    assert.deepEqual([issue?.path, more], ["", []]);
    assert.match(issue?.reason ?? "", /\[declared-twice\]$/);
  });

  it("aren't known without a known ID", () => {
    for (const userGroupId of [unknownValue, undefined]) {
      const { userGroup } = deployment();
      const reasons = ["one", "two"].flatMap((resource) =>
        userGroup.check({ resource, olds: {}, news: { name: "Acme", userGroupId } }),
      );
      assert.doesNotMatch(JSON.stringify(reasons), /declared-twice/);
    }
  });

  it("aren't known without an object of groups", () => {
    const { userGroups } = deployment();
    assert.deepEqual(userGroups.check({ olds: {}, news: { groups: unknownValue } }), []);
    const [issue, ...more] = userGroups.check({ olds: {}, news: { groups: "acme" } });
    assert.deepEqual([issue?.path, more], ["groups", []]);
  });

  it("are replaced if the engine checks them again without the state", () => {
    for (const [olds, isReplaced] of [
      [{}, true],
      [acme, false],
    ] as const) {
      const { userGroup, tracker } = deployment();
      userGroup.check({ resource: "one", olds: acme, news: acme });
      userGroup.diff({ id: "acme", olds: { ...acme, token: "0", adopted: false }, news: acme });
      userGroup.check({ resource: "one", olds, news: acme });
      assert.equal(tracker.isReplaced(JSON.stringify(["https://groups.example", "acme"])), isReplaced);
    }
  });
});

describe("an error of an operation", () => {
  const apiToken = { USER_GROUPS_API_TOKEN: "t" };

  it("names operation and group", async () => {
    const { userGroup, userGroups } = deployment(apiToken);
    const state = { ...acme, token: "0", adopted: false };
    const elsewhere = { ...state, baseUrl: "https://former.example" };
    const groups = { groups: { a: { name: "A" } }, tokens: { a: "0" }, baseUrl: "https://former.example" };
    const renamed = { ...acme, name: "New" };
    for (const [operation, subject] of [
      [() => userGroup.read("acme", elsewhere), 'read user group "acme"'],
      [() => userGroup.update("acme", state, renamed), 'update user group "acme"'],
      [() => userGroup.update("acme", elsewhere, renamed), 'update user group "acme"'],
      [() => userGroup.delete("acme", elsewhere), 'delete user group "acme"'],
      [() => userGroups.read("", groups), "read these user groups"],
      [() => userGroups.update("", groups, { groups: {} }), "update these user groups"],
      [() => userGroups.delete("", groups), "delete these user groups"],
    ] as const)
      await assert.rejects(operation, { message: new RegExp(`^Cannot ${subject}: `) });
  });

  it("names the creation", async () => {
    const { userGroup } = deployment({ ...apiToken, USER_GROUPS_CHANGES: "update" });
    await assert.rejects(userGroup.create({ ...acme, adopt: false }), {
      message: /^Cannot create user group "acme": /,
    });
  });
});

interface TestDeployment {
  readonly userGroup: Lifecycle;
  readonly userGroups: Lifecycle;
  readonly tracker: DeploymentTracker;
}

/** Lifecycles that share a deployment, without a service: they must fail before a request. */
function deployment(environment: Readonly<Record<string, string>> = {}): TestDeployment {
  const tracker = new DeploymentTracker();
  const dependencies = {
    sources: {
      environment: { USER_GROUPS_BASE_URL: "https://groups.example", ...environment },
      configuration: { get: () => undefined },
    },
    tracker,
    logger: { info: () => undefined, warn: () => undefined },
    clock: instantClock(),
    signal: new AbortController().signal,
  };
  return {
    tracker,
    userGroup: userGroupLifecycle(dependencies),
    userGroups: userGroupsLifecycle(dependencies),
  };
}
