#!/usr/bin/env bash
# A preview that needs no secret: no API token, no access to the state, no passphrase. It compares the program with the state
# that ci/base-state.sh wrote. Without that file, or if it is empty, everything shows as created.
# Usage: ci/preview.sh [base-state.json] > preview.txt
set -euo pipefail
base=${1:+$(realpath "$1")}
cd "$(dirname "${BASH_SOURCE[0]}")/.."

stack=${STACK:-production}
stack=${stack##*/} # without its organisation
folder=$(sed -n 's/^stackConfigDir: *//p' Pulumi.yaml | tr -d "\"'\r")
settings=${folder:-.}/Pulumi.$stack.yaml

# A key `secure`, quoted or not, in a block, a list or braces.
if [ -f "$settings" ] && grep -Eq "(^|[[:space:]{,-])[\"']?secure[\"']?[[:space:]]*:" "$settings"; then
  echo "$settings holds secrets, which a preview without their key can't read." >&2
  exit 2
fi

# The stack's settings name the key of the real state, which isn't here; they are put back whatever happens.
scratch=$(mktemp -d)
restore() {
  rm -f "$settings"
  if [ -f "$scratch/settings" ]; then mv "$scratch/settings" "$settings"; fi
  rm -rf "$scratch"
}
if [ -f "$settings" ]; then mv "$settings" "$scratch/settings"; fi
trap restore EXIT
if [ -f "$scratch/settings" ]; then
  grep -v '^\(encryptionsalt\|encryptedkey\|secretsprovider\):' "$scratch/settings" > "$settings" || true
fi

export PULUMI_BACKEND_URL="file://$scratch" PULUMI_CONFIG_PASSPHRASE=public
pulumi stack init --no-select "$stack" > /dev/null
if [ -n "$base" ] && [ -s "$base" ]; then
  pulumi stack import --stack "$stack" --file "$base" > /dev/null
else
  echo "There is no state to compare with yet, so that everything shows as created."
fi
pulumi preview --stack "$stack" --non-interactive --color never --suppress-outputs --suppress-progress
