/**
 * Every block of commands of every page runs in a scenario, or is marked on its page with what it needs. Without RELIABILITY=whole, only
 * the scenarios of every change run.
 */
import assert from "node:assert/strict";
import { buildPeer } from "../../../tools/bench/peer";
import type { Snippet } from "../../pages/pages";
import { isWhole } from "../../support/harness/whole";
import { testInLanes } from "../../support/lanes";
import { fromOpenTofu } from "./openTofu";
import { blocks, blocksAt, Place } from "./place";
import { assertDelivered, scenarios, type Scenario } from "./scenarios";
import { sources } from "./sources";

/** `SCENARIO=leaked npm test -- examples whole`: those whose title fits. */
const named = new RegExp(process.env["SCENARIO"] ?? "");
const withBlocks = [...scenarios, fromOpenTofu];
const chosen = withBlocks.filter(({ title, isSample = false }) => (isSample || isWhole) && named.test(title));

describe("the commands of the pages", () => {
  before("OpenTofu", () => {
    if (chosen.includes(fromOpenTofu)) buildPeer();
  });
  after(() => sources.remove());

  it("run in a scenario, or are marked with what they need", () => {
    const references = withBlocks.flatMap(({ steps }) =>
      steps.flatMap((step) => {
        if (typeof step === "function") return [];
        if (typeof step === "string") return step;
        return "serve" in step ? step.serve : step.follow;
      }),
    );
    const run = new Set(references.flatMap(blocksAt));
    const marked = blocks.filter(({ needs }) => needs !== undefined);
    const places = [...run, ...marked].map(placeOf);
    assert.deepEqual(places.sort(), blocks.map(placeOf).sort(), "A block is left out, or in two ways");
    console.log(
      `      ${blocks.length} blocks of commands: ${run.size} run in ${withBlocks.length} scenarios, ` +
        `${marked.length} are marked`,
    );
  });

  it("refresh without a preview, which would create groups and not store their tokens", () => {
    const refreshes = blocks.flatMap(({ text }) => text.match(/pulumi (.*--refresh|refresh).*/g) ?? []);
    assert(refreshes.length > 0);
    for (const command of refreshes) assert.match(command, /--skip-preview|^pulumi destroy /);
  });

  testInLanes(chosen, { lanes: 2, title: ({ title }) => title, test: play });
});

function placeOf({ page, line }: Snippet): string {
  return `${page}:${line}`;
}

async function play({ steps, end = "delivered", ...options }: Scenario): Promise<void> {
  const place = await Place.make(options);
  try {
    for (const step of steps) {
      if (typeof step === "string") await place.follow(step);
      else if (typeof step === "function") await step(place);
      else if ("serve" in step) await place.serve(step.serve, step.shows);
      else
        assert(
          (await place.follow(step.follow)).includes(step.prints),
          `${step.follow} prints something else`,
        );
    }
    await assertEnd(place, end);
  } finally {
    await place.remove();
  }
}

async function assertEnd(place: Place, end: NonNullable<Scenario["end"]>): Promise<void> {
  if (end === "checked") return;
  if (end === "gone") {
    assert.equal(place.emulator.groups.size, 0);
    return;
  }
  await place.shell("pulumi preview --expect-no-changes");
  if (end === "settled") return;
  await assertDelivered(place);
  const { stdout } = await place.shell("pulumi stack output tokens --show-secrets --json");
  assert.deepEqual(
    JSON.parse(stdout),
    JSON.parse((await place.shell("cat tokens.json # --show-secrets")).stdout),
  );
}
