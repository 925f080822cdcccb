"""Compares the development of raw photos with other decoders and with known light: check.py PHBATCH.

- A ColorChecker in the colours of three cameras, under three lights: ΔE2000 to the truth.
- Photos whose mosaics are made of reduced photos: the PSNR, beside those of LibRaw's algorithms.
- Levels and sizes beside those of rawpy; the samples beside those of tifffile and imagecodecs.
- Two exposures of one scene: the light, and its ratio, of all tones is that of the samples.

PHBATCH_CORPUS is the folder of the corpus.
"""
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import imagecodecs
import numpy
import rawpy
import tifffile
from PIL import Image, ImageOps

import dng

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]
                       / "Benchmarks/tools"))
sys.dont_write_bytecode = True
from harness.difference import difference, lab  # noqa: E402

CORPUS = pathlib.Path(os.environ["PHBATCH_CORPUS"])
XYZ_OF_SRGB = numpy.array([[0.4123908, 0.3575843, 0.1804808], [0.2126390, 0.7151687, 0.0721923],
                           [0.0193308, 0.1191948, 0.9505322]])
XYZ_OF_PROPHOTO = numpy.array([[0.7976749, 0.1351917, 0.0313534], [0.2880402, 0.7118741, 0.0000857],
                               [0, 0, 0.8252100]])
D50 = numpy.array([0.96422, 1, 0.82521])
# The chromaticities (CIE xyY, for D50) of the 24 patches of the ColorChecker before November 2014.
# Source: X-Rite, "Colorimetric values for ColorChecker family of targets".
PATCHES = """
37.986 13.555 14.059  65.711 18.13 17.81  49.927 -4.88 -21.925  43.139 -13.095 21.905
55.112 8.844 -25.399  70.719 -33.397 -0.199  62.661 36.067 57.096  40.02 10.41 -45.964
51.124 48.239 16.248  30.325 22.976 -21.587  72.532 -23.709 57.255  71.941 19.363 67.857
28.778 14.179 -50.297  55.261 -38.342 31.37  42.101 53.378 28.19  81.733 4.039 79.819
51.935 49.986 -14.574  51.038 -28.631 -28.638  96.539 -0.425 1.186  81.257 -0.638 -0.335
66.766 -0.734 -0.504  50.867 -0.153 -0.27  35.656 -0.421 -1.231  20.461 -0.079 -0.973
"""
CAMERAS = {
    "one matrix": ({21: [0.7309, -0.1403, -0.0519, -0.8474, 1.6008, 0.2622, -0.2433, 0.2826,
                         0.8064]}, None),
    "two matrices": ({17: [1.2271626, -0.5454787, -0.2612877, -0.4546857, 1.5177797, -0.0426504,
                           -0.0409380, 0.1636143, 0.5913458],
                      21: [0.9145434, -0.3222275, -0.1262249, -0.4288680, 1.3095410, 0.0946757,
                           -0.1062919, 0.2350455, 0.4307328]}, None),
    "two matrices and forward matrices": (
        {17: [0.7546, -0.1435, -0.0929, -0.3846, 1.1488, 0.2692, -0.0332, 0.1209, 0.637],
         21: [0.7034, -0.0804, -0.1014, -0.442, 1.2564, 0.2058, -0.0851, 0.1994, 0.5758]},
        {17: [0.7763, 0.0065, 0.1815, 0.2364, 0.8351, -0.0715, -0.0059, -0.4228, 1.2538],
         21: [0.7464, 0.1044, 0.1135, 0.2648, 0.9173, -0.182, 0.0113, -0.2154, 1.0292]}),
}
KELVIN = {17: 2856.0, 21: 6504.0}
# The lights of the scene: their names, chromaticities, and correlated temperatures.
LIGHTS = {"A": (0.44757, 0.40745, 2856), "D50": (0.34567, 0.35850, 5003),
          "D65": (0.31271, 0.32902, 6504)}
BRADFORD = numpy.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367],
                        [0.0389, -0.0685, 1.0296]])
failures = []


def require(holds, text):
    if not holds:
        failures.append(text)
        print(f"WRONG: {text}")


