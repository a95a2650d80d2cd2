#!/bin/sh
# make_kit.sh KIT BUILD [FOLDER]: makes a kit from a build: the built grader, the contract, data and the platform's own
# files, without source code of the grader. KIT is handout, gradescope, autolab, prairielearn, classroom or
# github-workflow; BUILD is the folder of the build; the kit is written to FOLDER (BUILD/kits by default). Variables:
#   SEED_FILE=F  the secret seed for marking (`grader grade --seed-file`); it is copied only into kits that students
#                cannot see, like the secret cases assignments/*/secret.toml (with SECRETS=D: D/*/secret.toml)
#   A=2          grade only this assignment          ARGS=--no-speed   more options of `grader grade`
#   COURSE=C     only the assignments of this course: a file, or a name of assignments/courses/
#   INSTALLED=D  for several kits of one build: the first makes the folder D, the others copy it
# BUILD may also be an installed package, to which this script belongs (see package/attention-lab). Then:
#   CONTRACTS=D  the folder assignments/ of a course, in place of that of the package
set -eu
usage() {
    sed -n '2,11s/^# *//p' "$0" >&2
    exit 2
}
[ $# -ge 2 ] || usage
project=$(cd "$(dirname "$0")/../.." && pwd)
kit=$1
packaged=
[ ! -f "$2/VERSION" ] || packaged=yes
[ -n "$packaged" ] || [ -f "$2/CMakeCache.txt" ] || { echo "make_kit: $2 is not a build folder; run make first" >&2; exit 2; }
contracts=${CONTRACTS:-$project/assignments}
build=$(cd "$2" && pwd)
mkdir -p "${3:-$build/kits}"
kits=$(cd "${3:-$build/kits}" && pwd)
templates=$project/grader/kits/$kit
[ -f "$templates/README.md" ] && [ "$kit" != . ] || usage
umask 022

# The place of the grader's files in the kit, and whether the kit may contain secrets.
case $kit in
handout) tree=attention_lab secret= ;;
gradescope) tree=. secret=yes ;;
prairielearn) tree=serverFilesCourse/attention_lab secret=yes ;;
autolab | classroom) tree=attention_lab secret=yes ;;
github-workflow) tree=attention_lab secret= ;;
*) usage ;;
esac
if [ -n "${SEED_FILE:-}" ] && [ ! -s "$SEED_FILE" ]; then
    echo "make_kit: SEED_FILE=$SEED_FILE: the file does not exist or is empty" >&2
    exit 2
fi

output=$kits/$kit
rm -rf "$output" "$output.zip"
mkdir -p "$output/$tree"
tree=$output/$tree
log=$kits/$kit.log
run() { "$@" >"$log" 2>&1 || { cat "$log" >&2; echo "make_kit: failed: $*" >&2; exit 1; }; }
# Copies what a kit has of a package.
copy_package() {
    mkdir -p "$tree/grader" "$tree/assignments"
    for file in grader worker reader exports.so kernel_exports.so plain.so yardstick.so stand_ins.tar.xz emulator COMMIT NEEDS; do
        cp -R "$build/grader/$file" "$tree/grader"
    done
    cp -RL "$build/grader/lib" "$tree/grader"
    cp -R "$build/datasets" "$tree"
    cp -L "$build/LICENSE" "$tree"
    (cd "$contracts" && find . -name '*.h' -o -path './[0-9]*_*/README.md' -o -name rubric.toml -o -name working.md -o \
        -name speed.md -o -name attention_lab.py -o -name tensor_gdb.py) | while read -r file; do
        mkdir -p "$tree/assignments/$(dirname "$file")"
        cp "$contracts/$file" "$tree/assignments/$file"
    done
}
# Says how far a command is that may take minutes: in a terminal each second in the same line, elsewhere twice a minute.
run_long() {
    "$@" >"$log" 2>&1 &
    job=$! began=$(date +%s) last=0
    trap 'kill "$job" 2>/dev/null; exit 130' INT TERM
    while kill -0 "$job" 2>/dev/null; do
        sleep 1
        took=$(($(date +%s) - began))
        step=$(tail -n 1 "$log" | sed -n 's|^\[ *\([0-9]*\)/\([0-9]*\)\].*|step \1 of \2, |p')
        if [ -t 1 ]; then
            printf '\r  %s%s s \033[K' "$step" "$took"
        elif [ "$took" -ge "$((last + 30))" ]; then
            last=$took
            echo "  $step$took s"
        fi
    done
    trap - INT TERM
    [ ! -t 1 ] || printf '\r\033[K'
    wait "$job" || { cat "$log" >&2; echo "make_kit: failed: $*" >&2; exit 1; }
}
started=$(date +%s)
if [ -n "$packaged" ]; then
    copy_package
