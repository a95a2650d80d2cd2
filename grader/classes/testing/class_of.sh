#!/bin/sh
# Grades a made-up class of N students, and prints how long it takes the first time and unchanged, and the peak memory:
#   cmake --build build --target write_class && grader/classes/testing/class_of.sh 300
# JOBS: submissions at a time. KEEP: a folder to keep the class in, to go on with by hand.
set -eu
number=$1
here=$(cd "$(dirname "$0")/../../.." && pwd)
programs=$here/build/grader
place=${KEEP:-$(mktemp -d)}
if [ -z "${KEEP:-}" ]; then trap 'rm -rf "$place"' EXIT; fi
"$programs/write_class" "$place/downloads" "$number"
cd "$place"
"$programs/grader" class init class --assignment 2 --public-seed --due 2026-11-20T22:59:00Z > /dev/null
cd class
sed -i "s/^speed = true /speed = ${SPEED:-false} /" class.toml
"$programs/grader" class add --roster ../downloads/roster.csv
for download in ../downloads/*.zip; do
    case $download in
        */moodle*) platform=moodle;;
        *) platform=$(basename "$download" .zip);;
    esac
    "$programs/grader" class add --platform "$platform" "$download" > add.log || { cat add.log; exit 1; }
    head -1 add.log
done
for run in "first time" unchanged; do
    /usr/bin/env time -f "$run: %e s, %M KiB at most" "$programs/grader-class" grade ${JOBS:+--jobs "$JOBS"} > grade.log 2> grade.err ||
        { cat grade.log grade.err; exit 1; }
    head -1 grade.log
    tail -1 grade.err
done
