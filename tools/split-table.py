#!/usr/bin/env python3
"""A table of hard programs: one engine, the portfolio, and the search in parts.

    tools/split-table.py LARIAT FOLDER [--engine widen] [--limit 300] [--hard 60] [--split 2] [--on SERVER] [FILE …]

FOLDER has a manifest.jsonl as for `lariat bench`. Every program (or only FILEs) is verified by one engine; those that take it
longer than --hard seconds are verified by the portfolio and with `--split` by the same engine, and with `--on` also by the workers of a server.
One program at a time, so run it on a quiet machine. Verdicts that contradict each other or the manifest are marked with `!` and make the exit
code 1.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("lariat")
arguments.add_argument("folder", type=pathlib.Path)
arguments.add_argument("files", nargs="*")
arguments.add_argument("--limit", type=float, default=300)
arguments.add_argument("--hard", type=float, default=60)
arguments.add_argument("--split", type=int, default=2)
arguments.add_argument("--engine", default="widen")
arguments.add_argument("--on")
given = arguments.parse_intermixed_args()

SURE = {"safe": {"proved", "bounded"}, "bug": {"bug", "bug-unconfirmed"}}
wrong = 0


def verify(row, *more):
    command = [given.lariat, "verify", given.folder / row["file"], "--output-format", "json"]
    command += ["--time-limit", str(given.limit), "--bound", str(row.get("bound", 3)), *more]
    started = time.monotonic()
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    seconds = time.monotonic() - started
    report = json.loads(output)
    parts = sum(entry["stats"].get("parts", 0) for entry in report["entries"])
    return report["verdict"]["kind"], seconds, parts


def cell(row, answer):
    global wrong
    verdict, seconds, parts = answer
    expected = SURE.get(row["expect"], set())
    contradicts = verdict in set().union(*SURE.values()) - expected
    wrong += contradicts
    text = f"{verdict} {seconds:.0f} s" if verdict != "unknown" else "–"
    return text + (f", {parts} parts" if parts > 1 else "") + (" !" if contradicts else "")


rows = [json.loads(line) for line in (given.folder / "manifest.jsonl").read_text().splitlines() if line.strip()]
rows = [row for row in rows if not given.files or any(name in row["file"] for name in given.files)]
ENGINE = ["--engine", given.engine]
SPLIT = ["--split", str(given.split)]
titles = ["program", f"`{given.engine}`", "portfolio", f"`{given.engine}` in {given.split} threads"]
titles += [f"`{given.engine}` on {given.split} workers"] if given.on else []
print(f"| {' | '.join(titles)} |\n|{'---|' * len(titles)}", flush=True)
for row in rows:
    one = verify(row, *ENGINE)
    if one[1] < given.hard:
        cell(row, one)
        continue
    answers = [one, verify(row), verify(row, *ENGINE, *SPLIT)]
    if given.on:
        answers.append(verify(row, *ENGINE, *SPLIT, "--on", given.on))
    cells = [cell(row, answer) for answer in answers]
    print(f"| {row['file'].split('.')[0]} | {' | '.join(cells)} |", flush=True)
sys.exit(1 if wrong else 0)