else
    echo "Building the contents of the kit (the first time this takes minutes) .."
    if [ ! -d "${INSTALLED:-}" ]; then
        run_long cmake --build "$build" --target kit
        echo "Copying the contents of the kit .."
        run_long cmake --install "$build" --component kit --prefix "${INSTALLED:-$tree}" --strip
    fi
    [ -z "${INSTALLED:-}" ] || cp -R "$INSTALLED/." "$tree"
fi
[ -f "$tree/grader/NEEDS" ] || "$project/grader/kits/needs.sh" "$tree/grader" >"$tree/grader/NEEDS"

# Leaves only the assignments of the course, and the contracts of those whose functions they call.
course=${COURSE:-}
[ -n "$course" ] || [ ! -f "$contracts/course.toml" ] || course=$contracts/course.toml
[ -z "$course" ] || [ -f "$course" ] || [ ! -f "$contracts/courses/$course.toml" ] ||
    course=$contracts/courses/$course.toml
folders=$("$build/grader/grader" list --folders ${course:+--course "$course"}) || exit 2
is_listed() { printf '%s\n' "$folders" | grep -qx "$1"; }
if [ -n "$course" ]; then
    cp "$course" "$tree/assignments/course.toml"
    for folder in "$tree"/assignments/[0-9]*_*; do
        name=$(basename "$folder")
        if is_listed "called $name"; then
            rm -f "$folder/README.md"
        elif ! is_listed "course $name"; then
            rm -r "$folder"
        fi
    done
    grep -qs '"photograph"' "$tree"/assignments/*/rubric.toml || rm "$tree/datasets/chelsea.png"
fi
version=$("$tree/grader/grader" --version)
# The trained models that students' functions can run here.
shows=$("$tree/grader/grader" show --list) || exit 2
for file in "$tree"/datasets/weights/*.safetensors; do
    [ "$kit" = handout ] && printf '%s\n' "$shows" | grep -q " ${file##*/}\$" || rm "$file"
done
[ "$kit" = handout ] || rm -r "$tree/datasets/weights"
folders=$(printf '%s\n' "$folders" | sed -n 's/^course //p')
case ${A:-} in
'' | *[!0-9]*) ;;
*) "$tree/grader/grader" list --assignment "$A" >/dev/null || exit 2 ;;
esac

if [ "$kit" != handout ]; then
    cp "$project/grader/kits/grading.sh" "$tree"
    echo "${A:+--assignment $A }${ARGS:-}" >"$tree/options"
fi
if [ -n "$secret" ]; then
    for file in "${SECRETS:-$contracts}"/*/secret.toml; do
        [ -f "$file" ] || continue
        folder=$(basename "$(dirname "$file")")
        [ -d "$tree/assignments/$folder" ] || continue
        install -m 600 "$file" "$tree/assignments/$folder/secret.toml"
        echo "Secret cases: assignments/$folder/secret.toml"
    done
    if [ -n "${SEED_FILE:-}" ]; then
        install -m 600 "$SEED_FILE" "$tree/secret_seed"
        # Try the secrets of what this kit grades now, so that instructors and not students see errors in them.
        code=0
        errors=$("$tree/grader/grader" grade "$project/student" --seed-file "$SEED_FILE" ${A:+--assignment "$A"} \
            --no-speed --no-cache --quiet 2>&1 >/dev/null) || code=$?
        [ "$code" -le 1 ] || { printf '%s\n' "$errors" >&2; exit 2; }
        echo "Secret seed: $SEED_FILE"
    else
        echo "No SEED_FILE=F is given, so this kit uses the public seed, which students know."
    fi
elif [ -n "${SEED_FILE:-}" ]; then
    echo "Students see this kit, so it does not contain the secret seed."
fi

# Adds the platform's own files and packs everything in the platform's format.
pack() { # ARCHIVE FORMAT FOLDER NAME ..
    archive=$1 format=$2
    cd "$3"
    shift 3
    rm -f "$archive"
    case $packaged$format in
    yeszip) run zip -q -r "$archive" "$@" ;;
    yesgnutar) run tar --format=gnu -czf "$archive" -- "$@" ;;
    zip) run cmake -E tar cf "$archive" --format=zip -- "$@" ;;
    *) run cmake -E tar czf "$archive" "--format=$format" -- "$@" ;;
    esac
    cd "$project"
}
case $kit in
handout)
    cp "$templates/Makefile" "$templates/README.md" "$tree"
    cp -R "$templates/devcontainer" "$tree/.devcontainer"
    cp -R "$templates/vscode" "$tree/.vscode"
    cp "$templates/gitignore" "$tree/.gitignore"
    cp "$templates/machine.sh" "$tree/grader"
    mkdir "$tree/student"
    cp "$project"/student/*.cpp "$project"/student/*.cu "$project"/student/compile_flags.txt "$project"/student/Makefile "$tree/student"
    for folder in "$contracts"/[0-9]*_*; do
        name=$(basename "$folder")
        is_listed "$name" || rm -f "$tree/student/${name#*_}.cpp" "$tree/student/${name#*_}.cu"
    done
    "$tree/grader/grader" list --markdown >"$log"
    sed -i -e "/^THE_PATH\$/{
        r $log
        d
    }" "$tree/README.md"
    first=$(expr "$(printf '%s\n' "$folders" | sed -n 1p)" : '0*\([0-9]*\)')
    printf '%s\n' "$folders" | grep -q '^02_' || sed -i -e "s/A=2/A=$first/" -e "s/\"default\": \"2\"/\"default\": \"$first\"/" \
        "$tree/README.md" "$tree/Makefile" "$tree/.vscode/tasks.json"
    if [ -n "$shows" ]; then
        last=$(printf '%s\n' "$shows" | sed -n '$s/ .*//p')  # padded in the table of `make help`
        sed -i -e "/^##/s/A=A_SHOW/A=$(printf %-6s "$last")/" -e "s/A=A_SHOW/A=$last/" "$tree/README.md" "$tree/Makefile"
    else
        sed -i '/make show/d' "$tree/README.md" "$tree/Makefile"
    fi
    # Commands and files stand elsewhere here than in the build. Links to handouts that are left out become plain text.
    find "$tree/assignments" "$tree/datasets" -name '*.md' | while read -r file; do
        sed -i -e 's|build/grader/grader|grader/grader|g' -e 's#build/\([a-z_]*[.]\(html\|json\|safetensors\)\)#\1#g' "$file"
        grep -o '\](\([^)#]*\)' "$file" | sed 's/^](//' | sort -u | while read -r target; do
            case $target in '' | *:*) continue ;; esac
            [ -e "$(dirname "$file")/$target" ] || sed -i "s|\[\([^]]*\)\]($target[^)]*)|\1|g" "$file"
        done
    done
    pack "$kits/$kit.zip" zip "$output" attention_lab
    ;;
