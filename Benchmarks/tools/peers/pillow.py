"""Pillow."""
import pathlib

from harness.environments import python
from harness.program import Program

SCRIPT = pathlib.Path(__file__).with_name("with-pillow.py")


def pillow(job):
    interpreter = python("8.14")

    def commands(library, out):
        return [[interpreter, SCRIPT, job, out, *half] for half in library.halves]
    return Program("Pillow", commands)
