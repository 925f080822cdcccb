"""libvips: through Python, in Debian's version and in a new one, and its own vipsthumbnail."""
import pathlib

from harness.environments import python
from harness.program import Program

SCRIPT = pathlib.Path(__file__).with_name("with-pyvips.py")


def pyvips(version, job, *arguments, name=None, note=""):
    """A script on pyvips with libvips `version`, which does the job for each photo."""
    interpreter = python(version)

    def commands(library, out):
        return [[interpreter, SCRIPT, version, job, *arguments, out, *half]
                for half in library.halves]
    return Program(name or f"pyvips, libvips {version}", commands, note=note)


def thumbnail(edge, quality):
    def commands(library, out):
        return [["vipsthumbnail", *half, "-s", f"{edge}x{edge}>",
                 "-o", f"{out}/%s.jpg[Q={quality},optimize_coding,strip]"]
                for half in library.halves]
    return Program("vipsthumbnail, not sharpened", commands)
