"""Pictures as arrays of display-encoded values 0…1, and what builds of phbatch make of them."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
import tifffile
from PIL import Image, ImageOps

LUMA = numpy.array([0.2126, 0.7152, 0.0722])
RESULTS = pathlib.Path(__file__).resolve().parents[2] / "results"


def options(text):
    """The command, another build of it to compare with, and the photos of all folders."""
    parser = argparse.ArgumentParser(description=text.splitlines()[0])
    parser.add_argument("command", type=pathlib.Path, metavar="PHBATCH")
    parser.add_argument("folders", nargs="*", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--before", type=pathlib.Path, metavar="PHBATCH")
    parser.add_argument("--pictures", type=pathlib.Path, metavar="FOLDER")
    found = parser.parse_intermixed_args()
    found.programs = {"after": found.command.resolve()}
    if found.before:
        found.programs["before"] = found.before.resolve()
    found.photos = sorted(
        path for folder in found.folders for path in folder.rglob("*")
        if path.suffix.lower() in (".jpg", ".jpeg"))
    return found


def photo(path, edge):
    """The pixels of an upright photo, reduced to a longer edge; None if it is smaller than half of
    that."""
    picture = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
    if max(picture.size) < edge / 2:
        return None
    picture.thumbnail((edge, edge), Image.LANCZOS)
    return numpy.asarray(picture) / 255


def photos(paths, edge):
    """The name and the pixels of each photo that can be read and is not too small."""
    for path in paths:
        try:
            pixels = photo(path, edge)
        except (OSError, ValueError) as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        if pixels is not None:
            yield path.name, pixels


def grey(plane):
    return numpy.repeat(plane[..., None], 3, axis=-1)


def developed(command, pictures, chains):
    """What a build of phbatch makes of pictures 0…1 with 16 bits: by chain, then by picture."""
    outputs = [{"name": name, "format": "tiff", "compression": "none", "bitDepth": 16,
                "path": "{stem}." + name + ".tif", "filters": steps,
                "highlights": {"rolloff": "hard"}} for name, steps in chains.items()]
    recipe = {"identifier": "org.phbatch.bench.look", "version": "1.0.0", "variant": "bench",
              "filters": [], "outputs": outputs}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "photos").mkdir()
        for name, pixels in pictures.items():
            write(folder / "photos" / f"{name}.tif", pixels)
        (folder / "recipe.json").write_text(json.dumps(recipe))
        made = subprocess.run(
            [command, "run", folder / "recipe.json", folder / "photos", "--output", folder / "made"],
            capture_output=True, text=True)
        if made.returncode:
            raise SystemExit(made.stdout + made.stderr)
        return {chain: {name: read(folder / "made" / f"{name}.{chain}.tif") for name in pictures}
                for chain in chains}


def write(path, pixels):
    tifffile.imwrite(path, numpy.rint(numpy.clip(pixels, 0, 1) * 65535).astype("uint16"),
                     photometric="rgb")


def read(path):
    """Three channels 0…1; a grey result becomes three."""
    pixels = tifffile.imread(path)
    return (grey(pixels) if pixels.ndim == 2 else pixels[..., :3]) / numpy.iinfo(pixels.dtype).max


def oklab(pixels):
    x = numpy.clip(pixels, 0, 1)
    light = numpy.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)
    lms = numpy.cbrt(light @ numpy.array([
        [0.4122214708, 0.2119034982, 0.0883024619], [0.5363325363, 0.6806995451, 0.2817188376],
        [0.0514459929, 0.1073969566, 0.6299787005]]))
    return lms @ numpy.array([
        [0.2104542553, 1.9779984951, 0.0259040371], [0.7936177850, -2.4285922050, 0.7827717662],
        [-0.0040720468, 0.4505937099, -0.8086757660]])


def save(folder, name, *pictures):
    """Writes pictures side by side, if a folder was given."""
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        whole = numpy.concatenate(pictures, axis=1)
        Image.fromarray(numpy.rint(255 * numpy.clip(whole, 0, 1)).astype("uint8")).save(
            folder / f"{pathlib.Path(name).stem}.png")


def record(name, results):
    def rounded(value):
        if isinstance(value, dict):
            return {key: rounded(part) for key, part in value.items()}
        return round(float(value), 3) if isinstance(value, (float, numpy.floating)) else value
    (RESULTS / name).write_text(json.dumps(rounded(results), indent=1) + "\n")
    print(json.dumps(rounded({key: part for key, part in results.items() if key != "photos"}),
                     indent=1))


def summary(figures, worst=max):
    """The mean, the median and the worst of numbers."""
    if not figures:
        return None
    return {"photos": len(figures), "mean": float(numpy.mean(figures)),
            "median": float(numpy.median(figures)), "worst": float(worst(figures))}
