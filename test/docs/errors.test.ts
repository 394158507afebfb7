/** The errors' samples on the page of messages, and that what a message says to do ends its error. */
import assert from "node:assert/strict";
import { errorCodes } from "../../provider/src/errors";
import type { Context, Elsewhere } from "../harness/context";
import { unresolvable } from "../harness/providers";
import { groupsIn, type GroupValues } from "../model/groups";
import type { Outcome } from "../model/run";
import { errorCases, furtherCases } from "./errorCases";
import { closedUrl, failureOf, inCase, messageOf, startElsewhere, type Program } from "./errorSteps";
import { samplesOf } from "./messagesPage";

let elsewhere: Elsewhere;
before(async () => {
  elsewhere = await startElsewhere();
});
after(() => Promise.all([elsewhere.stranger.stop(), elsewhere.untrusted.stop()]));

describe("the page of messages", () => {
  for (const code of errorCodes)
    it(`shows the message of ${code}`, () =>
      inCase(errorCases[code], elsewhere, async (context) => {
        const message = await messageOf(errorCases[code], context);
        assert.deepEqual(samplesOf(code), [likeTheSample(message, context)]);
      }));
});

describe("what a message says to do", () => {
  let ended = 0;
  const cases = [
    ...errorCodes.map((code) => ({ ...errorCases[code], message: new RegExp(`\\[${code}\\]`) })),
    ...furtherCases,
  ];
  const remedies = cases.flatMap((each) =>
    Object.entries(each.remedies).map(([name, remedy]) => ({ each, name, remedy })),
  );

  for (const { each, name, remedy } of remedies)
    it(`${name}: ends ${each.message.source}`, () =>
      inCase(each, elsewhere, async (context) => {
        const message = await messageOf(each, context);
        assert.match(message, each.message);
        for (const step of remedy.steps) assert.equal(failureOf(await step(context, message)), "");
        await assertEnded(remedy.program, context);
        ended += 1;
      }));

  it("is tested of each code but that of a defect", () => {
    const untested = errorCodes.filter((code) => Object.keys(errorCases[code].remedies).length === 0);
    assert.deepEqual(untested, ["unexpected"]);
    console.log(`      ${ended} of ${remedies.length} remedies end their error`);
  });
});

/** The program deploys, leaves nothing to do, and state and service have the same groups, all of which go with it. */
async function assertEnded(program: Program, { emulator, engine }: Context): Promise<void> {
  succeeded(await engine.up(program));
  const { steps } = succeeded(await engine.up(program));
  assert.deepEqual(
    steps,
    steps.filter((step) => step === "read lookup"),
  );
  assert.deepEqual(byToken(groupsIn(engine.resources)), byToken([...emulator.groups.values()]));
  succeeded(await engine.destroy());
  assert.deepEqual([...emulator.groups.keys()], []);
}

function succeeded(outcome: Outcome): Outcome {
  assert.deepEqual(outcome.failures, []);
  return outcome;
}

function byToken(groups: readonly GroupValues[]): object {
  return Object.fromEntries(
    groups.map(({ token, name, mapping = null, properties = null }) => [
      token,
      { name, mapping, properties },
    ]),
  );
}

/** Ports, numbers of attempts and lines of the source differ from run to run. */
function likeTheSample(message: string, { emulator, strangerUrl, untrustedUrl }: Context): string {
  return [closedUrl, emulator.baseUrl, untrustedUrl]
    .reduce((text, url) => text.replaceAll(url, "https://analytics.example.com"), message)
    .replaceAll(strangerUrl, "https://other.example.com")
    .replaceAll(unresolvable, "nowhere")
    .replace(/, \d+ attempts/, ", 9 attempts")
    .replace(/ at [\w.]+:\d+/, " at client.js:12")
    .replaceAll("\n", " ");
}
