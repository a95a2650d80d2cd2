#!/bin/sh
# needs.sh FOLDER: says in a sentence how new the C library, the C++ library and g++ have to be for the programs in FOLDER: the
# newest versions that one of them asks for.
set -eu
newest() {
    find "$1" -type f -exec objdump -T {} + 2>/dev/null | sed -n "s/.*[ (]$2_\\([0-9][0-9.]*\\).*/\\1/p" | sort -V | tail -n 1
}
c_library=$(newest "$1" GLIBC) cpp_library=$(newest "$1" GLIBCXX)
[ -n "$c_library" ] && [ -n "$cpp_library" ] ||
    { echo "needs: objdump finds no versions of the C and C++ libraries in $1" >&2; exit 1; }
case $cpp_library in  # https://gcc.gnu.org/onlinedocs/libstdc++/manual/abi.html
3.4.3[12]) compiler=13 ;;
3.4.33) compiler=14 ;;
3.4.34) compiler=15 ;;
3.4.3[5-9] | 3.4.[4-9]?) echo "needs: which g++ has GLIBCXX_$cpp_library? Add it here." >&2; exit 1 ;;
*) compiler=12 ;;  # the oldest g++ whose C++20 the course's headers compile with
esac
echo "This kit runs where the C library is glibc $c_library or newer and the C++ library has GLIBCXX_$cpp_library, with any" \
    "g++ from version $compiler."
