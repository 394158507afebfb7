import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { withCommands } from "./debian";
import { assertMereText, hostile, marker, newerBody, runScript, useForge } from "./pipelineComment";
import { succeeds, type Ended } from "./workflowRunner";

describe("examples/pipeline: the comment on GitLab", () => {
  withCommands("jq");
  const forge = useForge();
  beforeEach(async () => {
    const glab = `#!/bin/sh\nexec "${process.execPath}" "${resolve(__dirname, "glab.mjs")}" "$@"\n`;
    await fs.writeFile(join(forge.folder(), "glab"), glab, { mode: 0o755 });
  });

  const project = "/api/v4/projects/1";
  const request = `${project}/merge_requests/5`;
  const notes = `${request}/notes`;
  const open = `${project}/merge_requests?state=opened`;
  const jobs = "/api/v4/projects/2/pipelines/9/jobs";
  const job = { id: 11, name: "preview", status: "success" };
  const answers = {
    "/api/v4/user": { id: 42 },
    [open]: [{ iid: 4 }, { iid: 5 }],
    [`${project}/merge_requests/4`]: { sha: "b0b", head_pipeline: { sha: "older", id: 8, project_id: 2 } },
    [request]: { sha: "a11ce", head_pipeline: { sha: "a11ce", id: 9, project_id: 2 } },
    [jobs]: [{ id: 10, name: "other", status: "success" }, job],
    "/api/v4/projects/2/jobs/11/artifacts/preview.txt": hostile,
    [notes]: [],
  };
  const theirs = { id: 1, author: { id: 41 }, body: `${marker} a11ce` };
  const nobodys = { id: 3, author: { id: 42 }, body: null };
  const ours = { id: 2, author: { id: 42 }, body: `${marker} b0b` };
  const quoting = { id: 4, author: { id: 42 }, body: `See ${marker}` };

  it("shows what a fork's merge request printed, as mere text", async () => {
    await succeeds(gitlab(answers));
    const [{ request: sent, body } = newerBody, ...more] = forge.written();
    assert.deepEqual([sent, more], [`POST ${notes}`, []]);
    assert(body.startsWith(`${marker}\n**Preview of a11ce**\n`), body);
    assertMereText(body);
  });

  it("replaces the former comment, and nobody else's", async () => {
    await succeeds(gitlab({ ...answers, [notes]: [theirs, nobodys, quoting, ours] }));
    assert.deepEqual(requests(), [`PUT ${notes}/2`]);
  });

  it("leaves the comment alone if it shows the newest commit", async () => {
    await succeeds(gitlab({ ...answers, [notes]: [theirs, { ...ours, body: `${marker} a11ce` }] }));
    assert.deepEqual(requests(), []);
  });

  it("says so if the preview failed", async () => {
    await succeeds(gitlab({ ...answers, [jobs]: [{ ...job, status: "failed" }] }));
    assert.match(forge.written()[0]?.body ?? "", /\*\*Preview of a11ce\*\*: it failed/);
  });

  it("waits for a preview that runs, and for a pipeline that isn't there yet", async () => {
    const early = [
      { [jobs]: [{ ...job, status: "running" }] },
      { [request]: { sha: "a11ce", head_pipeline: null } },
    ];
    for (const each of early) {
      await succeeds(gitlab({ ...answers, ...each }));
      assert.deepEqual(requests(), []);
    }
  });

  it("finds merge requests and jobs on later pages", async () => {
    const other = { ...job, name: "other" };
    const later = { [open]: [{ iid: 4 }, { iid: 4 }, { iid: 5 }], [jobs]: [other, other, job] };
    await succeeds(gitlab({ ...answers, ...later }));
    assert.deepEqual(requests(), [`POST ${notes}`]);
  });

  it("goes on with the next merge request if one can't be read, and fails in the end", async () => {
    const { code, output } = await gitlab({ ...answers, [`${project}/merge_requests/4`]: undefined });
    assert.deepEqual([code, requests()], [1, [`POST ${notes}`]]);
    assert.match(output, /^glab: HTTP 404\nMerge request 4 has no new comment/m);
    assert.doesNotMatch(output, /t0ken/);
    assert.deepEqual(forge.headers("private-token"), new Set(["t0ken"]));
  });

  it("writes nothing if the preview's text can't be read", async () => {
    const { code, output } = await gitlab({
      ...answers,
      "/api/v4/projects/2/jobs/11/artifacts/preview.txt": undefined,
    });
    assert.deepEqual([code, requests()], [1, []]);
    assert.match(output, /^Merge request 5 has no new comment/m);
  });

  it("fails if the merge requests can't be listed", async () => {
    for (const path of ["/api/v4/user", open]) {
      const { code } = await gitlab({ ...answers, [path]: undefined });
      assert.deepEqual([code === 0, requests()], [false, []]);
    }
  });

  const requests = () => forge.written().map(({ request: sent }) => sent);

  async function gitlab(given: Record<string, unknown>): Promise<Ended> {
    const { url } = await forge.start(given);
    const folder = forge.folder();
    return runScript("comment-gitlab.sh", [], folder, {
      PATH: [folder, process.env["PATH"]].join(delimiter),
      CI_PROJECT_ID: "1",
      GITLAB_HOST: url,
      GITLAB_TOKEN: "t0ken",
    });
  }
});
