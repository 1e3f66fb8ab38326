#!/usr/bin/env bash
# Runs a suite with workers that are killed again and again, and compares with a run in one process:
#   deploy/kill-everything.sh LARIAT SUITE [bench options…]
# A random worker of four is killed every 5 s and replaced; after 20 s the server is restarted, after 40 s the coordinator is
# killed and resumed. Needs nats-server, python3. Listens on 127.0.0.1 only.
set -euo pipefail
lariat=$1 suite=$2
shift 2
folder=$(mktemp -d)
port=${PORT:-14333}
url=nats://127.0.0.1:$port
workers=()
server=
coordinator=
finish() {
    for process in "${workers[@]}" "$coordinator" "$server"; do
        [[ -n $process ]] && kill -KILL "$process" 2>/dev/null || true
    done
}
trap finish EXIT
start_server() {
    nats-server -a 127.0.0.1 -p "$port" --jetstream --store_dir "$folder/nats" >>"$folder/nats.log" 2>&1 &
    server=$!
    until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do sleep 0.1; done
}
start_worker() {
    "$lariat" worker --on "$url" --jobs 1 --lease "${LEASE:-10}" >>"$folder/workers.log" 2>&1 &
    workers[$1]=$!
}
start_coordinator() {
    "$lariat" bench "$suite" --out "$folder/there" --on "$url" --harness off "${options[@]}" "$@" >"$folder/there.txt" 2>&1 &
    coordinator=$!
}
options=("$@")
if [[ -n ${HERE:-} ]]; then
    mkdir -p "$folder/here" && cp "$HERE/results.jsonl" "$folder/here/"
else
    "$lariat" bench "$suite" --out "$folder/here" --harness off "${options[@]}" >"$folder/here.txt" 2>&1 || true
fi
start_server
for number in 0 1 2 3; do start_worker "$number"; done
start_coordinator
kills=0 rounds=0
while kill -0 "$coordinator" 2>/dev/null; do
    sleep 5
    rounds=$((rounds + 1))
    victim=$((RANDOM % 4))
    kill -KILL "${workers[$victim]}" 2>/dev/null && kills=$((kills + 1)) || true
    start_worker "$victim"
    if ((rounds == 4)); then
        kill -KILL "$server" && wait "$server" 2>/dev/null || true
        start_server
    fi
    if ((rounds == 8)) && kill -KILL "$coordinator" 2>/dev/null; then
        wait "$coordinator" 2>/dev/null || true
        start_coordinator --resume
    fi
done
echo "$kills workers were killed"
grep -h "given to another worker" "$folder/there.txt" || true
tail -1 "$folder/there.txt"
python3 - "$folder" <<'PYTHON'
import json, sys
def rows(name):
    found = {}
    for line in open(f"{sys.argv[1]}/{name}/results.jsonl"):
        record = json.loads(line)
        key = (record["series"], record["manifest"], record["row"])
        assert key not in found, f"{key} has two results"
        found[key] = (record["file"], record["judgement"], record["verdict"]["kind"])
    return found
here, there = rows("here"), rows("there")
differs = [(here.get(key), there.get(key)) for key in here.keys() | there.keys() if here.get(key) != there.get(key)]
print(f"{len(there)} rows, {len(differs)} differ from the run in one process")
for pair in differs:
    print(*pair)
sys.exit(bool(differs))
PYTHON
