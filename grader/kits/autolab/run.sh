#!/bin/sh
# Grades the files next to attention_lab/. Autolab reads the scores from the last line of the output. If the grader
# could not grade, there is no such line, and Autolab gives no score.
set -u
kit=$(cd "$(dirname "$0")" && pwd)
. "$kit/grading.sh"
make_readable "$kit"
# All files that are neither the kit's nor Autolab's are the student's: source files, or one archive.
student_files=$(mktemp -d)
trap 'rm -rf "$student_files"' EXIT
archives=0 sources=0
for file in *; do
    [ -e "$file" ] || [ -L "$file" ] || continue
    case $file in
    attention_lab | autograde.tar | autograde-Makefile | Makefile | settings.json) continue ;;
    *.zip | *.tar | *.tar.gz | *.tgz) archives=$((archives + 1)) archive=$student_files/$file ;;
    *.cpp | *.cu) sources=$((sources + 1)) ;;
    *) [ ! -d "$file" ] || sources=$((sources + 1)) ;;
    esac
    cp -R -- "$file" "$student_files"
done
submission=$student_files
if [ "$sources" = 0 ]; then
    [ "$archives" != 1 ] || submission=$archive
    if [ "$archives" -gt 1 ]; then
        echo "$not_graded There are $archives archives; hand in one."
        exit 1
    fi
fi
result=$(mktemp)
if grade "$kit" "$submission" --autolab "$result" && [ -s "$result" ]; then
    cat "$result"
    rm -f "$result"
else
    rm -f "$result"
    echo "${reason:-$no_results}"
    exit 1
fi
