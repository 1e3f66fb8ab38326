#!/usr/bin/env python3
"""What other tools find of the bugs of a library whose truth is known.

    tools/angelic_peers.py examples/angelic

Runs cppcheck and clang's analyzer, if they are installed, on the C files of the folder that the truth (NAME.truth.toml) mentions, and
counts for each: bugs that a report names, reports that name none, and bugs that no report names. A report names a bug if it is at the
bug's line, or at a line of `also`; for a bug `through` a callee also if it is anywhere in the bug's entry.

benches/open/table.py uses the same tools on other files.
"""

import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tomllib

CHECKERS = "core,unix,nullability,security,alpha.core,alpha.unix"
REPORT = re.compile(r"^(?P<file>[^:\s]+\.[ch]):(?P<line>\d+):\d+: (warning|error): .*\[(?P<kind>[\w.]+)\]$", re.MULTILINE)
NULL_KINDS = ("nullPointer", "ctunullpointer", "core.NullDereference", "core.NonNullParamChecker", "unix.cstring.NullArg", "nullability.")


def cppcheck(files, flags=()):
    command = ["cppcheck", "--enable=warning", "--inconclusive", "--std=c11", "-q"]
    command += ["--template={file}:{line}:{column}: {severity}: {message} [{id}]", *flags, *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


def clang(files, flags=()):
    text = ""
    for file in files:
        command = ["clang", "--analyze", "-Xclang", "-analyzer-output=text", "-Xclang", f"-analyzer-checker={CHECKERS}"]
        command += [*flags, str(file), "-o", "/dev/null"]
        text += subprocess.run(command, capture_output=True, text=True, check=False).stderr
    return text


PEERS = {"cppcheck": cppcheck, "clang": clang}


def reports(text):
    """File, line and kind of each report."""
    return {(pathlib.Path(hit["file"]).resolve(), int(hit["line"]), hit["kind"]) for hit in REPORT.finditer(text)}


def is_null(kind):
    """Whether a report is about a null pointer."""
    return kind.startswith(NULL_KINDS)


def measured(run):
    """What it returns, and the processor seconds of its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return result, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def lines_of(file, function):
    """The lines of a function that is written in the style of the library: its name and its last brace begin lines."""
    lines = file.read_text().splitlines()
    start = next(
        (number for number, line in enumerate(lines) if re.match(rf"\w.*\b{function}\(", line) and not line.endswith(";")),
        None,
    )
    if start is None:
        return range(0)
    end = next(number for number in range(start, len(lines)) if lines[number] == "}")
    return range(start + 1, end + 2)


def main():
    folder = pathlib.Path(sys.argv[1])
    (truth_file,) = folder.glob("*.truth.toml")
    truth = tomllib.loads(truth_file.read_text())
    bugs = truth["bug"]
    folders = {(folder / bug["file"]).parent for bug in bugs}
    files = sorted(file for one in folders for file in one.glob("*.c"))
    places = {}
    for bug in bugs:
        file = folder / bug["file"]
        lines = {bug["line"], *bug.get("also", [])}
        if bug.get("through"):
            lines |= set(lines_of(file, bug["entry"]))
        places[bug["id"]] = {(file.resolve(), line) for line in lines}
    print(f"{'tool':<10} {'reports':>8} {'bugs found':>11} {'false':>6} {'missed':>7} {'CPU s':>7}")
    for name, run in PEERS.items():
        if shutil.which(name) is None:
            print(f"{name:<10} not installed")
            continue
        text, seconds = measured(lambda run=run: run(files))
        found_places = {(file, line) for file, line, _ in reports(text)}
        found = [bug["id"] for bug in bugs if places[bug["id"]] & found_places]
        named = set().union(*places.values())
        wrong = sorted(found_places - named)
        print(f"{name:<10} {len(found_places):>8} {len(found):>11} {len(wrong):>6} {len(bugs) - len(found):>7} {seconds:>7.1f}")
        print(f"           found {' '.join(found)}")
        print(f"           false {' '.join(f'{file.name}:{line}' for file, line in wrong)}")


if __name__ == "__main__":
    main()
