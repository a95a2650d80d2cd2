#!/bin/sh
# PrairieLearn's entry point: grades /grade/student and always writes /grade/results/results.json. If the grader could
# not grade, the result is not gradable, which costs the student no attempt.
set -u
root=${GRADE_ROOT:-/grade}
kit=$(cd "$(dirname "$0")" && pwd)
. "$kit/grading.sh"
chmod +x "$kit/grader/grader" "$kit/grader/worker"
make_readable "$kit"
mkdir -p "$root/results"
results=$root/results/results.json
rm -rf "$results"
OPTIONS=$root/tests/options
grade "$kit" "$root/student" --prairielearn "$results" && [ -s "$results" ] && exit 0
message=$(json_text "${reason:-$no_results}")
printf '{"gradable": false, "message": "%s", "format_errors": ["%s"]}\n' "$message" "$message" >"$results"
