"""BenchExec tool-info module for Lariat (https://github.com/sosy-lab/benchexec).

Copy it to `benchexec/tools/`, or run BenchExec with `PYTHONPATH=tools` and
`tool="lariat"` replaced by `tool=".lariat"`. It needs BenchExec 3.3 or newer.
"""

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task

# The answers of Lariat's last line, and what BenchExec calls them.
ANSWERS = {
    "TRUE": result.RESULT_TRUE_PROP,
    "FALSE(unreach-call)": result.RESULT_FALSE_REACH,
    "FALSE(valid-free)": result.RESULT_FALSE_FREE,
    "FALSE(valid-deref)": result.RESULT_FALSE_DEREF,
    "FALSE(valid-memtrack)": result.RESULT_FALSE_MEMTRACK,
    "FALSE(valid-memcleanup)": result.RESULT_FALSE_MEMCLEANUP,
    "FALSE(no-overflow)": result.RESULT_FALSE_OVERFLOW,
    "FALSE(assert)": result.RESULT_FALSE_PROP,
    "UNKNOWN": result.RESULT_UNKNOWN,
}

# Seconds that are left to Lariat to tell the best answer so far.
MARGIN = 5


class Tool(benchexec.tools.template.BaseTool2):
    """Lariat decides whether an assertion of a C or Boogie program can fail."""

    # Z3 and libclang lie beside the executable of an installation.
    REQUIRED_PATHS = ["../lib"]

    def name(self):
        return "Lariat"

    def project_url(self):
        return "https://example.org/lariat"

    def executable(self, tool_locator):
        return tool_locator.find_executable("lariat", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="lariat")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "verify", "--no-progress", "--color=never", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        machine = get_data_model_from_task(task, {ILP32: "ilp32", LP64: "lp64"})
        if machine and not _has_option(options, "--machine"):
            command += ["--machine", machine]
        limit = _wall_time(rlimits)
        if limit and limit > MARGIN and not _has_option(options, "--time-limit"):
            command += ["--time-limit", str(limit - MARGIN)]
        return command + list(task.input_files_or_identifier)

    def determine_result(self, run):
        # The last line counts: the program's own output cannot come after it.
        for line in reversed(list(run.output)):
            line = line.strip()
            if line.startswith("VERDICT: "):
                return ANSWERS.get(line[len("VERDICT: ") :], result.RESULT_ERROR)
        if run.was_terminated:
            return result.RESULT_ERROR
        # Without a property file there is no such line, and the exit code tells.
        code = run.exit_code.value
        if code == 0:
            return result.RESULT_TRUE_PROP
        if code == 1:
            return result.RESULT_FALSE_PROP
        if code == 2:
            return result.RESULT_ERROR + " (bad input)"
        if code == 3:
            return result.RESULT_UNKNOWN
        if code == 101:
            return result.RESULT_ERROR + " (internal error)"
        return result.RESULT_ERROR


def _wall_time(rlimits):
    """The seconds after which a limit is reached if all cores are used, as Lariat does."""
    limits = []
    if rlimits.cputime:
        limits.append(rlimits.cputime // (rlimits.cpu_cores or 1))
    if rlimits.walltime:
        limits.append(rlimits.walltime)
    return min(limits, default=None)


def _has_option(options, name):
    return any(option == name or option.startswith(name + "=") for option in options)
