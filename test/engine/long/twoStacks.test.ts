import assert from "node:assert/strict";
import {
  fails,
  newStack,
  newFixture,
  requestsTo,
  succeeds,
  tokensOf,
  warningsOf,
  type Stack,
} from "../harness";

/** Each test goes on where the one before it stopped, as the section of docs/existing-groups.md does. */
describe("one group in two stacks", () => {
  const fixture = newFixture(() => ({ program }));
  let other: Stack;
  before(async () => {
    other = await newStack({ emulator: fixture.emulator, program });
    succeeds(await fixture.stack.up());
  });
  after(() => other.remove());
  beforeEach(() => {
    fixture.emulator.clearRequests();
  });
  const tokenIn = async (stack: Stack): Promise<unknown> => (await stack.plainOutputs())["token"];
  const token = (): string | undefined => tokensOf(fixture.emulator)["acme"];

  it("is adopted by the second, with its token", async () => {
    const up = succeeds(await other.up());
    assert.deepEqual(requestsTo(fixture.emulator), ['GET "acme" returned 200']);
    assert.match(warningsOf(up).join("\n"), /"acme" existed before and is adopted with its token/);
    assert.equal(await tokenIn(other), token());
    assert.equal(await tokenIn(fixture.stack), token());
  });

  it("has its new token in the outputs of each after an up of it that refreshes", async () => {
    fixture.emulator.rotateToken("acme");
    succeeds(await fixture.stack.up(refreshing));
    assert.equal(await tokenIn(fixture.stack), token());
    assert.notEqual(await tokenIn(other), token());
    succeeds(await other.up(refreshing));
    assert.equal(await tokenIn(other), token());
    assert.deepEqual(requestsTo(fixture.emulator), ['GET "acme" returned 200', 'GET "acme" returned 200']);
  });

  it("is deleted by the destroy of either, which the next up of the other doesn't notice", async () => {
    succeeds(await other.destroy());
    assert.equal(fixture.emulator.groups.size, 0);
    succeeds(await fixture.stack.up());
    assert.deepEqual(requestsTo(fixture.emulator), ['DELETE "acme" deleted 200']);
  });

  it("is created again, with another token, by an up of the other that refreshes", async () => {
    const former = await tokenIn(fixture.stack);
    const up = succeeds(await fixture.stack.up(refreshing));
    assert.match(
      warningsOf(up).join("\n"),
      /"acme" didn't exist in the service\. It was created again, with a new token/,
    );
    assert.deepEqual(requestsTo(fixture.emulator), ['GET "acme" created 200']);
    assert.notEqual(token(), former);
    assert.equal(await tokenIn(fixture.stack), token());
  });

  it("is replaced by the second where that has another name for it, which the first finds out by a refresh", async () => {
    await other.program(program.replace('"Acme"', '"Theirs"'));
    const adopting = succeeds(await other.up());
    assert.match(
      warningsOf(adopting).join("\n"),
      /"acme" has a different name or different properties in the service/,
    );
    assert.equal(await tokenIn(fixture.stack), token());
    succeeds(await other.up());
    assert.notEqual(await tokenIn(fixture.stack), token());
    fails(await fixture.stack.destroy(), /Its token may be stale: .*pulumi destroy --refresh/);
    assert.equal(fixture.emulator.groups.get("acme")?.name, "Theirs");
    succeeds(await fixture.stack.destroy(refreshing));
    assert.equal(fixture.emulator.groups.size, 0);
  });
});

const refreshing = { flags: ["--refresh"] };

const program = `
  const { UserGroup } = require("pulumi-user-groups");
  exports.token = new UserGroup("acme", { userGroupId: "acme", name: "Acme" }).token;
`;
