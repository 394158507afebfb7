#!/usr/bin/env bash
# Fails if the service, the state and the program differ. Needs what `pulumi up` needs.
#
# The service's only read is get-or-create: a refresh creates a group that somebody deleted, with a new token. So this
# refresh records what it finds. `--preview-only` would lose the new token.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

stack=${STACK:-production}
pulumi() { command pulumi "$@" --stack "$stack" --non-interactive --color never --suppress-progress; }

# A new token is no change to the engine.
tokens() { command pulumi stack export --stack "$stack" --show-secrets | node ci/tokens.mjs; }

drift=0
before=$(tokens)
pulumi refresh --yes --skip-preview --expect-no-changes || drift=1
pulumi preview --expect-no-changes || drift=1
after=$(tokens)
if [ "$after" != "$before" ]; then
  echo "Tokens of groups have changed. Run the deployment, and hand the new tokens on." >&2
  drift=1
fi
if [ "$drift" -ne 0 ]; then
  echo "Drift, or an error: see above. The state has what was found; the deployment makes the service match the program." >&2
fi
exit "$drift"
