"""The tables of benches/open/run: what `lariat angelic` and its peers report in real libraries, and what of it is true.

judged.tsv says what each report is: file, line, the line's text, the function, `true` or `false`, a name of the bug (reports of one bug have
one name) and the reason. A judgement counts only for the text that it was made for; reports without one are counted as unjudged. A tool has
missed a bug that another one has found. Only reports about null pointers count.
"""

import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tools"))

from angelic_peers import PEERS, is_null, measured, reports  # noqa: E402

# The shipped default, and the same without the assertions that the code's own null checks stand for.
CONFIGURATIONS = {"DEFAULT": [], "DEFAULT-AA": ["--permissive=consistency,user"]}


def modules(sources):
    """Name, path and flags of each file."""
    for line in (HERE / "modules.tsv").read_text().splitlines():
        if line.startswith("#"):
            continue
        folder, flags, files = line.split("\t")
        directory = sources / folder
        words = flags.replace("DIR", str(directory)).split()
        for file in files.split():
            yield f"{folder}/{file}", directory / file, words


def kept(path, make):
    """The answer in a file, made if it is not there."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        text, seconds = measured(make)
        path.write_text(json.dumps({"text": text, "seconds": seconds}))
    return json.loads(path.read_text())


def angelic(lariat, file, flags, options, limit):
    command = [lariat, "angelic", "--time-limit", limit, "--jobs", "1", "--check", "null", "--no-specs", "--no-cache", "--output-format", "json"]
    command += [*options, *flags, str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


class Run:
    """What one tool says of one file."""

    def __init__(self, places, seconds, entries=0, incomplete=0):
        self.places = places
        self.seconds = seconds
        self.entries = entries
        self.incomplete = incomplete


def angelic_run(answer, name):
    report = json.loads(answer["text"])
    if report["bad_input"]:
        sys.exit(f"{name} cannot be read: {report['diagnostics']}")
    failures = [warning["traces"][0]["failure"] for warning in report["warnings"]]
    places = [(pathlib.Path(failure["location"]["file"]).resolve(), failure["location"]["line"]) for failure in failures]
    entries = report["entries"]
    incomplete = sum(entry["outcome"]["kind"] != "done" for entry in entries)
    return Run(places, answer["seconds"], len(entries), incomplete)


def peer_run(answer):
    places = {(file, line) for file, line, kind in reports(answer["text"]) if is_null(kind)}
    return Run(sorted(places), answer["seconds"])


class Judgements:
    def __init__(self, sources):
        self.sources = sources
        self.known = {}
        for line in (HERE / "judged.tsv").read_text().splitlines():
            if not line or line.startswith("#"):
                continue
            file, number, text, _, verdict, bug, _ = line.split("\t")
            self.known[(sources / file).resolve(), int(number)] = (text, verdict, bug)

    def of(self, place):
        """Verdict and bug; None if nobody has looked at this text."""
        file, number = place
        text, verdict, bug = self.known.get(place, (None, None, None))
        lines = file.read_text(errors="replace").splitlines()
        return (verdict, bug) if number <= len(lines) and lines[number - 1].strip() == text else None


def columns(runs, judgements):
    """Bugs found; the numbers of reports, and of those that are true, false and unjudged."""
    places = [place for run in runs for place in run.places]
    judged = [judgements.of(place) for place in places]
    bugs = {one[1] for one in judged if one and one[0] == "true"}
    counts = [sum(bool(one) and one[0] == verdict for one in judged) for verdict in ("true", "false")]
    return bugs, [len(places), *counts, judged.count(None)]


def main():
    lariat, sources, answers, limit = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]), sys.argv[4]
    judgements = Judgements(sources)
    files = list(modules(sources))
    lines = {name: len(path.read_text(errors="replace").splitlines()) for name, path, _ in files}
    tools = {}
    for configuration, options in CONFIGURATIONS.items():
        tools[configuration] = {}
        for name, path, flags in files:
            print(f"{configuration} {name}", file=sys.stderr)
            answer = kept(
                answers / configuration / f"{name}.json",
                lambda path=path, flags=flags, options=options: angelic(lariat, path, flags, options, limit),
            )
            tools[configuration][name] = angelic_run(answer, name)
    for peer, run in PEERS.items():
        if shutil.which(peer) is None:
            print(f"{peer} is not installed", file=sys.stderr)
            continue
        tools[peer] = {
            name: peer_run(kept(answers / peer / f"{name}.json", lambda run=run, path=path, flags=flags: run([path], flags)))
            for name, path, flags in files
        }

    print("| file | lines | entries | incomplete | warnings | true | false | unjudged | seconds | -AA incomplete | -AA warnings | -AA seconds |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name, _, _ in files:
        run, without = tools["DEFAULT"][name], tools["DEFAULT-AA"][name]
        _, (warnings, true, false, unjudged) = columns([run], judgements)
        print(
            f"| {name} | {lines[name]} | {run.entries} | {run.incomplete} | {warnings} | {true} | {false} | {unjudged} "
            f"| {run.seconds:.1f} | {without.incomplete} | {len(without.places)} | {without.seconds:.1f} |"
        )
    print(f"\n{sum(lines.values())} lines in {len(files)} files\n")
    found = {tool: columns(runs.values(), judgements) for tool, runs in tools.items()}
    every = set().union(*(bugs for bugs, _ in found.values()))
    print("| tool | processor seconds | reports | true | false | unjudged | bugs | missed |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for tool, (bugs, (places, true, false, unjudged)) in found.items():
        seconds = sum(run.seconds for run in tools[tool].values())
        print(f"| {tool} | {seconds:.1f} | {places} | {true} | {false} | {unjudged} | {len(bugs)} | {len(every - bugs)} |")
    print_unjudged(tools, judgements, sources)


def print_unjudged(tools, judgements, sources):
    for tool, runs in tools.items():
        for run in runs.values():
            for file, number in run.places:
                if judgements.of((file, number)) is None:
                    text = file.read_text(errors="replace").splitlines()[number - 1].strip()
                    print(f"{tool}: {file.relative_to(sources)}:{number}: {text}", file=sys.stderr)


if __name__ == "__main__":
    main()
