import assert from "node:assert/strict";
import {
  clearRequests,
  faulty,
  program,
  setObjects,
  startServices,
  stackOptions,
  type Services,
} from "./connectionServices";
import { errorOf, fails, newStack, requestsTo, stepsOf, succeeds, tokensOf, type Stack } from "./harness";

describe("connection", () => {
  let services: Services;
  let stack: Stack;
  before("a service without a name, two with one, and a stack", async () => {
    services = await startServices();
    stack = await newStack(stackOptions(services));
    await setObjects(stack, services);
    succeeds(await stack.up());
  });
  after("their end", async () => {
    await stack.remove();
    for (const service of [services.unnamed, services.eu, services.us]) await service.stop();
  });

  it("finds its settings in the environment, under literal keys, and in an object, plain or secret", () => {
    assert.deepEqual(requestsTo(services.eu).sort(), [
      'GET "by-environment" created 200',
      'GET "by-keys" created 200',
    ]);
    assert.deepEqual(requestsTo(services.us).sort(), [
      'GET "by-object" created 200',
      'GET "by-sealed" created 200',
      'GET "many" created 200',
    ]);
  });

  it("sends each API token to its own service only, and nothing to the one without a name", () => {
    const { unnamed, eu, us } = services;
    for (const { authorized } of [...eu.requests, ...us.requests]) assert(authorized);
    assert.deepEqual(requestsTo(unnamed), []);
  });

  it("gives each group the token that its own service gave", async () => {
    const { tokens } = await stack.plainOutputs();
    assert.deepEqual(tokens, { ...tokensOf(services.eu), ...tokensOf(services.us) });
  });

  it("reads each group from its own service", async () => {
    clearRequests(services);
    services.us.rotateToken("by-object");
    succeeds(await stack.refresh());
    assert.deepEqual(requestsTo(services.eu).length, 2);
    assert.deepEqual(requestsTo(services.us, "by-object"), ['GET "by-object" returned 200']);
    assert.deepEqual(requestsTo(services.unnamed), []);
  });

  describe("changed", () => {
    before(async () => {
      clearRequests(services);
      await stack.program(program({ environment: "sealed", many: "keys" }));
    });

    it("creates in the new service before it deletes in the old one", async () => {
      const former = services.eu.groups.get("by-environment")?.token;
      const moved = succeeds(await stack.up());
      const [us, eu] = [services.us, services.eu];
      for (const [name, to, from] of [
        ["by-environment", us, eu],
        ["many", eu, us],
      ] as const) {
        assert.deepEqual(stepsOf(moved, name), ["create-replacement", "replace", "delete-replaced"]);
        assert.deepEqual(requestsTo(to, name), [`GET "${name}" created 200`]);
        assert.deepEqual(requestsTo(from, name), [`DELETE "${name}" deleted 200`]);
        const [created, deleted] = [to, from].map(({ requests }) =>
          requests.find(({ userGroupId }) => userGroupId === name),
        );
        assert((created?.receivedAt ?? Infinity) <= (deleted?.receivedAt ?? 0));
      }
      const { tokens } = await stack.plainOutputs();
      assert.deepEqual(tokens, { ...tokensOf(services.eu), ...tokensOf(services.us) });
      assert.notEqual(services.us.groups.get("by-environment")?.token, former);
    });
  });

  describe("renamed, for the same service", () => {
    it("keeps the group and its token", async () => {
      clearRequests(services);
      const former = [tokensOf(services.eu), tokensOf(services.us)];
      await stack.program(program(renamed));
      const up = succeeds(await stack.up());
      for (const name of ["by-sealed", "many"]) assert.deepEqual(stepsOf(up, name), ["update"]);
      assert.deepEqual([requestsTo(services.eu), requestsTo(services.us)], [[], []]);
      assert.deepEqual([tokensOf(services.eu), tokensOf(services.us)], former);
    });
  });

  describe("with a fault", () => {
    let token: string;
    before(async () => {
      token = services.us.apiToken;
      services.us.rotateApiToken();
      await stack.program(program(renamed) + faulty);
    });
    after(() => {
      services.us.rotateApiToken(token);
    });

    it("is named by the error, with the keys of its own that were looked at", async () => {
      const failed = fails(await stack.up({ flags: ["--continue-on-error"] }));
      const refused = errorOf(failed, "refused");
      assert.match(refused, /user group "refused" \(connection "object"\).*\[unauthorized\]/);
      assert.match(refused, /user-groups:object\.apiToken \(or USER_GROUPS_OBJECT_API_TOKEN\)/);
      const unset = errorOf(failed, "unset");
      assert.match(unset, /user-groups:ap-2\.baseUrl is missing.*\[setting-missing\]/);
      assert.match(
        unset,
        /USER_GROUPS_AP_2_BASE_URL or run pulumi config set --path 'user-groups:ap-2\.baseUrl'/,
      );
      assert.deepEqual(requestsTo(services.unnamed), []);
    });
  });

  describe("in the state", () => {
    it("leads each deletion to the service that has the group", async () => {
      clearRequests(services);
      succeeds(await stack.destroy());
      assert.deepEqual(requestsTo(services.eu).sort(), [
        'DELETE "by-keys" deleted 200',
        'DELETE "many" deleted 200',
      ]);
      assert.equal(requestsTo(services.us).filter((line) => line.endsWith("deleted 200")).length, 3);
      assert.deepEqual(requestsTo(services.unnamed), []);
    });
  });
});

/** The names of two connections for the service that the resource has already. */
const renamed = { environment: "sealed", sealed: "object", many: "environment" };
