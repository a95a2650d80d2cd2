#!/bin/sh
# Grades the checkout in the current folder, prints annotations, and adds the report to the run's summary. Writes the page
# and the report as JSON to attention_lab_report beside the kit. Succeeds (a green run) if all checks have passed.
set -u
kit=$(cd "$(dirname "$0")" && pwd)
. "$kit/grading.sh"
commands=$(mktemp)
trap 'rm -f "$commands"' EXIT
report=${kit%/*}/attention_lab_report
mkdir -p "$report"
if grade "$kit" "$PWD" --github "$commands" --html "$report/report.html" --json "$report/report.json" \
    --markdown "${GITHUB_STEP_SUMMARY:-/dev/null}"; then
    cat "$commands"
    exit "$status"
fi
echo "::error::${reason%%
*}"
exit 2
