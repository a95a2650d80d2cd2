#!/bin/sh
# make_all.sh BUILD FOLDER: makes every kit in FOLDER for the tests, with a secret seed and secret cases that the tests
# search for.
set -eu
kits=$(cd "$(dirname "$0")" && pwd)
rm -rf "$2"
mkdir -p "$2/secrets/02_self_attention"
echo 7311904420260913 >"$2/secret_seed"
cat >"$2/secrets/02_self_attention/secret.toml" <<'END'
[[part]]
function = "softmax"
cases = [{ name = "rest", inputs = "normal", sizes = { N = 33, D = 17 }, why = "marker-of-the-secret-cases" }]
END
printf '%s\n' 'title = "A short course"' '[[assignment]]' 'number = 5' 'called = "Homework 1"' \
    'notes = ["Your slides have no eps."]' '[[assignment]]' 'number = 2' >"$2/short.toml"
export INSTALLED="$2/installed"
COURSE=$2/short.toml "$kits/make_kit.sh" handout "$1" "$2/course"
for kit in handout gradescope autolab prairielearn classroom github-workflow; do
    SEED_FILE=$2/secret_seed SECRETS=$2/secrets A=2 ARGS=--no-speed "$kits/make_kit.sh" "$kit" "$1" "$2"
done
rm -r "$INSTALLED"
