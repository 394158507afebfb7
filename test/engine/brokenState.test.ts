/** A full disk cuts the state of a file backend off. docs/messages.md says how to go on. */
import assert from "node:assert/strict";
import { copyFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  fails,
  newFixture,
  packageProgram,
  requestsTo,
  succeeds,
  tokensOf,
  type Fixture,
} from "../support/engine";

const programWith = (others: string) =>
  packageProgram(`
    new UserGroups("many", { ${others} groups: { a: { name: "A" }, b: { name: "B", mapping: { sales: "b" } } } });
  `);
const inRestored = ["--stack", "restored"];

describe("a state that a full disk cut off", () => {
  describe("stops every command of its stack", () => {
    const fixture = newFixture(() => ({ program: programWith("") }));

    it("until its backup is copied over it", async () => {
      const { stack, emulator } = fixture;
      succeeds(await stack.up());
      const tokens = tokensOf(emulator);
      await cutOff(fixture);
      for (const command of [["preview"], ["stack", "export"], ["refresh", "--yes", "--skip-preview"]])
        fails(await stack.run([...command, "--stack", "dev"]), /place 1: unexpected end of JSON input/);
      fails(await stack.run(["stack", "ls"]), /place 1: unexpected end of JSON input/);
      await copyFile(stateFile(fixture, "dev.json.bak"), stateFile(fixture, "dev.json"));
      succeeds(await stack.run(["cancel", "--yes", "--stack", "dev"]));
      succeeds(await stack.refresh({ flags: ["--clear-pending-creates"] }));
      succeeds(await stack.up());
      assert.deepEqual(tokensOf(emulator), tokens);
      assert.deepEqual(succeeds(await stack.preview()).changes, { same: 2 });
    });
  });

  describe("and its backup", () => {
    const fixture = newFixture(() => ({ program: programWith("overlap: true,") }));

    it("leave groups with derived IDs, which a new stack finds", async () => {
      const { stack, emulator } = fixture;
      succeeds(await stack.up());
      await assertRestored(fixture, async () => {
        succeeds(await stack.run(["up", "--yes", "--skip-preview", ...inRestored]));
        assert(
          requestsTo(emulator).every((request) => /^GET .* returned 200$/.test(request)),
          requestsTo(emulator).join(),
        );
      });
    });
  });

  describe("and its backup", () => {
    const fixture = newFixture(() => ({ program: programWith("") }));

    it("leave groups that enter a new stack with the delivered tokens", async () => {
      const { stack, emulator } = fixture;
      succeeds(await stack.up());
      const delivered = tokensOf(emulator);
      await assertRestored(fixture, async () => {
        const source = {
          a: { name: "A", token: delivered["a"] },
          b: { name: "B", token: delivered["b"], mapping: { sales: "b" } },
        };
        await writeFile(join(stack.folder, "delivered.json"), JSON.stringify(source));
        const written = "--out import.json --program groups.json --resource many";
        succeeds(await stack.shell(`pulumi-user-groups import-file --from delivered.json ${written}`));
        const importing = ["import", "--file", "import.json", "--generate-code=false", "--yes"];
        succeeds(await stack.run([...importing, ...inRestored]));
        succeeds(await stack.run(["up", "--yes", "--skip-preview", ...inRestored]));
        assert.deepEqual(requestsTo(emulator), []);
      });
    });
  });
});

function stateFile({ stack }: Fixture, name: string): string {
  const backend = String(stack.env["PULUMI_BACKEND_URL"]).replace("file://", "");
  return join(backend, ".pulumi/stacks/tests", name);
}

/** As a disk without space leaves a state whose first block was written. */
function cutOff(fixture: Fixture, name = "dev.json"): Promise<void> {
  return truncate(stateFile(fixture, name), 300);
}

/** The groups have their tokens after `work`, which begins with an empty stack. */
async function assertRestored(fixture: Fixture, work: () => Promise<void>): Promise<void> {
  const { stack, emulator } = fixture;
  const tokens = tokensOf(emulator);
  await cutOff(fixture);
  await cutOff(fixture, "dev.json.bak");
  emulator.clearRequests();
  succeeds(await stack.run(["stack", "init", "--no-select", "restored"]));
  await work();
  assert.deepEqual(tokensOf(emulator), tokens);
  succeeds(await stack.run(["preview", "--expect-no-changes", ...inRestored]));
}
