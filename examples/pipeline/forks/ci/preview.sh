#!/usr/bin/env bash
# A preview without secrets: no API token, no access to the state, no passphrase. It compares the program with the state
# that ci/base-state.mjs wrote. Without that file, everything shows as created. Usage: ci/preview.sh base-state.json
set -euo pipefail
base=$(realpath "$1")
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

# The summary of a job may have 1 MiB. Of a long preview it keeps the head, the tail, and each line between that matters.
summarize() {
  echo "Made by this pull request's own code: read it as its author's word. The job's log has all of it."
  echo "<pre>"
  awk -v lines="$(wc -l < "$1")" 'NR <= 500 || NR > lines - 500 || /^ *[-+~]*-|delet|replace|warning:|error:/' "$1" |
    cut -c 1-1000 | sed 's/&/\&amp;/g; s/</\&lt;/g'
  echo "</pre>"
}

preview() {
  # A stack of the same name in a backend of its own, made outside of the project, so that Pulumi leaves the settings alone.
  export PULUMI_BACKEND_URL="file://$scratch" PULUMI_CONFIG_PASSPHRASE=public
  { grep '^name:' Pulumi.yaml; echo "runtime: nodejs"; } > "$scratch/Pulumi.yaml"
  pulumi stack init --cwd "$scratch" --no-select "$stack" > "$scratch/init.txt" 2>&1 || { cat "$scratch/init.txt"; return 1; }
  if [ -s "$base" ]; then
    pulumi stack import --cwd "$scratch" --stack "$stack" --file "$base" > /dev/null || return 1
    # The list of a program such as examples/database, which reads no database in a preview.
    if pulumi stack output --cwd "$scratch" --stack "$stack" customers > "$scratch/customers.json" 2> /dev/null; then
      export CUSTOMERS_FILE="$scratch/customers.json"
    fi
  else
    echo "There is no state to compare with yet, so everything shows as created."
  fi
  previewing=(pulumi preview --stack "$stack" --config-file "$scratch/settings.yaml" --non-interactive --color never)
  "${previewing[@]}" --suppress-outputs --suppress-progress 2>&1 || return 1
  "${previewing[@]}" --json --show-sames > "$scratch/preview.json"
}

# What the pull request does to customers, for the summary and as the output `review` of this step.
review() {
  local text end
  text=$(npx --no pulumi-user-groups review < "$scratch/preview.json")
  text+=$'\n\nMade by this pull request\'s own code: read it as its author\'s word.'
  echo "$text" >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
  end=$(node -p 'crypto.randomUUID()') # no text of a customer ends the output
  printf 'review<<%s\n%s\n%s\n' "$end" "$text" "$end" >> "${GITHUB_OUTPUT:-/dev/null}"
}

failed=0
preview | tee "$scratch/preview.txt" || failed=1
if [ "$failed" = 0 ]; then review; fi
summarize "$scratch/preview.txt" >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
exit "$failed"
