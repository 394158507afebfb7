#!/usr/bin/env bash
# Fails where the service, the state and the program aren't of one mind. Needs what ci/deploy.sh needs.
#
# The service's only read is get-or-create, so that a refresh creates a group that somebody deleted, with another token.
# Therefore this is a refresh that is recorded, not one with --preview-only: that would lose the new token.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

stack=${STACK:-production}
pulumi() { command pulumi "$@" --stack "$stack" --non-interactive --color never --suppress-progress; }

# To the engine another token is no change.
tokens() { command pulumi stack export --stack "$stack" --show-secrets | node ci/tokens.mjs; }

drift=0
before=$(tokens)
pulumi refresh --yes --skip-preview --expect-no-changes || drift=1
pulumi preview --expect-no-changes || drift=1
if [ "$(tokens)" != "$before" ]; then
  echo "The tokens of groups have changed, and what uses them wants the new ones." >&2
  drift=1
fi
if [ "$drift" -ne 0 ]; then
  echo "Drift, or an error: see above. What was found is recorded; ci/deploy.sh makes the service as the program says." >&2
fi
exit "$drift"
