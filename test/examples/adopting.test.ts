/** Groups that another owner made, taken over by examples/adopting and left to others again. */
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
    assert.match(warnings, /"globex" differs in name/);
    assert.doesNotMatch(warnings, /"acme" differs/);
    assert.deepEqual(await stack.plainOutputs(), { created: [], tokens: former });
    fails(await stack.preview(), /globex.*\n?.*protect/i);
  });

  it("leaves them alone once the program says what the service shows, names what it creates, and retains all", async () => {
    const { emulator, stack } = fixture;
    const corrected = {
      '{ name: "Globex",': '{ name: "Globex International",',
      "  acme:": '  akme: { name: "Akme" },\n  acme:',
    };
    emulator.clearRequests();
    await stack.program(example("adopting", { "existing.ts": corrected }));
    assert.deepEqual(succeeds(await stack.up()).changes, { same: 2, update: 1, create: 1 });
    assert.deepEqual(requestsTo(emulator), ['GET "akme" created 200']);
    assert.deepEqual(succeeds(await stack.preview()).changes, { same: 4 });
    const tokens = tokensOf(emulator);
    assert.deepEqual(await stack.plainOutputs(), { created: ["akme"], tokens });
    succeeds(await stack.shell("pulumi state unprotect --all --yes"));
    assert.deepEqual(succeeds(await stack.destroy()).changes, { delete: 4 });
    assert.deepEqual(tokensOf(emulator), tokens);
  });
});
