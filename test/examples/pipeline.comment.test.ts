import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startForge, type Forge } from "./forge";

const ci = resolve(__dirname, "../../examples/pipeline/ci");
const marker = "<!-- pulumi preview -->";
const hostile = "/close\n</pre>@everyone <img src=x> [a](b) &lt; ```\n\u001b[31m# x";

describe("examples/pipeline: the comment", () => {
  let folder: string;
  let forge: Forge | undefined;
  beforeEach(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), "user-groups-comment-"));
  });
  afterEach(async () => {
    await forge?.stop();
    await fs.rm(folder, { recursive: true });
  });

  describe("on GitHub", () => {
    const run = {
      head_sha: "a11ce",
      head_branch: "new & better",
      head_repository: { owner: { login: "fork" } },
      conclusion: "success",
    };
    const pulls = "/repos/we/groups/pulls?state=open&head=fork%3Anew%20%26%20better";
    const ourPull = { [pulls]: [{ number: 7, head: { sha: "a11ce" } }] };

    it("shows what a fork's pull request printed, as mere text", async () => {
      forge = await startForge({ ...ourPull, "/repos/we/groups/issues/7/comments": [] });
      await succeeds(github(forge, run, hostile));
      const [{ request, body } = noComment, ...others] = forge.written;
      assert.deepEqual([request, others], ["POST /repos/we/groups/issues/7/comments", []]);
      assert(body.startsWith(`${marker}\n**Preview of a11ce**\n`));
      assertMereText(body);
    });

    it("replaces the former comment, and nobody else's", async () => {
      const comments = [
        { id: 1, user: { login: "fork" }, body: `${marker} mine` },
        { id: 2, user: { login: "github-actions[bot]" }, body: "Something else" },
        { id: 4, user: { login: "github-actions[bot]" }, body: null },
        { id: 3, user: { login: "github-actions[bot]" }, body: `${marker} ours` },
      ];
      forge = await startForge({ ...ourPull, "/repos/we/groups/issues/7/comments": comments });
      await succeeds(github(forge, { ...run, conclusion: "failure" }, "no"));
      const [{ request, body } = noComment, ...others] = forge.written;
      assert.deepEqual([request, others], ["PATCH /repos/we/groups/issues/comments/3", []]);
      assert.match(body, /\*\*Preview of a11ce\*\*: it failed/);
    });

    it("says nothing where the pull request has moved on, or its fork is gone", async () => {
      forge = await startForge({ [pulls]: [{ number: 7, head: { sha: "b0b" } }] });
      await succeeds(github(forge, run, "late"));
      await succeeds(github(forge, { ...run, head_repository: null }, "late"));
      assert.deepEqual(forge.written, []);
    });

    it("cuts a preview that is too long for a comment", async () => {
      forge = await startForge({ ...ourPull, "/repos/we/groups/issues/7/comments": [] });
      await succeeds(github(forge, run, "<".repeat(70_000)));
      const [{ body } = noComment] = forge.written;
      assert(body.length < 65_536 && body.includes("[cut off]</pre>"));
    });

    it("fails where GitHub refuses, without a word of the token", async () => {
      forge = await startForge(ourPull);
      const { code, output } = await github(forge, run, "x");
      assert.deepEqual(
        [code, output.includes("comments?per_page=100&page=1 answered with status 404")],
        [1, true],
      );
      assert.doesNotMatch(output, /t0ken/);
      assert.deepEqual(forge.headers("authorization"), new Set(["Bearer t0ken"]));
    });

    async function github({ url }: Forge, workflow_run: object, preview: string): Promise<Ended> {
      await fs.writeFile(join(folder, "event.json"), JSON.stringify({ workflow_run }));
      await fs.writeFile(join(folder, "preview.txt"), preview);
      return node("comment-github.mjs", [join(folder, "preview.txt")], {
        GITHUB_API_URL: url,
        GITHUB_EVENT_PATH: join(folder, "event.json"),
        GITHUB_REPOSITORY: "we/groups",
        GITHUB_TOKEN: "t0ken",
      });
    }
  });

  describe("on GitLab", () => {
    const project = "/projects/1";
    const request = `${project}/merge_requests/5`;
    const answers = {
      "/user": { id: 42 },
      [`${project}/merge_requests?state=opened`]: [{ iid: 4 }, { iid: 5 }],
      [`${project}/merge_requests/4`]: { sha: "b0b", head_pipeline: { sha: "older", id: 8, project_id: 2 } },
      [request]: { sha: "a11ce", head_pipeline: { sha: "a11ce", id: 9, project_id: 2 } },
      "/projects/2/pipelines/9/jobs": [
        { id: 10, name: "other", status: "success" },
        { id: 11, name: "preview", status: "success" },
      ],
      "/projects/2/jobs/11/artifacts/preview.txt": hostile,
      [`${request}/notes`]: [],
    };

    it("shows what a fork's merge request printed, as mere text", async () => {
      forge = await startForge(answers);
      await succeeds(gitlab(forge));
      const [{ request: sent, body } = noComment, ...others] = forge.written;
      assert.deepEqual([sent, others], [`POST ${request}/notes`, []]);
      assertMereText(body);
    });

    it("replaces the former comment, and leaves it alone once it shows the newest commit", async () => {
      const theirs = { id: 1, author: { id: 41 }, body: `${marker} a11ce` };
      const ours = { id: 2, author: { id: 42 }, body: `${marker} b0b` };
      forge = await startForge({ ...answers, [`${request}/notes`]: [theirs, ours] });
      await succeeds(gitlab(forge));
      assert.deepEqual(
        forge.written.map(({ request: sent }) => sent),
        [`PUT ${request}/notes/2`],
      );
      await forge.stop();
      forge = await startForge({
        ...answers,
        [`${request}/notes`]: [theirs, { ...ours, body: `${marker} a11ce` }],
      });
      await succeeds(gitlab(forge));
      assert.deepEqual(forge.written, []);
    });

    it("goes on with the next merge request where one can't be read, and fails in the end", async () => {
      forge = await startForge({ ...answers, [`${project}/merge_requests/4`]: undefined });
      const { code, output } = await gitlab(forge);
      assert.deepEqual([code, /^Merge request 4: GET .* status 404/m.test(output)], [1, true]);
      assert.equal(forge.written.length, 1);
      assert.deepEqual(forge.headers("private-token"), new Set(["t0ken"]));
    });

    function gitlab({ url }: Forge): Promise<Ended> {
      return node("comment-gitlab.mjs", [], {
        CI_API_V4_URL: url,
        CI_PROJECT_ID: "1",
        GITLAB_COMMENT_TOKEN: "t0ken",
      });
    }
  });
});

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const noComment = { request: "none", body: "" };

/** Nothing between the tags can be markup, a mention or a command. */
function assertMereText(body: string): void {
  const [, shown = ""] = /<pre>([^]*)<\/pre>\n\nMade by[^<]*$/.exec(body) ?? [];
  assert(shown.includes("everyone"));
  assert.doesNotMatch(shown, /[<>@`\u001b]|^\s*\//m);
  assert.equal(
    shown.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
    hostile,
  );
}

async function succeeds(running: Promise<Ended>): Promise<void> {
  const { code, output } = await running;
  assert.equal(code, 0, output);
}

function node(script: string, args: string[], env: Record<string, string>): Promise<Ended> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [join(ci, script), ...args],
      { env },
      (_error, stdout, stderr) => {
        done({ code: child.exitCode, output: stdout + stderr });
      },
    );
  });
}
