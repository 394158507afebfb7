/** The recipe of docs/changes.md for rotations on a schedule, deployed at two dates. */
import assert from "node:assert/strict";
import { snippetsOf } from "../docs/pages";
import { newFixture, requestsTo, succeeds, tokensOf } from "./harness";

describe("docs/changes.md: rotation on a schedule", () => {
  const recipe = snippetsOf("docs/changes.md", "ts").find((snippet) => snippet.includes("period(")) ?? "";
  const manifest = '{ "name": "tests", "private": true, "main": "index.ts" }\n';
  const fixture = newFixture(() => ({ program: { "index.ts": recipe, "package.json": manifest } }));

  it("gives each customer a new token after 90 days and none on the same day, and keeps the former groups", async () => {
    const { stack, emulator } = fixture;
    const at = (date: string, ...flags: string[]) => ({ env: { TODAY: date }, flags });
    succeeds(await stack.up(at("2026-11-26")));
    const former = tokensOf(emulator);
    assert.equal(Object.keys(former).length, 2);
    emulator.clearRequests();
    succeeds(await stack.preview(at("2026-11-26", "--expect-no-changes")));
    assert.deepEqual(requestsTo(emulator), []);

    succeeds(await stack.up(at("2027-02-24")));
    const all = tokensOf(emulator);
    const added = Object.keys(all).filter((id) => !(id in former));
    assert.deepEqual(added.map((id) => id.split("~")[0]).sort(), ["acme", "globex"]);
    for (const id of Object.keys(former)) assert.equal(all[id], former[id]);
    const { tokens } = await stack.plainOutputs();
    assert.deepEqual(Object.values(tokens ?? {}).sort(), added.map((id) => all[id]).sort());
  });
});
