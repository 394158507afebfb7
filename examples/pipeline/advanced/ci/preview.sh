#!/usr/bin/env bash
# A preview without secrets: no API token, no access to the state, no passphrase. It compares the program with the state
# that ci/base-state.sh wrote. Without that file, or if it is empty, everything shows as created.
# Usage: ci/preview.sh [base-state.json] > preview.txt
set -euo pipefail
base=${1:+$(realpath "$1")}
cd "$(dirname "${BASH_SOURCE[0]}")/.."

stack=${STACK:-production}
stack=${stack##*/} # without its organization
folder=$(sed -n 's/^stackConfigDir: *//p' Pulumi.yaml | tr -d "\"'\r")
settings=${folder:-.}/Pulumi.$stack.yaml
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A key `secure`, quoted or not, in a block, a list or braces.
if [ -f "$settings" ] && grep -Eq "(^|[[:space:]{,-])[\"']?secure[\"']?[[:space:]]*:" "$settings"; then
  echo "$settings holds secrets, which a preview without their key can't read." >&2
  exit 2
fi
# The settings without the key of the real state, which isn't here.
touch "$scratch/settings.yaml"
if [ -f "$settings" ]; then
  sed -E '/^(encryptionsalt|encryptedkey|secretsprovider):/d' "$settings" > "$scratch/settings.yaml"
fi

# A stack of the same name in a backend of its own, made outside of the project, so that Pulumi leaves the settings alone.
export PULUMI_BACKEND_URL="file://$scratch" PULUMI_CONFIG_PASSPHRASE=public
{ grep '^name:' Pulumi.yaml; echo "runtime: nodejs"; } > "$scratch/Pulumi.yaml"
printed=$(pulumi stack init --cwd "$scratch" --no-select "$stack" 2>&1) || { echo "$printed" >&2; exit 1; }
if [ -n "$base" ] && [ -s "$base" ]; then
  pulumi stack import --cwd "$scratch" --stack "$stack" --file "$base" > /dev/null
else
  echo "There is no state to compare with yet, so everything shows as created."
fi
pulumi preview --stack "$stack" --config-file "$scratch/settings.yaml" \
  --non-interactive --color never --suppress-outputs --suppress-progress
