#!/usr/bin/env bash
# What the pull request does to customers, in the summary of the job and as its output `review`. Usage: ci/review.sh production
set -euo pipefail
review=$(npx --no pulumi-user-groups review --stack "$1")
echo "$review"
echo "$review" >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
end=$(node -p 'crypto.randomUUID()') # no text of a customer ends the output
printf 'review<<%s\n%s\n%s\n' "$end" "$review" "$end" >> "${GITHUB_OUTPUT:-/dev/null}"