gradescope)
    cp "$templates"/* "$output"
    pack "$kits/$kit.zip" zip "$output" $(ls "$output")
    ;;
prairielearn)
    question=$output/questions/attention_lab${A:+_$A}
    cp "$templates/run.sh" "$tree"
    mkdir "$output/questions"
    cp -R "$templates/questions/attention_lab" "$question"
    cp "$templates/README.md" "$output"
    mkdir "$question/tests"
    mv "$tree/options" "$question/tests/options"
    names= kernels=
    for folder in $(printf '%s\n' "$folders" | grep "^$(printf "${A:+%02d_}" ${A:-})"); do
        name=${folder#*_}.cpp
        [ ! -f "$project/student/$name" ] || names=$names${names:+, }$name
        kernel_name=${name%.cpp}.cu
        [ ! -f "$project/student/$kernel_name" ] || kernels=$kernels${kernels:+, }$kernel_name
    done
    sed -i "s/KERNEL_NAMES/$kernels/; s/FILE_NAMES/$names/" "$question/question.html"
    # Always the same UUID, so that it stays the same question.
    uuid=$(echo "attention_lab ${A:-}" | md5sum | sed 's/^\(.\{8\}\)\(.\{4\}\).\(.\{3\}\).\(.\{3\}\)\(.\{12\}\).*/\1-\2-4\3-8\4-\5/')
    sed -i "s/UUID/$uuid/" "$question/info.json"
    pack "$kits/$kit.zip" zip "$output" README.md questions serverFilesCourse
    ;;
autolab)
    cp "$templates/run.sh" "$tree"
    pack "$output/autograde.tar" gnutar "$output" attention_lab
    rm -r "$tree"
    cp "$templates/autograde-Makefile" "$templates/README.md" "$output"
    ;;
classroom)
    cp "$templates/run.sh" "$tree"
    pack "$output/attention_lab.tar.gz" gnutar "$output" attention_lab
    rm -r "$tree"
    cp "$templates/autograder.py" "$templates/runtime.json" "$templates/README.md" "$output"
    ;;
github-workflow)
    cp "$templates/run.sh" "$tree"
    mkdir -p "$output/.github/workflows"
    pack "$output/.github/attention_lab.tar.gz" gnutar "$output" attention_lab
    rm -r "$tree"
    cp "$templates/grade.yml" "$output/.github/workflows"
    pack "$kits/$kit.zip" zip "$output" .github
    ;;
esac
result=$output
if [ -f "$kits/$kit.zip" ]; then
    rm -r "$output"
    result=$kits/$kit.zip
fi
rm -f "$log"
steps=$templates/README.md
[ "$kit" != handout ] || steps=$templates/INSTRUCTORS.md  # the README of the handout is for students
echo
echo "$(du -sh "$result" | cut -f1)  $result, made in $(($(date +%s) - started)) s"
echo "  $version"
sed -n 's/^\([123]\. .*\)/  \1/p' "$steps"
echo "More: grader/kits/$kit/$(basename "$steps")"
