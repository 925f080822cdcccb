"""The Python environments of the peers, made when they are first needed."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLACE = ROOT / ".build/bench"

# With a libvips that pkg-config can find, pyvips is built against that one even if pyvips-binary is
# there: pkg-config is hidden from the second build, and the version is checked.
HIDDEN = {"PKG_CONFIG": "/bin/false", "PKG_CONFIG_PATH": "", "PKG_CONFIG_LIBDIR": "/nonexistent"}
PACKAGES = {
    "8.14": (["pyvips==3.0.0", "pillow==11.3.0"], {}, "assert pyvips.version(1) == 14"),
    "8.18": (["pyvips==3.0.0", "pyvips-binary==8.18.7"], HIDDEN, "assert pyvips.version(1) == 18"),
}


def python(version):
    """The interpreter that has pyvips with libvips 8.14, of the system, or 8.18, of its own."""
    packages, extra, check = PACKAGES[version]
    place = PLACE / f"python-{version}"
    interpreter = place / "bin/python"
    wanted = "\n".join(packages)
    seal = place / "packages"
    if not seal.exists() or seal.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
        subprocess.run(
            [interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
             "--no-cache-dir", "--no-binary", "pyvips", *packages],
            env={**os.environ, **extra}, check=True)
        seal.write_text(wanted)
    subprocess.run([interpreter, "-c", f"import pyvips; {check}, pyvips.version(1)"], check=True)
    return interpreter