def adaptation(source, target):
    gains = (BRADFORD @ target) / (BRADFORD @ source)
    return numpy.linalg.inv(BRADFORD) @ numpy.diag(gains) @ BRADFORD


def developed(phbatch, files, settings=None, profile="srgb"):
    """The linear light of the files, developed by phbatch: floats of 0…1 by name."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "photos").mkdir()
        for file in files:
            (folder / "photos" / file.name).write_bytes(file.read_bytes())
        recipe = {"identifier": "org.example.raw", "version": "1.0.0", "variant": "check",
                  "rendering": "exact",
                  "inputs": {"raw": {"look": "linear", "hotPixels": "keep", **(settings or {})}},
                  "outputs": [{"name": "out", "format": "tiff", "path": "{stem}.tif",
                               "profile": profile}]}
        (folder / "recipe.json").write_text(json.dumps(recipe))
        done = subprocess.run(
            [phbatch, "run", folder / "recipe.json", folder / "photos", "--output",
             folder / "made", "--quiet"], capture_output=True, text=True)
        require(done.returncode == 0, f"phbatch: {done.stderr}")
        pictures = {}
        for file in files:
            made = tifffile.imread(next((folder / "made").rglob(f"{file.stem}.tif")))
            require(made.dtype == numpy.uint16, f"{file.name}: a TIFF of {made.dtype}")
            pictures[file.name] = decoded(made / 65535, profile)
        return pictures


def decoded(x, profile):
    if profile == "prophoto":
        return numpy.where(x < 16 / 512, x / 16, x ** 1.8)
    return numpy.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)


def between(matrices, kelvin):
    """The matrix for a light, by the reciprocal of its temperature (DNG 1.7, chapter 6)."""
    found = {KELVIN[light]: numpy.reshape(matrix, (3, 3)) for light, matrix in matrices.items()}
    if len(found) == 1:
        return next(iter(found.values()))
    (low, first), (high, second) = sorted(found.items())
    share = (1 / kelvin - 1 / high) / (1 / low - 1 / high)
    share = min(1, max(0, share))
    return share * first + (1 - share) * second


def patches():
    """The XYZ of the patches for D50."""
    values = numpy.array(PATCHES.split(), float).reshape(24, 3)
    f = (values[:, 0] + 16) / 116
    f = numpy.stack([f + values[:, 1] / 500, f, f - values[:, 2] / 200], -1)
    ratio = numpy.where(f > 6 / 29, f ** 3, 3 * (6 / 29) ** 2 * (f - 4 / 29))
    return ratio * D50


def check_colours(phbatch, folder):
    truth = patches()
    for camera, (matrices, forward) in CAMERAS.items():
        for light, (x, y, kelvin) in LIGHTS.items():
            white = numpy.array([x / y, 1, (1 - x - y) / y])
            neutral = between(matrices, kelvin) @ white
            neutral /= neutral.max()
            if forward:
                seen = truth @ numpy.linalg.inv(between(forward, kelvin)).T * neutral
            else:
                cast = truth @ adaptation(D50, white).T
                matrix = between(matrices, kelvin)
                seen = cast @ matrix.T / (matrix @ white).max()
            # Cameras see some of the colours as light below zero, which a sensor cannot hold.
            whole = (seen >= 0).all(1)
            picture = numpy.kron(0.8 * numpy.maximum(seen, 0).reshape(4, 6, 3),
                                 numpy.ones((24, 24, 1)))
            file = folder / f"{camera}-{light}.dng".replace(" ", "-")
            dng.write(file, dng.mosaic(picture) * 65535, {
                source: numpy.reshape(m, (3, 3)) for source, m in matrices.items()}, neutral, forward
                and {source: numpy.reshape(m, (3, 3)) for source, m in forward.items()})
            found = developed(phbatch, [file], profile="prophoto")[file.name]
            grid = numpy.stack([found[12 + 24 * row, 12 + 24 * column] for row in range(4)
                                for column in range(6)])
            xyz = grid @ XYZ_OF_PROPHOTO.T
            # White balance leaves the smallest multiplier at 1: the brightness is that of white.
            xyz *= (truth[18, 1] / xyz[18, 1])
            error = difference(lab(xyz / D50), lab(truth / D50))[whole]
            print(f"ColorChecker, {camera}, {light}: ΔE2000 {error.mean():.2f}, at most"
                  f" {error.max():.2f}, {whole.sum()} patches")
            require(error.mean() <= 0.5, f"the colours of {camera} under {light}")


def reduced_photos():
    """Twelve photos of cameras, reduced so that their own demosaicing is not seen."""
    found = []
    for path in sorted((CORPUS / "photos").rglob("*")):
        if path.suffix.lower() not in (".jpg", ".jpeg"):
            continue
        try:
            with Image.open(path) as image:
                if image.mode != "RGB" or image.width * image.height < 3_000_000:
                    continue
                upright = ImageOps.exif_transpose(image)
                size = (upright.width // 8 * 2, upright.height // 8 * 2)
                found.append((path.name, upright.resize(size, Image.LANCZOS)))
        except OSError:
            continue
        if len(found) == 12:
            break
    return found


def check_demosaicing(phbatch, folder, sensor, cell, algorithms):
    """Compares mosaics of a sensor's cell with LibRaw's algorithms, by their names."""
    photos = reduced_photos()
    require(len(photos) == 12, f"{len(photos)} photos of at least 3 megapixels")
    files, truths = [], []
    for number, (_, photo) in enumerate(photos):
        light = decoded(numpy.asarray(photo, float) / 255, "srgb")
        # LibRaw interpolates X-Trans mosaics from 512 pixels on.
        height, width = light.shape[:2]
        light = numpy.pad(light, ((0, max(0, 512 - height)), (0, max(0, 512 - width)), (0, 0)),
                          "symmetric")
        file = folder / f"{sensor}-{number}.dng"
        dng.write(file, dng.mosaic(light, cell) * 65535, {21: numpy.linalg.inv(XYZ_OF_SRGB)},
                  [1, 1, 1], cell=cell)
        files.append(file)
        truths.append(numpy.asarray(photo, float))
    ours = developed(phbatch, files)

    def psnr(light, truth):
        levels = 255 * numpy.where(light <= 0.0031308, light * 12.92,
                                   1.055 * numpy.clip(light, 0, 1) ** (1 / 2.4) - 0.055)
        height, width = truth.shape[:2]
        error = (numpy.clip(levels, 0, 255)[:height, :width] - truth)[8:-8, 8:-8]
        return 10 * math.log10(255 ** 2 / (error ** 2).mean())

    results = {"phbatch": []}
    for file, truth in zip(files, truths):
        results["phbatch"].append(psnr(ours[file.name], truth))
        for name, algorithm in algorithms.items():
            with rawpy.imread(str(file)) as raw:
                made = raw.postprocess(
                    demosaic_algorithm=algorithm, output_bps=16, gamma=(1, 1), no_auto_bright=True,
                    use_camera_wb=True, output_color=rawpy.ColorSpace.raw, user_flip=0,
                    adjust_maximum_thr=0)
            results.setdefault(name, []).append(psnr(made / 65535, truth))
    means = {name: sum(values) / len(values) for name, values in results.items()}
    for name, mean in sorted(means.items(), key=lambda item: -item[1]):
        better = sum(a > b for a, b in zip(results["phbatch"], results[name]))
        print(f"demosaicing of {sensor}, {name}: {mean:.2f} dB" + (
            "" if name == "phbatch" else f"; phbatch is better on {better} of {len(files)}"))
    require(means["phbatch"] >= max(means.values()), f"an algorithm of LibRaw is better: {sensor}")


def check_facts(phbatch):
    """Levels and sizes, as `doctor` prints them, beside rawpy's."""
    for name in ("canon-30d.cr2", "canon-g10.cr2", "nikon-d1.nef", "nikon-d5000-1.dng",
                 "nikon-d5000-2.dng"):
        text = subprocess.run([phbatch, "doctor", CORPUS / "raw" / name], capture_output=True,
                              text=True).stdout
        with rawpy.imread(str(CORPUS / "raw" / name)) as raw:
            black = [round(level) for level in raw.black_level_per_channel]
            sizes = raw.sizes
        found = re.search(r"black ((?:\d+ )*\d+), full ((?:\d+ )*\d+)", text)
        levels = sorted(int(level) for level in found[1].split())
        area = re.search(r"visible area: (\d+)×(\d+)", text)
        print(f"{name}: black {found[1]} (rawpy {black}), full {found[2]}, visible"
              f" {area[1]}×{area[2]} (rawpy {sizes.width}×{sizes.height})")
        require(max(abs(a - b) for a, b in zip(levels, sorted(black))) <= 1, f"{name}: black")
        require((int(area[1]), int(area[2])) == (sizes.width, sizes.height), f"{name}: size")


