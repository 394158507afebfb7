// Comments on every open merge request whose preview has ended. Runs on a schedule, on the default branch, with a token that
// may write comments, and therefore never runs or believes anything of a merge request.
import { all, api, commentOn, marker } from "./comment.mjs";

const { CI_API_V4_URL, CI_PROJECT_ID, GITLAB_COMMENT_TOKEN } = process.env;
const gitlab = api(CI_API_V4_URL, { "private-token": GITLAB_COMMENT_TOKEN });
const project = `/projects/${CI_PROJECT_ID}`;

const { id: ourselves } = await gitlab.get("/user");
for (const { iid } of await all(gitlab.get, `${project}/merge_requests?state=opened`)) {
  await commentOnMergeRequest(iid).catch((error) => {
    console.error(`Merge request ${iid}: ${error.message}`);
    process.exitCode = 1;
  });
}

async function commentOnMergeRequest(iid) {
  const { sha, head_pipeline: pipeline } = await gitlab.get(`${project}/merge_requests/${iid}`);
  const job = pipeline?.sha === sha ? await previewJob(pipeline) : undefined;
  if (job) await comment(iid, sha, job);
}

/** Of a fork, pipeline and job are in the fork's project. */
async function previewJob({ id, project_id }) {
  const jobs = await all(gitlab.get, `/projects/${project_id}/pipelines/${id}/jobs`);
  const job = jobs.find(({ name, status }) => name === "preview" && ["success", "failed"].includes(status));
  return job && { ...job, path: `/projects/${project_id}/jobs/${job.id}` };
}

/** One comment a merge request, which each preview replaces. */
async function comment(iid, head, { path, status }) {
  const notes = `${project}/merge_requests/${iid}/notes`;
  const former = (await all(gitlab.get, notes)).find(
    ({ author, body }) => author.id === ourselves && body?.startsWith(marker),
  );
  if (former?.body.includes(head)) return;
  const preview = await gitlab.text(`${path}/artifacts/preview.txt`);
  const body = commentOn(preview, { head, isDone: status === "success" });
  if (former) await gitlab.put(`${notes}/${former.id}`, { body });
  else await gitlab.post(notes, { body });
}
