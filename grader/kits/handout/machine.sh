#!/bin/sh
# Succeeds if the grader of this kit and its worker start on this machine. Otherwise says what was found, what is needed, and what to do.
cd "$(dirname "$0")" || exit
message=$({ ./grader --help && ./worker "loaded files"; } 2>&1 >/dev/null) && exit 0

# The newest of the versions "PREFIX_1.2" that the loader misses.
missing() { printf '%s\n' "$message" | sed -n "s/.*version .$1_\([0-9.]*\). not found.*/\1/p" | sort -V | tail -n 1; }
{
    echo "The grader of this kit does not start here."
    system=$(uname -s) processor=$(uname -m)
    c_library=$(getconf GNU_LIBC_VERSION 2>/dev/null)
    needed=$(sed -n 's/.*is \(glibc [0-9.]*\) or newer.*/\1/p' NEEDS)
    if [ "$system" != Linux ] || [ "$processor" != x86_64 ]; then
        echo "  found:   $system on $processor"
        echo "  needed:  Linux on x86_64"
    elif [ -z "$c_library" ]; then
        echo "  found:   a Linux without the GNU C library (glibc), such as Alpine"
        echo "  needed:  $needed or newer: Debian 12, Ubuntu 24.04 or a later system"
    elif [ -n "$(missing GLIBC)" ]; then
        echo "  found:   $c_library, this machine's C library"
        echo "  needed:  $needed or newer: Debian 12, Ubuntu 24.04 or a later system"
    elif [ -n "$(missing GLIBCXX)" ]; then
        echo "  found:   the C++ library of an older g++, without GLIBCXX_$(missing GLIBCXX)"
        echo "  needed:  $(sed -n 's/.*has \(GLIBCXX_[0-9.]*[0-9]\).*/\1/p' NEEDS), from the g++ of Debian 12, Ubuntu 24.04 or a later system"
    else
        echo "  It says: $message"
        echo "  If files are missing, unpack the kit again."
    fi
    echo "What to do: use a newer system, or the machine in .devcontainer/ (with Docker; in VS Code: \"Reopen in"
    echo "Container\"). Two lines in .devcontainer/Dockerfile show how to use it without VS Code."
} >&2
exit 1
