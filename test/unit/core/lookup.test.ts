import assert from "node:assert/strict";
import { DeploymentTracker } from "../../../provider/src/core/deploymentTracker";
import { userGroupLifecycle } from "../../../provider/src/core/userGroupLifecycle";
import { systemClock } from "../../../provider/src/service/http/clock";
import { startEmulator, type Emulator } from "../../../provider/src/testing";

describe("a lookup of a group that must exist", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator();
  });
  afterEach(() => emulator.stop());

  const lookUp = (warnings: string[] = []) =>
    userGroupLifecycle({
      sources: {
        environment: { USER_GROUPS_BASE_URL: emulator.baseUrl, USER_GROUPS_API_TOKEN: emulator.apiToken },
        configuration: { get: () => undefined },
      },
      tracker: new DeploymentTracker(),
      logger: { info: () => undefined, warn: (line) => warnings.push(line) },
      clock: systemClock,
      signal: new AbortController().signal,
    }).read("acme", { name: "Acme" }, { mustExist: true });

  it("returns the values and the token of the service", async () => {
    emulator.putGroup({ userGroupId: "acme", name: "Theirs", properties: { region: "eu" } });
    const { state } = await lookUp();
    const { token } = emulator.groups.get("acme") ?? {};
    assert.deepEqual(
      { name: state["name"], properties: state["properties"], token: state["token"] },
      { name: "Theirs", properties: { region: "eu" }, token },
    );
  });

  it("fails if there is none, and deletes the group that the request created", async () => {
    const warnings: string[] = [];
    await assert.rejects(lookUp(warnings), {
      code: "no-such-group",
      message: /^Cannot read user group "acme": .* \[no-such-group\]$/,
    });
    assert.deepEqual(emulator.requests.map(String), ['GET "acme" created 200', 'DELETE "acme" deleted 200']);
    assert.deepEqual(warnings, []);
  });
});
