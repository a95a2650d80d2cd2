# What the platforms' scripts share; they read it in (. grading.sh).

# grade KIT SUBMISSION OPTION ..: grades with the kit that was unpacked in the folder KIT, with its options and its
# secret seed, and prints the report. SUBMISSION is a folder (or one with a folder student/) or an archive. OPTIONs
# name files by absolute paths. `status` is the grader's exit code. Succeeds where there is a report, whatever the
# marks; else `why` tells it in words: that is never a mark of zero.
grade() {
    kit=$1 submission=$2
    shift 2
    if [ -f "$kit/secret_seed" ]; then set -- --seed-file "$kit/secret_seed" "$@"; fi
    # As the handout has it, so that the commands in the report are those that students type.
    work=$(mktemp -d)
    if [ -d "$submission/student" ] && [ ! -L "$submission/student" ]; then submission=$submission/student; fi
    ln -s "$submission" "$work/student"
    status=0
    # shellcheck disable=SC2046  # words of their own
    (cd "$work" && timeout --kill-after=10 "${TIME_S:-540}" "$kit/grader/grader" grade student \
        --jobs 1 --no-cache $(cat "${OPTIONS:-$kit/options}") "$@") 2>"$work/errors" || status=$?
    errors=$(cat "$work/errors")
    rm -r "$work"
    why=
    [ -z "$errors" ] || printf '%s\n' "$errors" >&2
    case $status in
    0 | 1) return 0 ;;
    2)
        why="Not graded, which is not a mark. $errors"
        case $errors in *secret*) why="Not graded, which is not a mark: tell the course's staff." ;; esac
        ;;
    124 | 137) why="Not graded, which is not a mark: the grader was not done within ${TIME_S:-540} s. Submit again; tell the course's staff if it stays so." ;;
    *) why="Not graded, which is not a mark. Tell the course's staff (exit code $status). $errors" ;;
    esac
    return 1
}

# open_to_nobody KIT: lets the user that student code runs as read what it needs, however the kit was copied here; the
# secrets stay their owner's.
open_to_nobody() {
    chmod -R go+rX,go-w "$1/grader" "$1/assignments" "$1/datasets"
    chmod -f 600 "$1/secret_seed" "$1"/assignments/*/secret.toml || true
}

# json_text TEXT: as it stands between the quotes of a JSON string.
json_text() {
    printf '%s' "$1" | tr -d '\000-\010\013-\037\177' | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/\t/\\t/g' |
        sed -e ':a' -e '$!{N' -e 'ba' -e '}' -e 's/\n/\\n/g'
}
