"""rawtherapee-cli, with a processing profile that we write."""
import os
import tempfile
from pathlib import Path

from harness.program import Program


def curve(points):
    """RawTherapee's text for a spline."""
    return "1;" + "".join(f"{x:g};{y:g};" for x, y in points)


def profile(sections):
    """The text of a .pp3 file; sections that are not named stay off."""
    lines = ["[Version]", "AppVersion=5.9", "Version=349"]
    for name, settings in sections.items():
        lines += ["", f"[{name}]"] + [f"{key}={value}" for key, value in settings.items()]
    return "\n".join(lines) + "\n"


def rawtherapee(sections, quality, work):
    """The command with these tools: two processes of one thread, or one of two."""
    place = Path(tempfile.mkdtemp(prefix="rawtherapee-", dir=work))
    (place / "edit.pp3").write_text(profile(sections))

    def command(photos, out):
        subsampled = "-js1"
        return ["rawtherapee-cli", "-q", "-Y", "-o", out, "-p", place / "edit.pp3",
                f"-j{quality}", subsampled, "-c", *photos]

    def processes(library, out):
        return [command(half, out) for half in library.halves]

    def threads(library, out):
        return [command([photo.path for photo in library.photos], out)]

    own = {"XDG_CONFIG_HOME": os.fspath(place / "config"),
           "XDG_CACHE_HOME": os.fspath(place / "cache")}
    rival = Program("one process of two threads", threads, {**own, "OMP_NUM_THREADS": "2"})
    names = ", ".join(sections)
    return Program("rawtherapee-cli", processes, own, rival, note=f"its tools {names}")
