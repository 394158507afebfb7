import assert from "node:assert/strict";
import { fails, newFixture, requestsTo, succeeds, tokensOf, warningsOf } from "../engine/harness";
import { example } from "./example";

describe("examples/adopting", () => {
  const fixture = newFixture((emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Acme", properties: { region: "eu" } });
    emulator.putGroup({ userGroupId: "globex", name: "Globex International" });
    return { program: example("adopting") };
  });

  it("takes the groups over with their tokens, and protects the one whose name is another at the service", async () => {
    const { emulator, stack } = fixture;
    const former = tokensOf(emulator);
    const warnings = warningsOf(succeeds(await stack.up())).join("\n");
    assert.match(warnings, /"globex" has another name/);
    assert.doesNotMatch(warnings, /"acme" has another name/);
    assert.deepEqual(await stack.plainOutputs(), { created: [], tokens: former });
    fails(await stack.preview(), /globex.*\n?.*protect/i);
    assert.deepEqual(tokensOf(emulator), former);
  });

  it("leaves them alone once the program says what the service shows, names what it creates, and retains all", async () => {
    const { emulator, stack } = fixture;
    const corrected = {
      '{ name: "Globex",': '{ name: "Globex International",',
      "  acme:": '  akme: { name: "Akme" },\n  acme:',
    };
    emulator.clearRequests();
    await stack.program(example("adopting", { "existing.ts": corrected }));
    assert.match(succeeds(await stack.preview()).output, /~ 1 to update/);
    assert.deepEqual(succeeds(await stack.up()).changes, { same: 2, update: 1, create: 1 });
    assert.deepEqual(requestsTo(emulator), ['GET "akme" created 200']);
    assert.deepEqual(succeeds(await stack.preview()).changes, { same: 4 });
    const tokens = tokensOf(emulator);
    assert.deepEqual(await stack.plainOutputs(), { created: ["akme"], tokens });
    succeeds(await stack.run(["state", "unprotect", "--all", "--yes", "--stack", "dev"]));
    assert.deepEqual(succeeds(await stack.destroy()).changes, { delete: 4 });
    assert.deepEqual(tokensOf(emulator), tokens);
  });
});
