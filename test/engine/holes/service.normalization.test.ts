import assert from "node:assert/strict";
import type { GroupValues } from "../../../provider/src/testing";
import { newWorld, requestsTo, stepsOf, succeeds, tokensOf, valuesOf, type Result } from "../harness";

/** Trims the name and adds a default property. */
function normalize(values: GroupValues): GroupValues {
  return { ...values, name: values.name.trim(), properties: { plan: "free", ...values.properties } };
}

const resources = ["acme", "bare", "hidden", "tenants"];

/** One stack through its life: each step begins where the one before it ended. */
describe("a service that trims names and adds a default property", () => {
  const world = newWorld(() => ({ program, secrets: ["hidden-name", "hidden-region"] }), { normalize });
  let tokens: Record<string, string>;
  before(async () => {
    succeeds(await world.stack.up());
    tokens = tokensOf(world.emulator);
  });
  const isSettled = async (flags: readonly string[]) => {
    world.emulator.clearRequests();
    const up = succeeds(await world.stack.up({ flags }));
    for (const name of resources) assert.deepEqual(stepsOf(up, name).filter(isChange), [], name);
    assert.deepEqual(
      requestsTo(world.emulator).filter((request) => !request.endsWith(" returned 200")),
      [],
    );
    assert.deepEqual(tokensOf(world.emulator), tokens);
  };

  it("leaves the program's values in the outputs", async () => {
    const { outputs } = await world.stack.resource("acme");
    assert.deepEqual(valuesOf(outputs), { name: " Acme ", mapping: undefined, properties: { region: "eu" } });
    assert.deepEqual((await world.stack.resource("bare")).outputs["properties"], undefined);
    assert.deepEqual((await world.stack.resource("tenants")).outputs["groups"], {
      one: { name: " One " },
      two: { name: "Two", properties: { region: "eu" } },
    });
  });

  it("settles after one creation", () => isSettled([]));

  it("stays settled after a refresh", async () => {
    succeeds(await world.stack.refresh());
    await isSettled([]);
  });

  describe("when somebody renames groups", () => {
    let preview: Result;
    before(async () => {
      world.emulator.renameGroup("acme", "Theirs");
      world.emulator.renameGroup("one", "Theirs");
      succeeds(await world.stack.refresh());
      world.emulator.clearRequests();
      preview = succeeds(await world.stack.preview({ flags: ["--diff"] }));
    });

    it("shows these groups alone in the preview after a refresh, with both names", () => {
      assert.match(preview.output, /~ name *: "Theirs" => " Acme "/);
      assert.match(preview.output, /~ name *: "Theirs" => " One "/);
      const changed = resources.filter((name) => stepsOf(preview, name).some(isChange));
      assert.deepEqual(changed, ["acme", "tenants"]);
    });

    it("repairs each by one replacement", async () => {
      succeeds(await world.stack.up());
      assert.deepEqual(requestsTo(world.emulator).sort(), [
        'DELETE "acme" deleted 200',
        'DELETE "one" deleted 200',
        'GET "acme" created 200',
        'GET "one" created 200',
      ]);
      tokens = tokensOf(world.emulator);
    });

    it("settles again", () => isSettled(["--refresh"]));
  });
});

describe("properties that are added and removed outside, each refreshed", () => {
  for (const { service, stored, options } of [
    { service: "stores what it receives", stored: {}, options: {} },
    { service: "adds a default property", stored: { plan: "free" }, options: { normalize } },
  ]) {
    const world = newWorld(() => ({ program: bothKinds }), options);
    const refreshWith = async (properties: object) => {
      for (const userGroupId of ["acme", "one"])
        world.emulator.putGroup({ userGroupId, name: "Tenant", ...properties });
      return succeeds(await world.stack.refresh());
    };

    it(`lead to no planned change where the service ${service}`, async () => {
      succeeds(await world.stack.up());
      const initial = Object.keys(stored).length > 0 ? { properties: stored } : {};
      await refreshWith({ properties: { ...stored, seats: 5 } });
      await refreshWith(initial);
      const preview = succeeds(await world.stack.preview({ flags: ["--diff"] }));
      for (const name of ["acme", "tenants"]) assert.deepEqual(stepsOf(preview, name), ["same"], name);
    });
  }
});

describe("changes: update, where the service trims names and adds a default property", () => {
  const world = newWorld(
    () => ({ program: programOf("Before"), config: { "user-groups:changes": "update" } }),
    { normalize, existing: "update" },
  );

  it("settles after one update", async () => {
    succeeds(await world.stack.up());
    const tokens = tokensOf(world.emulator);
    await world.stack.program(programOf(" After "));
    world.emulator.clearRequests();
    succeeds(await world.stack.up());
    assert.deepEqual(requestsTo(world.emulator).sort(), ['GET "acme" updated 200', 'GET "one" updated 200']);
    const preview = succeeds(await world.stack.preview({ flags: ["--diff"] }));
    for (const name of ["acme", "tenants"]) assert.deepEqual(stepsOf(preview, name), ["same"], name);
    assert.deepEqual(tokensOf(world.emulator), tokens);
  });
});

function isChange(step: string): boolean {
  return !["same", "refresh"].includes(step);
}

function programOf(name: string): string {
  return `
    const { UserGroup, UserGroups } = require("pulumi-user-groups");
    new UserGroup("acme", { userGroupId: "acme", name: "${name}" });
    new UserGroups("tenants", { groups: { one: { name: "${name}" } } });
  `;
}

const bothKinds = programOf("Tenant");

const program = `
  const { secret } = require("@pulumi/pulumi");
  const { UserGroup, UserGroups } = require("pulumi-user-groups");
  const properties = { region: "eu" };
  new UserGroup("acme", { userGroupId: "acme", name: " Acme ", properties });
  new UserGroup("bare", { userGroupId: "bare", name: "Bare" });
  new UserGroup("hidden", {
    userGroupId: "hidden",
    name: secret(" hidden-name "),
    properties: { region: secret("hidden-region") },
  });
  new UserGroups("tenants", { groups: { one: { name: " One " }, two: { name: "Two", properties } } });
`;
