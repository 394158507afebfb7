import assert from "node:assert/strict";
import { fails, newFixture, requestsTo, succeeds, warningsOf, type Result } from "../engine/harness";
import { example } from "./example";

describe("examples/adopting", () => {
  const fixture = newFixture((emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Acme", properties: { region: "eu" } });
    emulator.putGroup({ userGroupId: "globex", name: "Globex International" });
    return { program: example("adopting") };
  });
  const tokenOf = (id: string) => fixture.emulator.groups.get(id)?.token ?? "there is no such group";
  let former: Record<string, string>;
  let adopted: Result;
  before(async () => {
    former = { acme: tokenOf("acme"), globex: tokenOf("globex") };
    adopted = succeeds(await fixture.stack.up());
  });

  it("takes the groups over with their tokens, and creates none", async () => {
    assert.deepEqual(requestsTo(fixture.emulator).sort(), [
      'GET "acme" returned 200',
      'GET "globex" returned 200',
    ]);
    assert.deepEqual(await fixture.stack.plainOutputs(), { created: [], tokens: former });
  });

  it("warns of the one whose name is another at the service", () => {
    const warnings = warningsOf(adopted).filter((warning) => warning.includes("different name"));
    assert.deepEqual([warnings.length, warnings[0]?.includes('"globex"')], [1, true]);
  });

  it("doesn't let a preview pass that would replace it", async () => {
    fails(await fixture.stack.preview(), /globex.*\n?.*protect/i);
  });

  it("leaves them alone once the program says what the service shows, and names what it creates", async () => {
    const corrected = {
      '{ name: "Globex",': '{ name: "Globex International",',
      "  acme:": '  akme: { name: "Akme" },\n  acme:',
    };
    await fixture.stack.program(example("adopting", { "existing.ts": corrected }));
    assert.deepEqual(succeeds(await fixture.stack.up()).changes, { same: 3, create: 1 });
    const tokens = { ...former, akme: tokenOf("akme") };
    assert.deepEqual(await fixture.stack.plainOutputs(), { created: ["akme"], tokens });
  });

  it("leaves the groups in the service when they leave the program", async () => {
    succeeds(await fixture.stack.run(["state", "unprotect", "--all", "--yes", "--stack", "dev"]));
    assert.deepEqual(succeeds(await fixture.stack.destroy()).changes, { delete: 4 });
    assert.deepEqual([...fixture.emulator.groups.keys()].sort(), ["acme", "akme", "globex"]);
    assert.deepEqual({ acme: tokenOf("acme"), globex: tokenOf("globex") }, former);
  });
});
