// examples/quickstart on the real engine, with the emulator as the service. After each step, the requests that the service has
// received are shown, and checked.
import assert from "node:assert/strict";
import { requestsTo, succeeds, withFixture, type Fixture } from "../../support/engine";
import type { Ended } from "../../support/harness/run";
import { example } from "../example";

interface Step {
  readonly heading: string;
  readonly run: (fixture: Fixture) => Promise<Ended>;
  /** `overlap` makes the ID of globex of its values. */
  readonly requests: readonly string[];
}

const steps: readonly Step[] = [
  { heading: "A preview sends no request", run: ({ stack }) => stack.preview(), requests: [] },
  {
    heading: "The first up creates both groups",
    run: ({ stack }) => stack.up(),
    requests: ['GET "acme" created 200', 'GET "globex~…" created 200'],
  },
  {
    heading: "The tokens are an output, and a secret",
    run: ({ stack }) => stack.run(["stack", "output", "--stack", "dev"]),
    requests: [],
  },
  { heading: "A second up changes nothing", run: ({ stack }) => stack.up(), requests: [] },
  {
    heading: "The preview of a rename names the customer who gets a new token",
    run: async ({ stack }) => {
      const renamed = { "index.ts": { 'name: "Globex"': 'name: "Globex International"' } };
      await stack.program(example("quickstart", renamed));
      const preview = await stack.preview();
      assert.match(preview.output, /user group "globex" gets a new token/);
      return preview;
    },
    requests: [],
  },
  {
    heading: "With overlap, up keeps the former group and its token, so no dashboard is blank",
    run: ({ stack }) => stack.up(),
    requests: ['GET "globex~…" created 200'],
  },
  {
    heading: "The next up keeps it, too: the former group stays for 24 hours",
    run: ({ stack }) => stack.up(),
    requests: [],
  },
  {
    heading: "Somebody deleted acme outside; a refresh brings it back, with a new token",
    run: async ({ stack, emulator }) => {
      emulator.removeGroup("acme");
      const refresh = await stack.refresh();
      assert.match(refresh.output, /user group "acme" didn't exist.*new token/);
      return refresh;
    },
    requests: ['GET "acme" created 200', 'GET "globex~…" returned 200'],
  },
  {
    heading: "A destroy deletes both groups",
    run: ({ stack }) => stack.destroy(),
    requests: ['DELETE "acme" deleted 200', 'DELETE "globex~…" deleted 200', 'DELETE "globex~…" deleted 200'],
  },
];

async function demonstrate(): Promise<void> {
  console.log("# A new stack, on a file backend in a temporary folder");
  const echo = (text: string) => process.stdout.write(text);
  await withFixture(
    () => ({ program: example("quickstart"), echo }),
    {},
    async (fixture) => {
      const { emulator } = fixture;
      for (const { heading, run, requests } of steps) {
        console.log(`\n# ${heading}\n`);
        succeeds(await run(fixture));
        const received = requestsTo(emulator).map((line) => line.replace(/~[0-9a-f]{8}/, "~…"));
        console.log(`Requests: ${received.join(", ") || "none"}`);
        assert.deepEqual(received.sort(), [...requests].sort());
        emulator.clearRequests();
      }
    },
  );
  console.log(`
All steps went as they should. Next:
- docs/guide.md: the whole life of a customer, in fifteen minutes, in a program of your own
- examples/: a pipeline, a database, an application, a worker
- npm test: the tests`);
}

void demonstrate().catch((error: unknown) => {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
