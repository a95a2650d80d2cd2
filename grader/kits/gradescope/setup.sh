#!/bin/sh
# Gradescope runs this script once, as root, when it builds the autograder's image. It installs only g++.
set -eu
source=${AUTOGRADER_ROOT:-/autograder}/source
if ! command -v g++ >/dev/null; then
    apt-get update
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends g++
fi
. "$source/grading.sh"
make_readable "$source"
if ! "$source/grader/grader" prepare; then
    echo "setup: the grader does not run here." >&2
    cat "$source/grader/NEEDS" >&2
    echo "Choose another base image in Gradescope: Ubuntu 24.04." >&2
    exit 1
fi
"$source/grader/grader" doctor || true
