"""The Python environments of the peers, made when they are first needed."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PLACE = ROOT / ".build/bench"

# With a libvips that pkg-config can find, pyvips is built against that one even if pyvips-binary is
# there: pkg-config is hidden from the second build, and the version is checked.
HIDDEN = {"PKG_CONFIG": "/bin/false", "PKG_CONFIG_PATH": "", "PKG_CONFIG_LIBDIR": "/nonexistent"}
PACKAGES = {
    "8.14": (["pyvips==3.0.0", "pillow==11.3.0"], {}, "assert pyvips.version(1) == 14"),
    "8.18": (["pyvips==3.0.0", "pyvips-binary==8.18.7"], HIDDEN, "assert pyvips.version(1) == 18"),
}

# What reads pictures without libvips.
READERS = ["imagecodecs==2024.9.22", "numpy==2.1.3", "pillow==11.3.0", "tifffile==2024.9.20"]


def python(version):
    """The interpreter that has pyvips with libvips 8.14, of the system, or 8.18, of its own."""
    packages, extra, check = PACKAGES[version]
    interpreter = environment(version, ["--no-binary", "pyvips", *packages], extra)
    subprocess.run([interpreter, "-c", f"import pyvips; {check}, pyvips.version(1)"], check=True)
    return interpreter


def readers():
    """The interpreter that has Pillow, tifffile and its codecs."""
    return environment("readers", READERS, {})


def environment(name, packages, extra):
    """The interpreter of an environment with these packages, made if it is not there."""
    place = PLACE / f"python-{name}"
    interpreter = place / "bin/python"
    wanted = "\n".join(packages)
    seal = place / "packages"
    if not seal.exists() or seal.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
        subprocess.run(
            [interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
             "--no-cache-dir", *packages],
            env={**os.environ, **extra}, check=True)
        seal.write_text(wanted)
    return interpreter
