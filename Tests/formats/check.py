"""Renders a corpus of real files and compares the pixels with other decoders: check.py PHBATCH.

expected.tsv lists each file of the corpus with its outcome and size; --record writes it anew. The
renditions are compared with Pillow, pillow-heif and imagecodecs, whose pixels Little CMS converts to
sRGB. PHBATCH_CORPUS is the folder of the corpus.
"""

import argparse
import collections
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import imagecodecs
import numpy
import pillow_heif
from PIL import Image, ImageCms, ImageOps

HERE = pathlib.Path(__file__).resolve().parent
FOLDERS = ["formats", "aux", "icc", "raw", "video", "photos", "metadata", "broken"]
RECIPE = {
    "identifier": "org.example.check", "version": "1.0.0", "variant": "check",
    "inputs": {"formats": ["svg", "pdf", "exr", "hdr", "ppm", "fits"]},
    "outputs": [{"name": "check", "format": "png", "path": "{name}.png", "metadata": "none",
                 "compression": 1}],
}
# The largest mean and the largest 99.5th percentile of the differences, in levels of 8 bits.
MEAN, MOST = 1.0, 6
# libavif, which Pillow uses, interpolates the colours of 4:2:0; libheif does not.
AVIF_MEAN, AVIF_MOST = 2.0, 20
# Files that other decoders show differently, and why.
EXPLAINED = {
    "aux/libavif/seine_hdr_gainmap_srgb.avif": "Pillow shows PQ as it is",
    "aux/libavif/seine_hdr_srgb.avif": "Pillow shows PQ as it is",
    "aux/libavif/color_grid_gainmap_different_grid.avif": "Pillow shows PQ as it is",
    "aux/libavif/color_nogrid_alpha_nogrid_gainmap_grid.avif": "Pillow shows PQ as it is",
    "metadata/exiv2/Reagan.jxl": "imagecodecs ignores its profile",
    "metadata/exifr/RESULT-OK_0008.jp2": "Pillow ignores its profile",
    "metadata/pillow/xmp_tags_orientation.avif": "XMP turns no AVIF; Pillow lets it",
    "broken/libvips/issue412.jp2": "Pillow leaves the order of its channels out",
    "formats/avif/kimono.mirror-vertical.rotate270.crop.avif": "Pillow leaves its crop out",
    "formats/jxl-conformance/bench_oriented_brg/input.jxl": "imagecodecs ignores its profile",
    "formats/jxl-conformance/cafe/input.jxl": "imagecodecs ignores its profile",
    "formats/jxl-conformance/cmyk_layers/input.jxl": "imagecodecs takes its inks for light",
    "formats/jxl-conformance/grayscale/input.jxl": "imagecodecs ignores its profile",
    "formats/jxl-conformance/grayscale_jpeg/input.jxl": "imagecodecs ignores its profile",
    "formats/libvips/multi-channel-z-series.ome.tif": "Pillow takes signed samples for unsigned",
}

Image.MAX_IMAGE_PIXELS = None


def rendered(phbatch, corpus, folder):
    """Renders the corpus; returns the last event of each file by its path."""
    library = folder / "photos"
    for name in FOLDERS:
        shutil.copytree(corpus / name, library / name)
    recipe = folder / "recipe.json"
    recipe.write_text(json.dumps(RECIPE))
    found = {}
    run = subprocess.run(
        [phbatch, "run", recipe, library, "--output", folder / "out", "--format", "json",
         "--progress", "none", "--timeout", "60"], capture_output=True, text=True)
    if run.returncode not in (0, 3):
        sys.exit(f"the run ended with {run.returncode}: {run.stderr[-2000:]}")
    for line in run.stdout.splitlines():
        event = json.loads(line)
        if event.get("event") == "asset-done":
            found[event["file"]] = event
    return found


def reference(path):
    """The upright picture of another decoder in 8 bits of sRGB; None if it is not comparable."""
    suffix = path.suffix.lower()
    data = path.read_bytes()
    if data[4:8] == b"ftyp" and suffix != ".avif":
        heif = pillow_heif.open_heif(io.BytesIO(data), convert_hdr_to_8bit=True)
        points = heif.info.get("nclx_profile") or {}
        image, profile = heif.to_pillow(), heif.info.get("icc_profile")
        plain = (points.get("color_primaries", 2) in (1, 2)
                 and points.get("transfer_characteristics", 2) in (2, 13))
        if not profile and not plain:
            return None
    elif suffix == ".jxl":
        pixels = imagecodecs.jpegxl_decode(data)
        if pixels.ndim == 4 or pixels.dtype != numpy.uint8:
            return None
        image, profile = Image.fromarray(pixels), None
    else:
        image = Image.open(io.BytesIO(data))
        image.load()
        profile = image.info.get("icc_profile")
        if image.format == "PNG" and {"gamma", "chromaticity"} & set(image.info):
            return None
        image = ImageOps.exif_transpose(image)
    if image.mode in ("I;16", "I;16B", "I"):
        image = Image.fromarray((numpy.asarray(image) / 257).round().astype(numpy.uint8))
    if image.mode in ("F", "LAB"):
        return None
    if image.mode in ("P", "PA", "1", "LA", "La", "RGBa"):
        image = image.convert("RGBA")
    if image.mode == "CMYK" and not profile:
        return None
    if profile:
        alpha = image.getchannel("A") if image.mode == "RGBA" else None
        base = image.convert("RGB") if image.mode == "RGBA" else image
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        kind = source.profile.xcolor_space.strip()
        if kind != {"L": "GRAY"}.get(base.mode, base.mode):
            return None
        image = ImageCms.profileToProfile(
            base, source, ImageCms.createProfile("sRGB"), outputMode="RGB",
            renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
            flags=ImageCms.Flags.BLACKPOINTCOMPENSATION)
        if alpha:
            image.putalpha(alpha)
    return image.convert("RGBA")


