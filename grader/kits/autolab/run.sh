#!/bin/sh
# Grades the files next to attention_lab/. Autolab reads the scores from the last line of the output. If the grader
# could not grade, there is no such line, and Autolab gives no score.
set -u
kit=$(cd "$(dirname "$0")" && pwd)
. "$kit/grading.sh"
make_readable "$kit"
# All files that are not part of the kit are the student's: source files, or one archive.
student_files=$(mktemp -d)
trap 'rm -rf "$student_files"' EXIT
for file in *; do
    case $file in
    attention_lab | autograde.tar | autograde-Makefile | Makefile) ;;
    *) cp -R -- "$file" "$student_files" ;;
    esac
done
submission=$student_files
case $(ls "$student_files") in
*.zip | *.tar | *.tar.gz | *.tgz)
    [ "$(ls "$student_files" | wc -l)" -gt 1 ] || submission=$student_files/$(ls "$student_files")
    ;;
esac
result=$(mktemp)
if grade "$kit" "$submission" --autolab "$result" && [ -s "$result" ]; then
    cat "$result"
    rm -f "$result"
else
    rm -f "$result"
    echo "${reason:-$no_results}"
    exit 1
fi
