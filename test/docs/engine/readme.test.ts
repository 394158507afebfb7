import assert from "node:assert/strict";
import { newFixture, succeeds } from "../../engine/harness";
import { commands } from "../commands";
import { assertPrinted } from "./printed";
import { programOf, snippetOf } from "./pagePrograms";

describe("the README's program", () => {
  const fixture = newFixture(() => ({ program: programOf("README.md"), env: noSettings }));

  it("previews without settings, and sends no request", async () => {
    const preview = succeeds(await fixture.stack.preview());
    assertPrinted(preview, snippetOf("README.md", "text", 0).replace("tenants-dev", "tests-dev"));
    assert.deepEqual(preview.changes, { create: 3 });
    assert.deepEqual(fixture.emulator.requests, []);
  });

  it("takes its settings from the commands that the README shows", async () => {
    const values = [fixture.emulator.baseUrl, fixture.emulator.apiToken];
    const shown = commands.filter(
      ({ place, text }) => /^README.md:\d/.test(place) && text.includes("config set"),
    );
    assert.equal(shown.length, values.length);
    for (const [place, { words }] of shown.entries()) {
      const [, ...args] = words.filter((word) => !word.startsWith("https:"));
      succeeds(await fixture.stack.run([...args, values[place] ?? "", "--stack", "dev"]));
    }
    assert.deepEqual(succeeds(await fixture.stack.up()).changes, { create: 3 });
    const { acme, globex } = Object.fromEntries(fixture.emulator.groups);
    assert.deepEqual([acme?.name, acme?.mapping], ["Acme Corporation", { sales: "acme-warehouse" }]);
    assert.deepEqual([globex?.name, globex?.mapping], ["Globex", { sales: "globex-warehouse" }]);
  });

  it("gives the tokens out, which pulumi stack output shows as secrets", async () => {
    const { stdout } = succeeds(await fixture.stack.run(["stack", "output", "--stack", "dev", "--json"]));
    assert.equal(stdout.match(/"\[secret\]"/g)?.length, 2);
    const tokens = [...fixture.emulator.groups].map(([id, { token }]): [string, string] => [id, token]);
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: Object.fromEntries(tokens) });
  });

  it("previews a rename with the lines that the README shows", async () => {
    await fixture.stack.program(
      programOf("README.md", ['globex: "Globex"', 'globex: "Globex International"']),
    );
    assertPrinted(succeeds(await fixture.stack.preview()), snippetOf("README.md", "text", 1));
  });

  it("is right that a preview that refreshes creates a group that is gone", async () => {
    fixture.emulator.removeGroup("acme");
    succeeds(await fixture.stack.preview({ flags: ["--refresh"] }));
    assert(fixture.emulator.groups.has("acme"));
  });
});

/** The harness gives them, since most tests need them. */
const noSettings = { USER_GROUPS_BASE_URL: undefined, USER_GROUPS_API_TOKEN: undefined };
