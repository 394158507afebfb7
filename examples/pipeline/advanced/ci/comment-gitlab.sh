#!/usr/bin/env bash
# Comments on every open merge request whose preview has ended. It has a token that may write comments, GITLAB_TOKEN, so it
# never runs or trusts anything of a merge request.
set -euo pipefail
ci=$(dirname "${BASH_SOURCE[0]}")
requests=projects/$CI_PROJECT_ID/merge_requests
body=$(mktemp)
trap 'rm -f "$body"' EXIT

all() { glab api --paginate "$1" | jq '.[]'; }

comment_on() {
  local request sha pipeline job former
  request=$(glab api "$requests/$1")
  sha=$(jq -r .sha <<< "$request")
  # The pipeline and the job of a fork are in the fork's project.
  pipeline=$(jq -r '.sha as $sha | .head_pipeline | select(.sha == $sha) | "projects/\(.project_id)/pipelines/\(.id)"' <<< "$request")
  if [ -z "$pipeline" ]; then return; fi
  job=$(all "$pipeline/jobs" | jq -s 'map(select(.name == "preview" and (.status | IN("success", "failed")))) | .[0] // empty')
  if [ -z "$job" ]; then return; fi

  former=$(all "$requests/$1/notes" | jq -s --argjson us "$ourselves" \
    'map(select(.author.id == $us and (.body // "" | startswith("<!-- pulumi preview -->")))) | .[0] // empty')
  if [[ $former == *"$sha"* ]]; then return; fi
  glab api "${pipeline%/pipelines/*}/jobs/$(jq .id <<< "$job")/artifacts/preview.txt" |
    node "$ci/comment.mjs" "$sha" "$(jq -r .status <<< "$job")" > "$body"
  if [ -n "$former" ]; then
    glab api --silent --method PUT "$requests/$1/notes/$(jq .id <<< "$former")" -F body=@"$body"
  else
    glab api --silent "$requests/$1/notes" -F body=@"$body"
  fi
}

failed=0
ourselves=$(glab api user | jq .id)
open=$(all "$requests?state=opened" | jq .iid)
for iid in $open; do
  # In the background, since a shell doesn't stop at errors in a command whose status is checked.
  (comment_on "$iid") &
  wait $! || { echo "Merge request $iid has no new comment: see the error above." >&2; failed=1; }
done
exit "$failed"
