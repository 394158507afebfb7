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
      await stack.program(program({ environment: "sealed" }));
    });

    it("creates in the new service before it deletes in the old one", async () => {
      const former = services.eu.groups.get("by-environment")?.token;
      const moved = succeeds(await stack.up());
      assert.deepEqual(stepsOf(moved, "by-environment"), [
        "create-replacement",
        "replace",
        "delete-replaced",
      ]);
      assert.deepEqual(requestsTo(services.us), ['GET "by-environment" created 200']);
      assert.deepEqual(requestsTo(services.eu), ['DELETE "by-environment" deleted 200']);
      const [[created], [deleted]] = [services.us.requests, services.eu.requests];
      assert((created?.receivedAt ?? Infinity) <= (deleted?.receivedAt ?? 0));
      const { tokens } = await stack.plainOutputs();
      assert.deepEqual(tokens, { ...tokensOf(services.eu), ...tokensOf(services.us) });
      assert.notEqual(services.us.groups.get("by-environment")?.token, former);
    });
  });

  describe("renamed, for the same service", () => {
    it("keeps the group and its token", async () => {
      clearRequests(services);
      const token = services.us.groups.get("by-sealed")?.token;
      await stack.program(program({ environment: "sealed", sealed: "object" }));
      const renamed = succeeds(await stack.up());
      assert.deepEqual(stepsOf(renamed, "by-sealed"), ["update"]);
      assert.deepEqual(requestsTo(services.us), []);
      assert.equal(services.us.groups.get("by-sealed")?.token, token);
    });
  });

  describe("with a fault", () => {
    let token: string;
    before(async () => {
      token = services.us.apiToken;
      services.us.rotateApiToken();
      await stack.program(program({ environment: "sealed", sealed: "object" }) + faulty);
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

  describe("recorded", () => {
    it("leads each deletion to the service that has the group", async () => {
      clearRequests(services);
      succeeds(await stack.destroy());
      assert.deepEqual(requestsTo(services.eu), ['DELETE "by-keys" deleted 200']);
      assert.equal(requestsTo(services.us).filter((line) => line.endsWith("deleted 200")).length, 4);
      assert.deepEqual(requestsTo(services.unnamed), []);
    });
  });
});
