#!/usr/bin/env bash
# What the queue costs, and what a second worker gains:
#   deploy/measure-overhead.sh LARIAT [TASKS] [ROUNDS]
# TASKS quick programs in one process and on one worker, then TASKS/4 chains of procedures, of one thread each, on one worker and on two. The runs
# alternate, and the least time of each is compared. Wants a quiet machine of two cores. Needs nats-server. Listens on 127.0.0.1 only.
set -euo pipefail
lariat=$1 tasks=${2:-200} rounds=${3:-3}
folder=$(mktemp -d)
port=${PORT:-14343}
url=nats://127.0.0.1:$port
processes=()
finish() {
    for process in "${processes[@]}"; do kill -KILL "$process" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT
mkdir "$folder/quick" "$folder/long"
for ((n = 0; n < tasks; n++)); do
    echo "procedure main(x: int) { assert x + $n >= x; }" >"$folder/quick/$n.bpl"
    echo "{\"file\": \"$n.bpl\", \"expect\": \"safe\"}" >>"$folder/quick/manifest.jsonl"
done
for ((n = 0; n < tasks / 4; n++)); do
    "$lariat" bench --generate chain $((2000 + n)) >"$folder/long/$n.bpl"
    echo "{\"file\": \"$n.bpl\", \"expect\": \"safe\"}" >>"$folder/long/manifest.jsonl"
done
nats-server -a 127.0.0.1 -p "$port" --jetstream --store_dir "$folder/nats" >"$folder/nats.log" 2>&1 &
processes+=($!)
until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do sleep 0.1; done
start_worker() {
    "$lariat" worker --on "$url" --jobs 1 >>"$folder/workers.log" 2>&1 &
    processes+=($!)
    sleep 1
}
# Seconds of one run of a suite, whose answers are not there yet.
run() {
    local suite=$1 started ended
    shift
    "$lariat" queue purge --on "$url" >/dev/null 2>&1 || true
    started=$(date +%s.%N)
    "$lariat" bench "$folder/$suite" --out "$folder/out-$RANDOM" --engine dag --harness off --time-limit 60 "$@" >"$folder/run.txt" 2>&1 ||
        { cat "$folder/run.txt" >&2; exit 1; }
    ended=$(date +%s.%N)
    awk "BEGIN { print $ended - $started }"
}
least() { printf '%s\n' "$@" | sort -n | head -n 1; }
here=() there=() one=() two=()
start_worker
for ((round = 0; round < rounds; round++)); do
    here+=("$(run quick --jobs 1)")
    there+=("$(run quick --on "$url")")
    one+=("$(run long --on "$url")")
done
start_worker
for ((round = 0; round < rounds; round++)); do two+=("$(run long --on "$url")"); done
echo "in one process, s:  ${here[*]}"
echo "on one worker, s:   ${there[*]}"
echo "long, one worker:   ${one[*]}"
echo "long, two workers:  ${two[*]}"
awk "BEGIN { printf \"%d quick tasks: the queue takes %.2f times the time; two workers are %.2f times as fast as one\n\", $tasks,
    $(least "${there[@]}") / $(least "${here[@]}"), $(least "${one[@]}") / $(least "${two[@]}") }"
