"""A program under measurement, and one run of it."""
import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from typing import Callable

# Two processes of one thread each, for all: the machine's cores are shared alike.
ONE_THREAD = {"VIPS_CONCURRENCY": "1", "OMP_NUM_THREADS": "1", "MAGICK_THREAD_LIMIT": "1"}
TIME_LIMIT = 900


class Failed(Exception):
    """A program ended with an error, took too long, or made something else than was asked for."""


@dataclass(frozen=True)
class Program:
    name: str
    #: From the library and the folder for results to the command lines that run side by side.
    commands: Callable
    environment: dict = field(default_factory=dict)
    #: The same work with another use of the cores; the faster of the two is measured.
    rival: "Program | None" = None
    #: What a reader must know to judge the figures.
    note: str = ""


@dataclass(frozen=True)
class Run:
    #: Seconds until all is written.
    wall: float
    #: Seconds of processor time, of all processes.
    cpu: float
    #: Resident megabytes of the largest process.
    memory: float


def run(program, library, out):
    """Runs the program once over the library, into a new folder."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    commands = program.commands(library, out)
    environment = {**os.environ, **ONE_THREAD, **program.environment}
    with tempfile.TemporaryFile() as errors:
        began = time.perf_counter()
        processes = [
            subprocess.Popen(
                [str(word) for word in command], cwd=library.folder, env=environment,
                stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)
            for command in commands]
        usages = [finished(process, began) for process in processes]
        wall = time.perf_counter() - began
        if any(status != 0 for status, _ in usages):
            errors.seek(0)
            raise Failed(f"{program.name}: {errors.read()[-2000:].decode(errors='replace')}")
    return Run(
        wall,
        sum(usage.ru_utime + usage.ru_stime for _, usage in usages),
        max(usage.ru_maxrss for _, usage in usages) / 1024)


def finished(process, began):
    """Waits for the process; its status, and its use of resources and that of its children."""
    while True:
        found, status, usage = os.wait4(process.pid, os.WNOHANG)
        if found:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage
        if time.perf_counter() - began > TIME_LIMIT:
            process.kill()
        time.sleep(0.002)
