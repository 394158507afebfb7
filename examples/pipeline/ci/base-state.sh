#!/usr/bin/env bash
# Writes what previews without secrets compare a program with. Usage: ci/base-state.sh > base-state.json
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

pulumi stack export --stack "${STACK:-production}" | node ci/base-state.mjs
