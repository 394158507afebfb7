// Comments on the pull request whose preview has ended. Runs on `workflow_run`, with a token that may write comments, and
// therefore never runs or believes anything of the pull request. Usage: node ci/comment-github.mjs preview.txt
import { readFileSync } from "node:fs";
import { all, api, commentOn, marker } from "./comment.mjs";

const [file] = process.argv.slice(2);
const { GITHUB_API_URL, GITHUB_EVENT_PATH, GITHUB_REPOSITORY, GITHUB_TOKEN } = process.env;
const { workflow_run: run } = JSON.parse(readFileSync(GITHUB_EVENT_PATH, "utf8"));
const github = api(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}`, {
  accept: "application/vnd.github+json",
  authorization: `Bearer ${GITHUB_TOKEN}`,
});

const pull = await pullRequest();
if (pull) await comment(pull.number, commentOn(readFileSync(file, "utf8"), facts()));
else console.log("No open pull request has this commit as its head any more.");

/** By what GitHub says of the run: for a fork it names no pull request, and the preview's own word can't be taken. */
async function pullRequest() {
  const owner = run.head_repository?.owner.login;
  if (owner === undefined) return undefined;
  const head = encodeURIComponent(`${owner}:${run.head_branch}`);
  const pulls = await all(github.get, `/pulls?state=open&head=${head}`);
  return pulls.find((each) => each.head.sha === run.head_sha);
}

function facts() {
  return { head: run.head_sha, isDone: run.conclusion === "success" };
}

/** One comment a pull request, which each preview replaces. */
async function comment(number, body) {
  const comments = await all(github.get, `/issues/${number}/comments`);
  const former = comments.find(
    (each) => each.user?.login === "github-actions[bot]" && each.body?.startsWith(marker),
  );
  if (former) await github.patch(`/issues/comments/${former.id}`, { body });
  else await github.post(`/issues/${number}/comments`, { body });
}