def mosaic_of(path):
    """The stored samples of a DNG, by tifffile and imagecodecs."""
    with tifffile.TiffFile(path) as file:
        pages = [page for top in file.pages for page in [top, *(top.pages or [])]]
        page = max((p for p in pages if p.photometric == 32803), key=lambda p: p.size)
        return page.asarray().astype(float)


def blocks_of(picture):
    """The means of blocks of 20 × 20 pixels of the area that is shown, from (8, 8) of the samples."""
    return picture[:2800, :4240].reshape(140, 20, 212, 20).mean((1, 3))


def light_of(path, facts):
    """The green light of blocks, from the samples alone: multipliers and matrix on their means."""
    samples = mosaic_of(path)
    matrix, multipliers, full = facts
    planes = []
    # GB over RG: the places of red, of both greens, and of blue.
    for places in ([(1, 0)], [(0, 0), (1, 1)], [(0, 1)]):
        cells = [samples[8 + y:2808 + y:2, 8 + x:4248 + x:2].reshape(140, 10, 212, 10).mean((1, 3))
                 for y, x in places]
        planes.append(sum(cells) / len(cells))
    balanced = [plane / full * m for plane, m in zip(planes, multipliers)]
    return sum(factor * plane for factor, plane in zip(matrix[1], balanced)), planes


