"""How far the results of programs are from the reference's, so that equal work can be seen."""
import subprocess

from harness.environments import python

SCRIPT = """
import sys, pyvips

def small(path):
    return pyvips.Image.thumbnail(path, 512, height=512).colourspace("srgb").copy_memory()

reference = small(sys.argv[1])
for path in sys.argv[2:]:
    image = small(path)
    same = (image.width, image.height) == (reference.width, reference.height)
    print((image - reference).abs().avg() if same else "nan")
"""


def sample(library, out, result):
    """The largest result of the photo in the middle."""
    stem = library.photos[len(library.photos) // 2].path.stem
    found = [path for path in out.rglob(f"{stem}*") if path.suffix.lower() in result.suffixes]
    return max(found, key=lambda path: result.header(path).edges)


def differences(reference, others):
    """The mean difference of each picture from the reference, in levels of 255, at 512 pixels."""
    lines = subprocess.run(
        [python("8.14"), "-c", SCRIPT, reference, *others], check=True, capture_output=True,
        text=True).stdout
    return [float(line) for line in lines.split()]
