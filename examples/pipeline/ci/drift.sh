#!/usr/bin/env bash
# Fails where the service, the state and the program aren't of one mind. Needs what ci/deploy.sh needs.
#
# The service's only read is get-or-create, so that a refresh creates a group that somebody deleted, with another token.
# Therefore this is a refresh that is recorded, not one with --preview-only: that would lose the new token.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

pulumi() { command pulumi "$@" --stack "${STACK:-production}" --non-interactive --color never --suppress-progress; }

drift=0
pulumi refresh --yes --skip-preview --expect-no-changes || drift=1
pulumi preview --expect-no-changes || drift=1
if [ "$drift" -ne 0 ]; then
  echo "Drift, or an error: see above. What was found is recorded; ci/deploy.sh makes the service as the program says." >&2
fi
exit "$drift"