def check_bracket(phbatch):
    files = [CORPUS / "raw" / f"nikon-d5000-{number}.dng" for number in (2, 1)]
    text = subprocess.run([phbatch, "doctor", files[0]], capture_output=True, text=True).stdout
    rows = re.search(r"matrix to linear sRGB: (.*)", text)[1].split("|")
    matrix = [[float(number) for number in row.split()] for row in rows]
    multipliers = [float(n) for n in re.search(r"multipliers used: (.*)", text)[1].split()]
    pictures = developed(phbatch, files)
    ours = [blocks_of(pictures[file.name][..., 1]) for file in files]
    truths, planes = zip(*(light_of(file, (matrix, multipliers, 3840)) for file in files))
    # Clipped and very dark blocks are left out.
    usable = (numpy.max(planes[1], 0) < 3000) & (truths[0] > 0.005)
    tones = numpy.quantile(truths[1][usable], numpy.linspace(0, 1, 9))
    for low, high in zip(tones, tones[1:]):
        inside = usable & (truths[1] >= low) & (truths[1] <= high)
        ratio = numpy.median(ours[1][inside] / ours[0][inside])
        wanted = numpy.median(truths[1][inside] / truths[0][inside])
        level = numpy.median(ours[1][inside] / truths[1][inside])
        print(f"bracket, light of {low:.3f}…{high:.3f}: ratio {ratio:.3f}, of the samples"
              f" {wanted:.3f}; light {level:.4f} of theirs")
        require(abs(ratio / wanted - 1) <= 0.01, f"the ratio at {low:.3f}…{high:.3f}")
        require(abs(level - 1) <= 0.01, f"the light at {low:.3f}…{high:.3f}")


def main():
    phbatch = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        check_colours(phbatch, pathlib.Path(folder))
        every = rawpy.DemosaicAlgorithm
        check_demosaicing(phbatch, pathlib.Path(folder), "Bayer", dng.CELL,
                          {a.name: a for a in every if a.isSupported})
        # LibRaw interpolates X-Trans in one pass, or in three from this algorithm on.
        check_demosaicing(phbatch, pathlib.Path(folder), "X-Trans", dng.XTRANS,
                          {"one pass": every.PPG, "three passes": every.AHD})
    check_facts(phbatch)
    check_bracket(phbatch)
    print(f"raw: {len(failures)} failures, imagecodecs {imagecodecs.__version__}")
    sys.exit(1 if failures else 0)


main()
