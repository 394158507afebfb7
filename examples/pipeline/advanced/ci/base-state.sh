#!/usr/bin/env bash
# Writes a state without secrets, which previews compare a program with. If that fails, the file stays as it was.
# Usage: ci/base-state.sh base-state.json
set -euo pipefail
file=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=$(mktemp "$file.XXXXXX")
trap 'rm -f "$scratch"' EXIT
pulumi stack export --stack "${STACK:-production}" | node ci/base-state.mjs > "$scratch"
mv "$scratch" "$file"
