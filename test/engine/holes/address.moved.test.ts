import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../../provider/src/testing";
import { newWorld, requestsTo, stepsOf, succeeds, tokensOf, type Environment, type Run } from "../harness";
import { passphrase, recordedState, secondService } from "../long/recordedStates";
import { baseUrlsOf, bothResources, saveState, settingsOf } from "./addresses";

describe("a service that moves to another address", () => {
  let moved: Emulator;
  before("its new address", async () => {
    moved = await startEmulator();
  });
  const world = newWorld(() => ({ program: bothResources, services: [moved] }));
  after("its end", () => moved.stop());

  const formerly = (env: Environment = {}): Run => ({
    env: { ...settingsOf(moved), USER_GROUPS_FORMER_BASE_URL: world.emulator.baseUrl, ...env },
  });
  const move = () => {
    for (const { userGroupId, name, token } of world.emulator.groups.values()) {
      moved.putGroup({ userGroupId, name });
      moved.rotateToken(userGroupId, token);
    }
  };
  const ofAll = (...lines: readonly ((id: string) => string)[]) =>
    ["first", "second", "single"].flatMap((id) => lines.map((line) => line(id)));
  let restore: () => Promise<void>;
  let tokens: Readonly<Record<string, string>>;
  before("groups at the former address", async () => {
    succeeds(await world.stack.up());
    tokens = tokensOf(world.emulator);
    restore = await saveState(world.stack);
  });
  beforeEach("the state of then", async () => {
    await restore();
    move();
    for (const service of [world.emulator, moved]) service.clearRequests();
  });
  afterEach("the former address gets no request", () => {
    assert.deepEqual(requestsTo(world.emulator), []);
  });
  const assertMoved = async () => {
    const { baseUrl } = moved;
    assert.deepEqual(baseUrlsOf(await world.stack.resources()), { single: baseUrl, many: baseUrl });
    assert.deepEqual(tokensOf(moved), tokens);
  };

  it("has its groups updated without a request, once formerBaseUrl is in the configuration", async () => {
    const key = ["user-groups:formerBaseUrl", "--stack", "dev"];
    succeeds(await world.stack.run(["config", "set", ...key, `${world.emulator.baseUrl}/`]));
    const up = succeeds(await world.stack.up({ env: settingsOf(moved) }));
    assert.deepEqual([stepsOf(up, "single"), stepsOf(up, "many")], [["update"], ["update"]]);
    assert.deepEqual(requestsTo(moved), []);
    await assertMoved();
    succeeds(await world.stack.run(["config", "rm", ...key]));
    const next = succeeds(await world.stack.up({ env: settingsOf(moved) }));
    assert.deepEqual([stepsOf(next, "single"), stepsOf(next, "many")], [["same"], ["same"]]);
  });

  it("has its groups refreshed at the new address", async () => {
    succeeds(await world.stack.refresh(formerly()));
    assert.deepEqual(
      requestsTo(moved).sort(),
      ofAll((id) => `GET "${id}" returned 200`),
    );
    await assertMoved();
  });

  it("has its groups changed at the new address", async () => {
    succeeds(await world.stack.up(formerly({ TENANT: "Customer" })));
    const expected = ofAll(
      (id) => `DELETE "${id}" deleted 200`,
      (id) => `GET "${id}" created 200`,
    );
    assert.deepEqual(requestsTo(moved).sort(), expected.sort());
    const { baseUrl } = moved;
    assert.deepEqual(baseUrlsOf(await world.stack.resources()), { single: baseUrl, many: baseUrl });
  });

  it("has its groups deleted at the new address", async () => {
    succeeds(await world.stack.destroy(formerly()));
    assert.deepEqual(
      requestsTo(moved).sort(),
      ofAll((id) => `DELETE "${id}" deleted 200`),
    );
    assert.deepEqual(await world.stack.resources(), []);
  });
});

describe("a state without an address", () => {
  const { program, file, restore } = recordedState("0.1.0");
  const world = newWorld((emulator) => ({
    program,
    env: { PULUMI_CONFIG_PASSPHRASE: passphrase, ...secondService(emulator) },
    secrets: [passphrase],
  }));
  beforeEach("the state of 0.1.0", async () => {
    restore(world.emulator);
    succeeds(await world.stack.run(["stack", "import", "--stack", "dev", "--file", file]));
  });
  const assertRecorded = async () => {
    const baseUrls = Object.values(baseUrlsOf(await world.stack.resources()));
    assert.equal(baseUrls.length, 6);
    for (const baseUrl of baseUrls) assert.equal(baseUrl, world.emulator.baseUrl);
  };

  it("takes on the current one in a refresh", async () => {
    succeeds(await world.stack.refresh());
    await assertRecorded();
  });

  it("takes on the current one in a change", async () => {
    succeeds(await world.stack.up({ env: { TENANT: "Customer" } }));
    await assertRecorded();
  });
});
