/**
 * Ten pull requests, reviewed by a person who sees only the comment: the review of a real preview, with its words. RECORD=true writes the
 * previews and the reviews that the unit tests and a page have.
 */
import assert from "node:assert/strict";
import { z } from "zod";
import { runCommand } from "../unit/cli/runCommand";
import { newFixture, packageProgram, pluginProgram, succeeds } from "../support/engine";
import { isWhole } from "../support/harness/whole";
import {
  before as programsBefore,
  picture,
  programOf,
  pullRequests,
  type PullRequest,
} from "./reviews/pullRequests";
import { readReview, record, type Form } from "./reviews/recorded";

const reviewed = z.object({
  customers: z.array(
    z.object({
      userGroupId: z.string(),
      outcome: z.string(),
      isPossible: z.boolean(),
      mapping: z.unknown().optional(),
    }),
  ),
  guards: z.array(z.object({ guard: z.string() })),
});

const forms = [
  ["dynamic", "pulumi-user-groups", packageProgram],
  ["plugin", "pulumi-user-groups/plugin", pluginProgram],
] as const satisfies [Form, string, typeof packageProgram][];

// The unit tests have the recorded previews of both forms. That the engine still prints those of the plugin is seen before a release.
for (const [form, name, filesOf] of forms.filter(([each]) => isWhole || each === "dynamic"))
  describe(`the review of a pull request, with the form ${form}`, () => {
    const programFiles = (text: string) => ({ ...filesOf(""), "index.js": text.replace("$package", name) });
    const [first = "", second = ""] = programsBefore;
    const fixture = newFixture(() => ({ program: programFiles(first) }));
    before("the main branch", async () => {
      const { stack } = fixture;
      succeeds(await stack.up());
      await stack.program(programFiles(second));
      succeeds(await stack.up());
    });

    for (const pullRequest of [...pullRequests, picture])
      it(`says who is concerned if ${pullRequest.title}`, async () => {
        const { stack, emulator } = fixture;
        emulator.clearRequests();
        await stack.program(programFiles(programOf(pullRequest)));
        const { stdout } = succeeds(await stack.run(["preview", "--json", "--show-sames", "--stack", "dev"]));
        const review = await runCommand(["review"], { input: stdout });
        assert.deepEqual([review.code, review.err, emulator.requests], [0, "", []]);
        if (process.env["RECORD"] === "true") record(form, pullRequest.title, stdout, review.out);
        assert.equal(review.out, readReview(pullRequest.title));
        const { out } = await runCommand(["review", "--json"], { input: stdout });
        assert.deepEqual(factsIn(out), factsOf(pullRequest));
      });
  });

/** What the review says. A created customer has a mapping that nobody had before. */
function factsIn(json: string) {
  const { customers, guards } = reviewed.parse(JSON.parse(json));
  const mappings = customers.filter(({ mapping, outcome }) => mapping !== undefined && outcome !== "created");
  return {
    customers: Object.fromEntries(
      customers.map(({ userGroupId, outcome, isPossible }) => [
        userGroupId,
        isPossible ? `possibly ${outcome}` : outcome,
      ]),
    ),
    mappings: mappings.map(({ userGroupId }) => userGroupId).sort(),
    guards: guards.map(({ guard }) => guard).sort(),
  };
}

function factsOf({ customers, mappings = [], guards = [] }: PullRequest) {
  return { customers, mappings, guards };
}
