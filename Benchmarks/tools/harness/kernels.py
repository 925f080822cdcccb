"""The kernels as a library that Python can load."""
import ctypes
import pathlib
import subprocess

KERNELS = pathlib.Path(__file__).resolve().parents[3] / "Sources/PixelKernels"


def build(library):
    """Compiles the kernels to the shared library `library`."""
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "vips"],
                           check=True, capture_output=True, text=True).stdout.split()
    subprocess.run(["clang", "-O2", "-shared", "-fPIC", f"-I{KERNELS}", f"-I{KERNELS}/include",
                    "-o", str(library), *map(str, sorted(KERNELS.rglob("*.c"))), *flags], check=True)


def load(library):
    """Loads the library, and registers its operations with libvips, which must be loaded."""
    ctypes.CDLL(str(library)).phbatch_operations_register()
