#!/usr/bin/env python3
"""Runs the rows of a manifest through `lariat corral`, with the flags that Corral takes for them.

    tools/corral_rows.py FOLDER [--lariat PATH] [--time-limit S] [--filter TEXT]

A row is right if its output has the line that Corral's own regression script looks for: one that starts with
`Program has no bugs` where `safe` is expected, `Program has a potential bug: True bug` where `bug` is. An output with
both lines is wrong, whatever is expected. The exit code is 1 unless all rows are right.
"""

import argparse
import json
import pathlib
import subprocess
import sys

LINES = {"safe": "Program has no bugs", "bug": "Program has a potential bug: True bug"}


def flags(row, seconds):
    """The row as Corral's flags."""
    given = [f"/timeLimit:{seconds}", f"/recursionBound:{row.get('bound', 1)}"]
    if "entry" in row:
        given.append(f"/main:{row['entry']}")
    if "contexts" in row:
        given.append(f"/k:{row['contexts']}")
    if row.get("cooperative"):
        given.append("/cooperative")
    if "static_loop_bound" in row:
        given.append(f"/maxStaticLoopBound:{row['static_loop_bound']}")
    if "stack_depth" in row:
        given.append(f"/bopt:stackDepthBound:{row['stack_depth']}")
    if "error_variable" in row:
        given += [f"/assertVar:{row['error_variable']}", "/assertVarIsInt"]
    return given


def has_line(output, start):
    return any(line.startswith(start) for line in output.splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--lariat", default="lariat")
    parser.add_argument("--time-limit", type=int, default=60)
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    manifest = (options.folder / "manifest.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in manifest.splitlines() if line.strip()]
    rows = [row for row in rows if options.filter in row["file"]]
    right = 0
    for row in rows:
        call = [options.lariat, "corral", str(options.folder / row["file"])] + flags(row, options.time_limit)
        done = subprocess.run(call, stdout=subprocess.PIPE, text=True, check=False)
        found = [kind for kind, line in LINES.items() if has_line(done.stdout, line)]
        if found == [row["expect"]] and done.returncode == 0:
            right += 1
            continue
        print(f"{row['file']}: expected {row['expect']}, exit code {done.returncode}: {' '.join(call)}")
        print("".join(f"    {line}\n" for line in done.stdout.splitlines()[:12]), end="")
    print(f"{right} right of {len(rows)}")
    return 0 if right == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
