#!/bin/sh
# Grades what lies beside attention_lab/. The last line of the output is Autolab's; there is none where the grader
# could not grade, and then Autolab gives no score.
set -u
kit=$(cd "$(dirname "$0")" && pwd)
. "$kit/grading.sh"
here=$PWD
open_to_nobody "$kit"
# All that is not ours was handed in: files, or one archive.
handed_in=$(mktemp -d)
trap 'rm -rf "$handed_in"' EXIT
for file in *; do
    case $file in
    attention_lab | autograde.tar | autograde-Makefile | Makefile) ;;
    *) cp -R -- "$file" "$handed_in" ;;
    esac
done
submission=$handed_in
case $(ls "$handed_in") in
*.zip | *.tar | *.tar.gz | *.tgz) [ "$(ls "$handed_in" | wc -l)" -gt 1 ] || submission=$handed_in/$(ls "$handed_in") ;;
esac
result=$(mktemp)
if grade "$kit" "$submission" --autolab "$result" && [ -s "$result" ]; then
    cat "$result"
    rm -f "$result"
else
    rm -f "$result"
    echo "${why:-Not graded, which is not a mark: the grader left no results.}"
    exit 1
fi
