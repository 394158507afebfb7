import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { withCommands } from "./debian";
import { assertMereText, hostile, marker, newerBody, runScript, useForge } from "./pipelineComment";
import { succeeds, type Ended } from "./workflowRunner";

/** With the real `gh`: its requests to GitHub go to a socket, where the tests' forge listens. */
describe("examples/pipeline: the comment on GitHub", () => {
  withCommands("gh");
  const forge = useForge();

  const run = { HEAD_OWNER: "fork", HEAD_BRANCH: "new & better", HEAD_SHA: "a11ce", CONCLUSION: "success" };
  const pulls = "/repos/we/groups/pulls?head=fork%3Anew+%26+better&state=open";
  const comments = "/repos/we/groups/issues/7/comments";
  const ourPull = { number: 7, head: { sha: "a11ce" } };
  const theirPull = { number: 8, head: { sha: "b0b" } };
  const user = { login: "github-actions[bot]" };

  it("shows what a fork's pull request printed, as mere text", async () => {
    await start({ [pulls]: [theirPull, ourPull], [comments]: [] });
    await succeeds(github(run, hostile));
    const [{ request, body } = newerBody, ...more] = forge.written();
    assert.deepEqual([request, more], [`POST ${comments}`, []]);
    assert(body.startsWith(`${marker}\n**Preview of a11ce**\n`), body);
    assertMereText(body);
  });

  it("replaces the former comment, and nobody else's", async () => {
    const former = [
      { id: 1, user: { login: "fork" }, body: `${marker} mine` },
      { id: 2, user, body: `See ${marker}` },
      { id: 4, user, body: null },
      { id: 5, user: null, body: `${marker} of a deleted user` },
      { id: 3, user, body: `${marker} ours` },
      { id: 6, user, body: `${marker} ours, again` },
    ];
    await start({ [pulls]: [ourPull], [comments]: former });
    await succeeds(github({ ...run, CONCLUSION: "failure" }, "no"));
    const [{ request, body } = newerBody, ...more] = forge.written();
    assert.deepEqual([request, more], ["PATCH /repos/we/groups/issues/comments/3", []]);
    assert.match(body, /\*\*Preview of a11ce\*\*: it failed/);
  });

  it("finds the pull request on a later page", async () => {
    await start({ [pulls]: [theirPull, theirPull, ourPull], [comments]: [] });
    await succeeds(github(run, "late"));
    assert.deepEqual(
      forge.written().map(({ request }) => request),
      [`POST ${comments}`],
    );
  });

  it("says nothing if the pull request has moved on, or its fork is gone", async () => {
    await start({
      [pulls]: [theirPull],
      "/repos/we/groups/pulls?head=%3Anew+%26+better&state=open": [ourPull],
    });
    for (const each of [run, { ...run, HEAD_OWNER: "" }]) {
      const { output } = await succeeds(github(each, "late"));
      assert.match(output, /^No open pull request/);
    }
    assert.deepEqual(forge.written(), []);
  });

  it("cuts a preview that is too long for a comment", async () => {
    await start({ [pulls]: [ourPull], [comments]: [] });
    await succeeds(github(run, "<".repeat(1_000_000)));
    const [{ body } = newerBody] = forge.written();
    assert(body.length > 50_000 && body.length < 65_536 && body.includes("[cut off]</pre>"));
  });

  it("fails if GitHub refuses, without a word of the token", async () => {
    for (const answers of [{}, { [pulls]: [ourPull] }]) {
      await start(answers);
      const { code, output } = await github(run, "x");
      assert.deepEqual([code, output.includes("Not Found (HTTP 404)")], [1, true], output);
      assert.doesNotMatch(output, /t0ken/);
      assert.deepEqual(forge.written(), []);
      assert.deepEqual(forge.headers("authorization"), new Set(["token t0ken"]));
    }
  });

  it("fails without a preview, and writes nothing", async () => {
    await start({ [pulls]: [ourPull], [comments]: [] });
    const { code } = await github(run, undefined);
    assert.deepEqual([code === 0, forge.written()], [false, []]);
  });

  const start = (responses: Record<string, unknown>) => forge.start(responses, join(forge.folder(), "forge"));

  async function github(variables: typeof run, preview: string | undefined): Promise<Ended> {
    const folder = forge.folder();
    await fs.writeFile(join(folder, "config.yml"), `http_unix_socket: ${join(folder, "forge")}\n`);
    if (preview !== undefined) await fs.writeFile(join(folder, "preview.txt"), preview);
    return runScript("comment-github.sh", [join(folder, "preview.txt")], folder, {
      ...variables,
      GH_CONFIG_DIR: folder,
      GH_TOKEN: "t0ken",
      GITHUB_REPOSITORY: "we/groups",
    });
  }
});
