#!/usr/bin/env bash
# Fails if the service, the state and the program differ, until `pulumi up` has run. Needs what `pulumi up` needs.
#
# The service's only read is get-or-create: a refresh creates a group that somebody deleted, with a new token. So this
# refresh records what it finds, and the preview then shows it. `--preview-only` would lose the new token.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

stack=${STACK:-production}
pulumi() { command pulumi "$@" --stack "$stack" --non-interactive --color never; }

# A new token is no change to the engine. A checksum, so that no variable has a token.
checksum() { pulumi stack export --show-secrets | npx --no pulumi-user-groups tokens --csv | cksum; }

drift=0
before=$(checksum)
pulumi refresh --yes --skip-preview --suppress-progress || drift=1
pulumi preview --json | node ci/waiting.mjs || { pulumi preview --suppress-progress || true; drift=1; }
if [ "$(checksum)" != "$before" ]; then
  echo "The refresh found other tokens than the state had. Deliver them." >&2
  drift=1
fi
if [ "$drift" -ne 0 ]; then
  echo "Drift, or an error: see above. The state has what was found; the deployment makes the service match the program." >&2
fi
exit "$drift"
