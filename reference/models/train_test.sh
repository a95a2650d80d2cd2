#!/bin/sh
# Usage: train_test.sh TRAIN README. Runs the program as people do: each command of the README's blocks, wrong
# commands, and a training that Ctrl-C ends and --resume takes up.
train=$(realpath "$1")
readme=$(realpath "$2")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
mkdir -p build/reference && ln -s "$train" build/reference/train

failed=0
# expect CODE TEXT COMMAND..: the command ends with the code and says the text.
expect() {
    code=$1 text=$2
    shift 2
    said=$("$@" 2>&1)
    found=$?
    if [ $found -ne "$code" ] || ! printf '%s\n' "$said" | grep -qF -- "$text"; then
        echo "FAILED: $*: code $found, not $code with \"$text\". It says:"
        echo "$said"
        failed=1
    fi
}

commands=$(sed -n '/^```sh$/,/^```$/p' "$readme" | grep -v '^```')
[ "$(printf '%s\n' "$commands" | grep -c '^build/reference/train ')" -ge 3 ] || { echo "FAILED: no commands in $readme"; exit 1; }
printf '%s\n' "$commands" > commands
while read -r line; do
    expect 0 "" sh -c "$line" </dev/null
done < commands

expect 2 "three_sentences, recall, digits, translation" "$train" digit
expect 2 "which model?" "$train"
expect 2 "at least 1" "$train" digits --steps 0
expect 2 "at least 1" "$train" digits --threads 0
expect 2 "there are fast, plain, student" "$train" digits --modules quick
expect 2 "there is no such file" "$train" --resume nothing.safetensors
expect 2 "leave it out" "$train" --resume nothing.safetensors --seed 2
expect 0 "reached" "$train" three_sentences --save whole.safetensors
expect 2 "begin a training from these weights with --load" "$train" --resume whole.safetensors
expect 2 "it cannot be written" "$train" text --save nowhere/x.safetensors  # at once, not after the training
expect 1 "missed" "$train" three_sentences --steps 5 --save short.safetensors
# The weights that have learned have not forgotten.
expect 0 "reached" "$train" three_sentences --steps 1 --load whole.safetensors --save more.safetensors

# Ctrl-C, soon after the training has begun.
"$train" digits --steps 150 --threads 1 --save interrupted.safetensors > log 2>&1 &
training=$!
while ! grep -q "weights" log && kill -0 $training 2>/dev/null; do sleep 0.02; done
sleep 0.1
kill -INT $training
wait $training
code=$?
[ $code -eq 130 ] && grep -q "To go on:" log || { echo "FAILED: interrupted, code $code:"; cat log; failed=1; }
made=$(sed -n 's/Interrupted after step \([0-9]*\).*/\1/p' log)
expect 2 "interrupted.safetensors is a training of digits, not of text" "$train" text --resume interrupted.safetensors
# make train names the model, too.
expect 1 "$made steps are made already" "$train" digits --resume interrupted.safetensors --threads 2
expect 1 "weights are in" "$train" digits --steps 150 --save uninterrupted.safetensors
cmp interrupted.safetensors uninterrupted.safetensors || failed=1
exit $failed
