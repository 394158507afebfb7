import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { newStack, requestsTo, succeeds, tokensOf, type Stack } from "../engine/harness";
import { example } from "./example";

describe("examples/two-regions", () => {
  let [eu, us]: [Emulator?, Emulator?] = [];
  let stack: Stack | undefined;
  afterEach(async () => {
    await stack?.remove();
    await eu?.stop();
    await us?.stop();
  });

  it("creates each customer's group in the service of its region", async () => {
    [eu, us] = [await startEmulator(), await startEmulator()];
    const env = {
      USER_GROUPS_EU_BASE_URL: eu.baseUrl,
      USER_GROUPS_EU_API_TOKEN: eu.apiToken,
      USER_GROUPS_US_BASE_URL: us.baseUrl,
      USER_GROUPS_US_API_TOKEN: us.apiToken,
    };
    stack = await newStack({ program: example("two-regions"), env, services: [eu, us] });
    succeeds(await stack.up());
    assert.deepEqual(requestsTo(eu), ['GET "acme" created 200']);
    assert.deepEqual(requestsTo(us), ['GET "globex" created 200']);
    assert.deepEqual(await stack.plainOutputs(), { tokens: { ...tokensOf(eu), ...tokensOf(us) } });
  });
});
