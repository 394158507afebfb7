// examples/quickstart on the real engine, with the emulator as the service. Each step is checked against what the
// engine says and against what the service then has.
import assert from "node:assert/strict";
import { succeeds, tokensOf, withFixture, type Fixture } from "../engine/harness";
import { example } from "../examples/example";

/** The IDs and names in the service, in order. `overlap` makes the ID of globex of its values. */
function groupsIn({ emulator }: Fixture): string[] {
  return [...emulator.groups.values()]
    .map(({ userGroupId, name }) => `${userGroupId.replace(/~[0-9a-f]{8}$/, "~…")} ${name}`)
    .sort();
}

/** The program exports the tokens that the service has. */
async function assertExported({ stack, emulator }: Fixture): Promise<void> {
  const tokens: Record<string, string> = {};
  for (const [id, token] of Object.entries(tokensOf(emulator))) tokens[id.replace(/~.*/, "")] = token;
  assert.deepEqual(await stack.plainOutputs(), { tokens });
}

const steps: Readonly<Record<string, (fixture: Fixture) => Promise<void>>> = {
  "A preview sends no request": async ({ stack, emulator }) => {
    assert.deepEqual(succeeds(await stack.preview()).changes, { create: 3 });
    assert.deepEqual(emulator.requests, []);
  },
  "The first up creates both groups": async (fixture) => {
    assert.deepEqual(succeeds(await fixture.stack.up()).changes, { create: 3 });
    assert.deepEqual(groupsIn(fixture), ["acme Acme", "globex~… Globex"]);
  },
  "The tokens are an output, and a secret": async (fixture) => {
    const { stdout } = succeeds(await fixture.stack.run(["stack", "output", "--stack", "dev"]));
    assert.match(stdout, /tokens +\{"acme":"\[secret\]"/);
    await assertExported(fixture);
  },
  "A second up changes nothing": async ({ stack, emulator }) => {
    emulator.clearRequests();
    assert.deepEqual(succeeds(await stack.up()).changes, { same: 3 });
    assert.deepEqual(emulator.requests, []);
  },
  "The preview of a rename names the customer who gets a new token": async ({ stack }) => {
    const renamed = { "index.ts": { 'name: "Globex"': 'name: "Globex International"' } };
    await stack.program(example("quickstart", renamed));
    const { changes, output } = succeeds(await stack.preview());
    assert.deepEqual(changes, { update: 1, same: 2 });
    assert.match(output, /user group "globex" gets a new token/);
  },
  "With overlap, up keeps the former group and its token, so no dashboard is blank": async (fixture) => {
    succeeds(await fixture.stack.up());
    assert.deepEqual(groupsIn(fixture), ["acme Acme", "globex~… Globex", "globex~… Globex International"]);
  },
  "The next up deletes the former group": async (fixture) => {
    succeeds(await fixture.stack.up());
    assert.deepEqual(groupsIn(fixture), ["acme Acme", "globex~… Globex International"]);
  },
  "Somebody deleted acme outside; a refresh brings it back, with a new token": async (fixture) => {
    assert(fixture.emulator.removeGroup("acme"));
    const { output } = succeeds(await fixture.stack.refresh());
    assert.match(output, /user group "acme" didn't exist.*new token/);
    succeeds(await fixture.stack.up());
    await assertExported(fixture);
  },
  "A destroy deletes both groups": async (fixture) => {
    assert.deepEqual(succeeds(await fixture.stack.destroy()).changes, { delete: 3 });
    assert.deepEqual(groupsIn(fixture), []);
  },
};

async function demonstrate(): Promise<void> {
  console.log("# A new stack, on a file backend in a temporary folder");
  const echo = (text: string) => process.stdout.write(text);
  await withFixture(
    () => ({ program: example("quickstart"), echo }),
    {},
    async (fixture) => {
      for (const [heading, step] of Object.entries(steps)) {
        console.log(`\n# ${heading}\n`);
        await step(fixture);
      }
    },
  );
  console.log("\nAll steps went as they should.");
}

void demonstrate().catch((error: unknown) => {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
