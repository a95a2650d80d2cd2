#!/bin/sh
# Grades the checkout in the current folder, prints annotations, and adds the report to the run's summary. Succeeds (a
# green run) if all checks have passed.
set -u
kit=$(cd "$(dirname "$0")" && pwd)
. "$kit/grading.sh"
commands=$(mktemp)
trap 'rm -f "$commands"' EXIT
if grade "$kit" "$PWD" --github "$commands" \
    --markdown "${GITHUB_STEP_SUMMARY:-/dev/null}"; then
    cat "$commands"
    exit "$status"
fi
echo "::error::${reason%%
*}"
exit 2
