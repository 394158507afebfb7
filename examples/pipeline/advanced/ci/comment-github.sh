#!/usr/bin/env bash
# Comments on the pull request whose preview has ended. It has a token that may write comments, so it never runs or trusts
# anything of the pull request. comment.yml sets the variables. Usage: ci/comment-github.sh preview.txt
set -euo pipefail
ci=$(dirname "${BASH_SOURCE[0]}")
repository=repos/$GITHUB_REPOSITORY
export HEAD_SHA

# `gh run view` and the event name no pull request of a fork, and the preview could name a wrong one.
numbers=
if [ -n "$HEAD_OWNER" ]; then # empty if the fork was deleted
  numbers=$(gh api --method GET "$repository/pulls" --paginate -F per_page=100 -f state=open -f head="$HEAD_OWNER:$HEAD_BRANCH" \
    --jq '.[] | select(.head.sha == env.HEAD_SHA) | .number')
fi
if [ -z "$numbers" ]; then echo "No open pull request has this commit as its head."; fi

body=$(mktemp)
trap 'rm -f "$body"' EXIT
node "$ci/comment.mjs" "$HEAD_SHA" "$CONCLUSION" < "$1" > "$body"
for number in $numbers; do
  # Each preview replaces the comment of the one before.
  former=$(gh api --method GET "$repository/issues/$number/comments" --paginate -F per_page=100 --jq '.[]
    | select(.user.login == "github-actions[bot]" and (.body // "" | startswith("<!-- pulumi preview -->"))) | .id')
  if [ -n "$former" ]; then
    gh api --silent --method PATCH "$repository/issues/comments/${former%%$'\n'*}" -F body=@"$body"
  else
    gh api --silent "$repository/issues/$number/comments" -F body=@"$body"
  fi
done
