"""Tests of the tool-info module. They need no BenchExec: what the module uses of it is imitated here.

    python3 -m unittest discover -s tools
"""

import sys
import types
import unittest
from collections import namedtuple


def imitate_benchexec():
    """Puts modules with the names that the tool-info module imports where it finds them."""
    benchexec = types.ModuleType("benchexec")
    result = types.ModuleType("benchexec.result")
    tools = types.ModuleType("benchexec.tools")
    template = types.ModuleType("benchexec.tools.template")
    util = types.ModuleType("benchexec.tools.sv_benchmarks_util")
    for name, value in {
        "RESULT_TRUE_PROP": "true",
        "RESULT_FALSE_PROP": "false",
        "RESULT_FALSE_REACH": "false(unreach-call)",
        "RESULT_FALSE_FREE": "false(valid-free)",
        "RESULT_FALSE_DEREF": "false(valid-deref)",
        "RESULT_FALSE_MEMTRACK": "false(valid-memtrack)",
        "RESULT_FALSE_MEMCLEANUP": "false(valid-memcleanup)",
        "RESULT_FALSE_OVERFLOW": "false(no-overflow)",
        "RESULT_UNKNOWN": "unknown",
        "RESULT_ERROR": "ERROR",
    }.items():
        setattr(result, name, value)

    class BaseTool2:
        pass

    template.BaseTool2 = BaseTool2
    util.ILP32, util.LP64 = "ILP32", "LP64"

    def get_data_model_from_task(task, values):
        model = (task.options or {}).get("data_model")
        return values.get(model)

    util.get_data_model_from_task = get_data_model_from_task
    benchexec.result, benchexec.tools = result, tools
    tools.template, tools.sv_benchmarks_util = template, util
    for module in (benchexec, result, tools, template, util):
        sys.modules.setdefault(module.__name__, module)


imitate_benchexec()
import lariat  # noqa: E402

Task = namedtuple("Task", ["input_files_or_identifier", "property_file", "options"])
Limits = namedtuple("Limits", ["cputime", "walltime", "cpu_cores"])
ExitCode = namedtuple("ExitCode", ["value", "signal"])
Run = namedtuple("Run", ["output", "exit_code", "was_terminated"])


def run_of(lines, code, terminated=False):
    return Run(lines, ExitCode(code, None), terminated)


class CommandLine(unittest.TestCase):
    def test_property_and_data_model_are_handed_on(self):
        task = Task(["a.i"], "unreach-call.prp", {"language": "C", "data_model": "ILP32"})
        self.assertEqual(
            lariat.Tool().cmdline("bin/lariat", ["--integers", "math"], task, Limits(900, None, 4)),
            ["bin/lariat", "verify", "--no-progress", "--color=never", "--integers", "math"]
            + ["--property", "unreach-call.prp", "--machine", "ilp32", "--time-limit", "220", "a.i"],
        )

    def test_what_the_user_says_wins(self):
        task = Task(["a.c"], None, {"data_model": "ILP32"})
        options = ["--machine=lp64", "--time-limit", "3"]
        command = lariat.Tool().cmdline("lariat", options, task, Limits(60, 60, None))
        self.assertEqual(command, ["lariat", "verify", "--no-progress", "--color=never", *options, "a.c"])

    def test_without_limits_and_data_model(self):
        command = lariat.Tool().cmdline("lariat", [], Task(["a.c"], "p.prp", None), Limits(None, None, None))
        self.assertEqual(command[-3:], ["--property", "p.prp", "a.c"])


class Results(unittest.TestCase):
    def determine(self, lines, code, **more):
        return lariat.Tool().determine_result(run_of(lines, code, **more))

    def test_the_verdict_line_decides(self):
        self.assertEqual(self.determine(["proved  a.c  main\n", "VERDICT: TRUE\n"], 0), "true")
        for name in ["unreach-call", "valid-free", "valid-deref", "valid-memcleanup", "no-overflow"]:
            self.assertEqual(self.determine([f"VERDICT: FALSE({name})\n"], 1), f"false({name})")
        self.assertEqual(self.determine(["VERDICT: UNKNOWN\n"], 3), "unknown")
        self.assertEqual(self.determine(["VERDICT: MAYBE\n"], 0), "ERROR")

    def test_the_last_line_of_several_counts(self):
        self.assertEqual(self.determine(["VERDICT: TRUE\n", "VERDICT: UNKNOWN\n"], 3), "unknown")

    def test_without_a_line_the_exit_code_decides(self):
        for code, expected in [(0, "true"), (1, "false"), (3, "unknown"), (101, "ERROR (internal error)")]:
            self.assertEqual(self.determine(["some text\n"], code), expected)
        self.assertTrue(self.determine([], 2).startswith("ERROR"))

    def test_a_run_that_was_killed_has_no_answer(self):
        self.assertEqual(self.determine([], 0, terminated=True), "ERROR")


if __name__ == "__main__":
    unittest.main()
