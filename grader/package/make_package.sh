#!/bin/sh
# make_package.sh BUILD [FOLDER] [--no-deb]: makes the package for instructors from a build, in FOLDER (BUILD/package by default):
#   attention-lab-VERSION-linux-PROCESSOR.tar.gz   to unpack anywhere
#   attention-lab_VERSION_ARCHITECTURE.deb         to install on this system; not with --no-deb, and not without dpkg
set -eu
[ $# -ge 1 ] || { sed -n '2,4s/^# *//p' "$0" >&2; exit 2; }
[ -f "$1/CMakeCache.txt" ] || { echo "make_package: $1 is not a build folder; type make package in the project's folder" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
mkdir -p "${2:-$build/package}"
output=$(cd "${2:-$build/package}" && pwd)
deb=yes
[ "${3:-}" != --no-deb ] && command -v dpkg-shlibdeps >/dev/null || deb=
umask 022
log=$output/log
run() { "$@" >"$log" 2>&1 || { cat "$log" >&2; echo "make_package: failed: $*" >&2; exit 1; }; }
echo "Building the contents of the package (the first time this takes minutes) ..."
run cmake --build "$build" --target package_contents
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=attention-lab-$version

# The tree as it is below /opt/attention-lab, and in the archive.
tree=$output/$name
root=$tree/lib/attention-lab
rm -rf "$tree" "$output"/*.deb "$output"/*.tar.gz
for component in kit package; do run cmake --install "$build" --component $component --prefix "$root" --strip; done
"$here/../kits/needs.sh" "$root/grader" >"$root/grader/NEEDS"
# On a teacher's machine the pages lie elsewhere, and what only a clone has is left out.
sed -i -e '/^## How it is made/,$d' -e 's|(../classes/CHANGES.md)|(CHANGES.md)|' \
    -e 's|(../../assignments/|(../../../lib/attention-lab/assignments/|' "$root/doc/README.md"
mkdir -p "$tree/bin" "$tree/share/doc"
ln -s ../lib/attention-lab/grader/grader ../lib/attention-lab/attention-lab "$tree/bin"
mv "$root/doc" "$tree/share/doc/attention-lab"
mv "$root/LICENSE" "$tree/share/doc/attention-lab/copyright"
ln -s ../../share/doc/attention-lab/copyright "$root/LICENSE"
mv "$root/grader/class_licences" "$tree/share/doc/attention-lab/licences"
cp "$root"/grader/lib/licences/* "$tree/share/doc/attention-lab/licences"
# A link to a page that is left out becomes plain text.
find "$tree" -name '*.md' ! -path '*/kits/*' | while read -r file; do
    grep -o ']([^)#:]*' "$file" | sed 's/^](//' | sort -u | while read -r target; do
        [ -z "$target" ] || [ -e "$(dirname "$file")/$target" ] || sed -i -z "s|\[\([^]]*\)\]($target[^)]*)|\1|g" "$file"
    done
done
"$tree/bin/grader" --version >"$root/VERSION"

# The same commit gives the same archive, whoever packs it.
archive=$output/$name-linux-$(uname -m).tar.gz
date=$(sed -n 's/.* of \([0-9-]*\).*/\1/p' "$root/grader/COMMIT")
tar -C "$output" --sort=name --owner=0 --group=0 --numeric-owner --mtime="${date:-1970-01-01} UTC" -cf - "$name" |
    gzip -9n >"$archive"
if [ -n "$deb" ]; then
    mkdir -p "$output/links/bin" "$output/links/share/doc"
    ln -s /opt/attention-lab/bin/grader /opt/attention-lab/bin/attention-lab "$output/links/bin"
    ln -s /opt/attention-lab/share/doc/attention-lab "$output/links/share/doc/attention-lab"
    run env PACKAGE_TREE="$tree" PACKAGE_VERSION="$version" cpack --config "$here/pack.cmake"
    rm -rf "$output/_CPack_Packages" "$output/links"
fi
rm -rf "$tree" "$log"
cat <<END

$(du -h "$output"/*.tar.gz "$output"/*.deb 2>/dev/null)
  1. Install the .deb:    sudo apt-get install ./attention-lab_${version}_*.deb
     or unpack the other: tar -xf $name-linux-$(uname -m).tar.gz, and put $name/bin into PATH
  2. Make a folder for your course: attention-lab course autumn
  3. Type there: make grade SUBMISSION=WORK, make handout, grader class init hw1 --assignment 2
More: grader/package/README.md
END
