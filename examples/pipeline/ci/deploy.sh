#!/usr/bin/env bash
# Needs the state, USER_GROUPS_BASE_URL and USER_GROUPS_API_TOKEN. Usage: ci/deploy.sh [--refresh]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

pulumi up --stack "${STACK:-production}" --yes --non-interactive --color never --suppress-progress "$@"
