#!/bin/sh
# PrairieLearn's entry point: grades /grade/student and always leaves /grade/results/results.json. Where the grader
# could not grade, one that is not gradable: that costs the student no attempt.
set -u
root=${GRADE_ROOT:-/grade}
kit=$(cd "$(dirname "$0")" && pwd)
. "$kit/grading.sh"
chmod +x "$kit/grader/grader" "$kit/grader/worker"
open_to_nobody "$kit"
mkdir -p "$root/results"
results=$root/results/results.json
rm -rf "$results"
OPTIONS=$root/tests/options
grade "$kit" "$root/student" --prairielearn "$results" && [ -s "$results" ] && exit 0
said=$(json_text "${why:-Not graded, which is not a mark: the grader left no results.}")
printf '{"gradable": false, "message": "%s", "format_errors": ["%s"]}\n' "$said" "$said" >"$results"
