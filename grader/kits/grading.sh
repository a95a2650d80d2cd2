# Functions that the platforms' scripts share. The scripts read them with `. grading.sh`.

not_graded="Not graded; this is not a mark."
no_results="$not_graded The grader wrote no results."

# grade KIT SUBMISSION OPTION ..: grades with the kit in the folder KIT, with its options and its secret seed, and
# prints the report. SUBMISSION is a folder (student/ below it is used if it exists) or an archive. OPTIONs name files
# by absolute paths. Succeeds if there is a report, whatever the points. Otherwise sets `reason` to a sentence for the
# student; this is never a mark of zero. `status` is the grader's exit code.
grade() {
    kit=$1 submission=$2
    shift 2
    if [ -f "$kit/secret_seed" ]; then set -- --seed-file "$kit/secret_seed" "$@"; fi
    # The submission is named student, as in the handout, so that students can type the commands in the report.
    work=$(mktemp -d)
    if [ -d "$submission/student" ] && [ ! -L "$submission/student" ]; then submission=$submission/student; fi
    ln -s "$submission" "$work/student"
    status=0
    # shellcheck disable=SC2046  # each option is a word
    (cd "$work" && timeout --kill-after=10 "${TIME_S:-540}" "$kit/grader/grader" grade student \
        --jobs 1 --no-cache $(cat "${OPTIONS:-$kit/options}") "$@") 2>"$work/errors" || status=$?
    errors=$(cat "$work/errors")
    rm -r "$work"
    reason=
    [ -z "$errors" ] || printf '%s\n' "$errors" >&2
    case $status in
    0 | 1) return 0 ;;
    2)
        reason="$not_graded $errors"
        case $errors in *secret*) reason="$not_graded Tell the course's staff." ;; esac
        ;;
    124 | 137) reason="$not_graded The grader did not finish within ${TIME_S:-540} s. Submit again; if it happens again, tell the course's staff." ;;
    *) reason="$not_graded Tell the course's staff (exit code $status). $errors" ;;
    esac
    return 1
}

# make_readable KIT: lets the user `nobody`, who runs student code, read the files it needs, whatever permissions the
# kit was copied with. Only the owner can read the secrets.
make_readable() {
    chmod -R go+rX,go-w "$1/grader" "$1/assignments" "$1/datasets"
    chmod -f 600 "$1/secret_seed" "$1"/assignments/*/secret.toml || true
}

# json_text TEXT: prints TEXT, escaped for a JSON string, without the quotes.
json_text() {
    printf '%s' "$1" | tr -d '\000-\010\013-\037\177' | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/\t/\\t/g' |
        sed -e ':a' -e '$!{N' -e 'ba' -e '}' -e 's/\n/\\n/g'
}