def ours(path):
    """A rendition in 8 bits with three or four channels."""
    pixels = imagecodecs.png_decode(path.read_bytes())
    if pixels.dtype == numpy.uint16:
        pixels = ((pixels.astype(numpy.uint32) + 128) // 257).astype(numpy.uint8)
    if pixels.ndim == 2:
        pixels = numpy.repeat(pixels[:, :, None], 3, axis=2)
    if pixels.shape[2] == 2:
        pixels = numpy.concatenate([numpy.repeat(pixels[:, :, :1], 3, axis=2), pixels[:, :, 1:]], 2)
    return pixels


def difference(rendition, wanted):
    """The mean and the 99.5th percentile of the differences of pixels that are not transparent."""
    other = numpy.asarray(wanted)
    if rendition.shape[:2] != other.shape[:2]:
        return None
    seen = other[:, :, 3] > 8
    if rendition.shape[2] == 4:
        seen &= rendition[:, :, 3] > 8
    if not seen.any():
        return 0.0, 0.0
    levels = numpy.abs(rendition[:, :, :3].astype(int) - other[:, :, :3].astype(int))[seen]
    return float(levels.mean()), float(numpy.percentile(levels, 99.5))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("phbatch")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    corpus = pathlib.Path(os.environ.get("PHBATCH_CORPUS", "/nonexistent"))
    if not corpus.is_dir():
        print("SKIPPED: PHBATCH_CORPUS names no folder of real files")
        return
    table = HERE / "expected.tsv"
    failures, compared, unread = [], [], collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        found = rendered(os.path.abspath(options.phbatch), corpus, folder)
        rows = {}
        for path, event in sorted(found.items()):
            size = event["renditions"][0] if event.get("renditions") else None
            words = f"{size['width']}x{size['height']}" if size else "-"
            rows[path] = (event["reason"], words)
            if event["reason"] != "rendered":
                continue
            # Tests/raw compares raw photos; Pillow would show the thumbnails in them.
            if path.startswith("raw/") and not path.endswith(".jpg"):
                continue
            try:
                wanted = reference(corpus / path)
            except Exception as error:
                unread[type(error).__name__] += 1
                continue
            if wanted is None:
                unread["other colours"] += 1
                continue
            result = difference(ours(folder / "out" / (path + ".png")), wanted)
            compared.append((path, result))
            if path in EXPLAINED:
                continue
            if result is None:
                failures.append(f"{path}: the size is not {wanted.size}")
            elif result[0] > (AVIF_MEAN if path.endswith(".avif") else MEAN) or result[1] > (
                    AVIF_MOST if path.endswith(".avif") else MOST):
                failures.append(f"{path}: the differences' mean is {result[0]:.2f}, "
                                f"their 99.5th percentile {result[1]:.0f}")
    if options.record:
        table.write_text("".join(
            f"{path}\t{reason}\t{size}\n" for path, (reason, size) in sorted(rows.items())))
    expected = dict(
        (line.split("\t")[0], tuple(line.split("\t")[1:])) for line in
        table.read_text().splitlines())
    for path in sorted(expected.keys() | rows.keys()):
        if expected.get(path) != rows.get(path):
            failures.append(f"{path}: {rows.get(path)}, expected {expected.get(path)}")
    reasons = collections.Counter(reason for reason, _ in rows.values())
    print(f"{len(rows)} files: {', '.join(f'{n} {r}' for r, n in reasons.most_common())}")
    if len(compared) < 200:
        failures.append(f"only {len(compared)} could be compared: {dict(unread)}")
    print(f"{len(compared)} compared with other decoders; not compared: {dict(unread)}")
    known = [result for _, result in compared if result]
    if known:
        print(f"mean difference {numpy.mean([mean for mean, _ in known]):.3f} levels of 8 bits")
    for failure in failures:
        print("FAILED", failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
