"""Compares the HDR pictures of renditions with those of their originals: hdr.py PHBATCH.

Photos with gain maps of several dialects are cropped and turned into each format that stores a gain
map. libultrahdr makes the HDR pictures of Ultra HDR files; for the others, Pillow, pillow-heif and
imagecodecs decode both pictures, and the formula of ISO 21496-1 (for originals of Apple: Apple's) is
computed here. Renditions for HDR displays (PQ and HLG) are decoded by libavif, libheif and libjxl of
Python's packages, and their samples are inverted by the formulas of BT.2100. PHBATCH_CORPUS is the
folder of the corpus.
"""

import argparse
import io
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import imagecodecs
import numpy
import pillow_heif
from PIL import Image

# Each original with the headroom of its map in Apple's coding; None if a description says it.
PHOTOS = {
    "aux/ultra-hdr-01.jpg": None, "aux/libavif/seine_sdr_gainmap_srgb.avif": None,
    "aux/libultrahdr/apple_gainmap_new.jpg": 4.532783, "aux/ios26/iphone.heic": None,
    "live/edit/IMG_4682_edited.heic": None, "aux/uhdr-vearutop.jpg": None,
}
FORMATS = {"jpeg": "jpg", "heic": "heic", "avif": "avif", "jxl": "jxl"}
# The largest mean difference of light relative to white, and the part of the edges that is cropped.
MEAN, CROP = 0.01, 0.375
RECIPE = {
    "identifier": "org.example.hdr", "version": "1.0.0",
    "filters": [{"filter": "crop", **{edge: "37.5%" for edge in ("left", "right", "top", "bottom")}},
                {"filter": "rotate", "angle": 90}],
    "outputs": [{"name": name, "format": name, "path": "{name}." + name, "quality": 95,
                 "metadata": "all", "profile": "preserve", "gainMap": "keep"} for name in FORMATS],
}

# Photos that are rendered for HDR displays as a whole too; the others are cropped.
SMALL = ("aux/libavif/seine_sdr_gainmap_srgb.avif", "aux/libultrahdr/apple_gainmap_new.jpg")
STOPS = 0.5
# The code points of the transfer functions, and their names in recipes.
TRANSFERS = {"pq": 16, "hlg": 18}
BRIGHT = ("avif", "heic", "jxl")
# White in cd/m², and the light relative to it up to which HLG is compared: its peak is 1,000 cd/m².
WHITE, MOST_HLG = 203, 4
# The matrix from linear BT.2020 to XYZ relative to D50, from its primaries (BT.2020-2, table 3) by
# Bradford's adaptation.
BT2020 = numpy.array([[0.673459, 0.165661, 0.125090], [0.279033, 0.675338, 0.045628],
                      [-0.001931, 0.029979, 0.797162]])
SRGB = numpy.array([[0.436022, 0.385102, 0.143075], [0.222491, 0.716887, 0.060622],
                    [0.013924, 0.097081, 0.714095]])

Image.MAX_IMAGE_PIXELS = None
pillow_heif.register_heif_opener()


def boxes(data, start, end):
    """The boxes in a range, by name: start and end of the content of the first of each name."""
    found = {}
    while start + 8 <= end:
        length, name = struct.unpack(">I4s", data[start:start + 8])
        head = 8
        if length == 1:
            length, head = struct.unpack(">Q", data[start + 8:start + 16])[0], 16
        length = length or end - start
        found.setdefault(name.decode("latin1"), (start + head, start + length))
        start += length
    return found


def number(data, place, width):
    return int.from_bytes(data[place:place + width], "big")


class Items:
    """The items of a HEIC or AVIF file."""

    def __init__(self, data):
        self.data = data
        start, end = boxes(data, 0, len(data))["meta"]
        self.meta = boxes(data, start + 4, end)
        self.types, self.flags, self.places, self.sources = {}, {}, {}, {}
        place, end = self.meta["iinf"]
        place += 6 if data[place] == 0 else 8
        while place < end:
            width = 2 if data[place + 8] == 2 else 4
            item = number(data, place + 12, width)
            self.flags[item] = place + 11
            self.types[item] = data[place + 14 + width:place + 18 + width].decode()
            place += number(data, place, 4)
        place, end = self.meta["iref"]
        width = 2 if data[place] == 0 else 4
        place += 4
        while place < end:
            if data[place + 4:place + 8] == b"dimg":
                first = place + 8 + width + 2
                count = number(data, first - 2, 2)
                self.sources[number(data, place + 8, width)] = [
                    number(data, first + width * index, width) for index in range(count)]
            place += number(data, place, 4)
        self.locate()

    def locate(self):
        data, place = self.data, self.meta["iloc"][0]
        version, sizes = data[place], number(data, place + 4, 2)
        offset, length, base = sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15
        wide = 4 if version == 2 else 2
        count = number(data, place + 6, wide)
        place += 6 + wide
        for _ in range(count):
            item = number(data, place, wide)
            place += wide
            method = 0
            if version:
                method = number(data, place, 2) & 15
                place += 2
            start = number(data, place + 2, base) + (self.meta["idat"][0] if method == 1 else 0)
            extents = number(data, place + 2 + base, 2)
            place += 4 + base
            parts = []
            for _ in range(extents):
                parts.append((start + number(data, place, offset),
                              number(data, place + offset, length)))
                place += offset + length
            self.places[item] = parts

    def content(self, item):
        return b"".join(self.data[start:start + length] for start, length in self.places[item])

    def gain_map(self):
        """The description and the picture of the map, which becomes the primary picture."""
        tone = next(item for item, kind in self.types.items() if kind == "tmap")
        data = bytearray(self.data)
        place = self.meta["pitm"][0] + 4
        width = 2 if data[place - 4] == 0 else 4
        picture = self.sources[tone][1]
        data[place:place + width] = picture.to_bytes(width, "big")
        # libheif opens no picture that is hidden, or auxiliary to another one.
        data[self.flags[picture]] = 0
        return self.content(tone)[1:], opened(bytes(data).replace(b"auxl", b"skip"))


def opened(data):
    """The samples of a file's picture, 0…1."""
    if data[:2] == b"\xff\x0a" or data[4:8] == b"JXL ":
        array = imagecodecs.jpegxl_decode(data)
    elif data[4:12] == b"ftypheic":
        array = numpy.asarray(pillow_heif.open_heif(data, convert_hdr_to_8bit=False))
    else:
        array = numpy.asarray(Image.open(io.BytesIO(data)))
    array = array.astype(numpy.float64) / (255 if array.dtype == numpy.uint8 else 65535)
    return array[..., None] if array.ndim == 2 else array[..., :3]


def enlarged(levels, height, width):
    """The levels at the centres of a larger picture's pixels, by linear interpolation."""
    for axis, size in enumerate((height, width)):
        have = levels.shape[axis]
        place = numpy.clip((numpy.arange(size) + 0.5) * have / size - 0.5, 0, have - 1)
        first = numpy.floor(place).astype(int)
        second = numpy.minimum(first + 1, have - 1)
        rest = (place - first).reshape([-1 if number == axis else 1 for number in range(3)])
        levels = levels.take(first, axis) * (1 - rest) + levels.take(second, axis) * rest
    return levels


def light(values):
    return numpy.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def described(base, levels, text):
    """The HDR picture by a description of ISO 21496-1."""
    assert text[:4] == bytes(4), "another version"
    common = text[4] & 8
    place = 5
    if common:
        bottom = number(text, 5, 4)
        place += 4
    numbers = []
    while place < len(text):
        top = struct.unpack(">i", text[place:place + 4])[0]
        numbers.append(top / (bottom if common else number(text, place + 4, 4)))
        place += 4 if common else 8
    channels = numpy.array(numbers[2:]).reshape(-1, 5).T
    least, most, gamma, below, above = channels
    stops = least + (most - least) * levels ** (1 / gamma)
    return (light(base) + below) * 2 ** stops - above


def jpeg_pictures(data):
    """The base picture and the map of a JPEG file."""
    exif = subprocess.run(["exiftool", "-b", "-MPImage2", "-"], input=data, capture_output=True)
    return opened(data), opened(exif.stdout)


def hdr(data, headroom):
    """The light of a file's HDR picture, of which 1 is white."""
    if data[:2] == b"\xff\xd8" and headroom:
        base, levels = jpeg_pictures(data)
        levels = enlarged(levels, *base.shape[:2])
        linear = numpy.where(levels < 0.081, levels / 4.5, ((levels + 0.099) / 1.099) ** (1 / 0.45))
        return light(base) * (1 + (headroom - 1) * linear)
    if data[:2] == b"\xff\xd8":
        return imagecodecs.ultrahdr_decode(data)[..., :3].astype(numpy.float64)
    if data[4:8] == b"JXL ":
        place = data.index(b"jhgm") + 4
        length = number(data, place + 1, 2)
        text, rest = data[place + 3:place + 3 + length], place + 3 + length
        assert data[rest] == 0 and number(data, rest + 1, 4) == 0, "colours of the HDR picture"
        end = place - 8 + number(data, place - 8, 4)
        levels = opened(data[rest + 5:end])
    else:
        text, levels = Items(data).gain_map()
    base = opened(data)
    return described(base, enlarged(levels, *base.shape[:2]), text)


def reduced(picture):
    """The mean light of squares of pixels: maps have a lower resolution than the pictures."""
    edge = 8
    height, width = picture.shape[0] // edge, picture.shape[1] // edge
    return picture[:height * edge, :width * edge].reshape(height, edge, width, edge, 3).mean((1, 3))


def near(picture, size, down, across):
    """A part of the picture of this size, without the first rows and columns."""
    down, across = max(0, down), max(0, across)
    return picture[down:down + size[0], across:across + size[1]]


def cropped(picture):
    height, width = picture.shape[:2]
    top, left = round(height * CROP), round(width * CROP)
    part = picture[top:height - top, left:width - left]
    return numpy.rot90(part, -1)


def colours(data):
    """The matrix from linear light of a file's profile to XYZ relative to D50; sRGB without one."""
    if data[4:12] == b"ftypheic":
        # Photos of iOS have a second profile, of the HDR picture.
        profile = pillow_heif.open_heif(data).info["icc_profile"]
    else:
        profile = subprocess.run(["exiftool", "-icc_profile", "-b", "-"], input=data,
                                 capture_output=True).stdout
    if not profile:
        return SRGB
    columns = {}
    for index in range(number(profile, 128, 4)):
        entry = 132 + 12 * index
        start = number(profile, entry + 4, 4)
        if profile[start:start + 4] == b"XYZ ":
            values = struct.unpack(">3i", profile[start + 8:start + 20])
            columns[profile[entry:entry + 4]] = numpy.array(values) / 65536
    return numpy.array([columns[name] for name in (b"rXYZ", b"gXYZ", b"bXYZ")]).T


def pq(samples):
    power = samples ** (1 / 78.84375)
    light = numpy.maximum(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power)
    return light ** (1 / 0.1593017578125) * 10_000 / WHITE


def hlg(samples):
    scene = numpy.where(samples <= 0.5, samples ** 2 / 3, (
        numpy.exp((samples - 0.55991073) / 0.17883277) + 0.28466892) / 12)
    luminance = scene @ [0.2627, 0.6780, 0.0593]
    return scene * luminance[..., None] ** 0.2 * 1000 / WHITE


def bright(data, kind, transfer):
    """The light of a rendition for HDR displays in BT.2020, of which 1 is white."""
    if kind == "jxl":
        samples = imagecodecs.jpegxl_decode(data) / 65535
    else:
        place = data.index(b"colrnclx") + 8
        points = struct.unpack(">3H", data[place:place + 6])
        assert points == (9, TRANSFERS[transfer], 9) and data[place + 6] == 128, points
        if kind == "avif":
            samples = imagecodecs.avif_decode(data)
        else:
            opened = pillow_heif.open_heif(data, convert_hdr_to_8bit=False, hdr_to_16bit=False)
            samples = numpy.asarray(opened)
        assert samples.dtype == numpy.uint16 and samples.max() < 1024, "not 10 bits"
        samples = samples / 1023
    return {"pq": pq, "hlg": hlg}[transfer](samples[..., :3])


def check_renditions(phbatch, corpus, folder, faults):
    """Compares renditions for HDR displays with the light of the originals' HDR pictures."""
    crop = RECIPE["filters"][0]
    exposure = {"filter": "exposure", "stops": STOPS}
    for case, filters in {"whole": [], "cropped": [crop, exposure]}.items():
        names = [name for name in PHOTOS if case == "cropped" or name in SMALL]
        (folder / case).mkdir()
        for index, name in enumerate(names):
            shutil.copy(corpus / name, folder / case / f"{index}{pathlib.Path(name).suffix}")
        outputs = [{"name": f"{kind}-{transfer}", "format": kind, "hdr": transfer, "quality": 97,
                    "path": "{name}.{output}." + kind, "effort": 3,
                    **({} if kind == "jxl" else {"subsampling": "4:4:4"})}
                   for kind in BRIGHT for transfer in TRANSFERS]
        recipe = {"identifier": "org.example.hdr", "version": "1.0.0", "filters": filters,
                  "outputs": outputs}
        (folder / f"{case}.json").write_text(json.dumps(recipe))
        subprocess.run([phbatch, "run", folder / f"{case}.json", folder / case,
                        "--output", folder / f"{case}-out"], check=True, stdout=subprocess.DEVNULL)
        for index, name in enumerate(names):
            data = (corpus / name).read_bytes()
            wanted = hdr(data, PHOTOS[name])
            if case == "cropped":
                height, width = wanted.shape[:2]
                top, left = round(height * CROP), round(width * CROP)
                wanted = wanted[top:height - top, left:width - left] * 2 ** STOPS
            from_bright = numpy.linalg.inv(colours(data)) @ BT2020
            for kind in BRIGHT:
                for transfer in TRANSFERS:
                    file = next((folder / f"{case}-out").glob(f"{index}.*{kind}-{transfer}.{kind}"))
                    found = bright(file.read_bytes(), kind, transfer) @ from_bright.T
                    size = [min(pair) // 8 * 8 - 8 for pair in zip(found.shape[:2], wanted.shape)]
                    # HLG cannot state brighter light.
                    most = MOST_HLG if transfer == "hlg" else numpy.inf
                    difference = numpy.inf
                    for down in (-1, 0, 1):
                        for across in (-1, 0, 1):
                            one = reduced(near(found, size, down, across))
                            two = reduced(near(wanted, size, -down, -across))
                            kept = two.max(axis=-1) < most
                            difference = min(difference, numpy.abs(one - two)[kept].mean())
                    mean = wanted.mean()
                    print(f"{name} {case} {kind} {transfer}: {difference:.4f}, mean {mean:.3f}, "
                          f"highest {wanted.max():.2f}, found {found.max():.2f}")
                    if difference > MEAN * max(1, mean):
                        faults.append(f"{name} {case} as {kind} in {transfer} differs by "
                                      f"{difference:.4f}")


def check_new_maps(phbatch, corpus, folder, faults):
    """Compares the HDR pictures of renditions with new gain maps with those of their originals."""
    (folder / "new").mkdir()
    for index, name in enumerate(SMALL):
        shutil.copy(corpus / name, folder / "new" / f"{index}{pathlib.Path(name).suffix}")
    recipe = {**RECIPE, "filters": [], "outputs": [
        {**output, "gainMap": "rebuild"} for output in RECIPE["outputs"]]}
    (folder / "new.json").write_text(json.dumps(recipe))
    subprocess.run([phbatch, "run", folder / "new.json", folder / "new", "--output",
                    folder / "new-out"], check=True, stdout=subprocess.DEVNULL)
    for index, name in enumerate(SMALL):
        wanted = reduced(hdr((corpus / name).read_bytes(), PHOTOS[name]))
        for kind in FORMATS:
            file = next((folder / "new-out").glob(f"{index}.*{kind}"))
            difference = numpy.abs(reduced(hdr(file.read_bytes(), None)) - wanted).mean()
            print(f"{name} {kind} with a new map: {difference:.4f}, mean {wanted.mean():.3f}")
            # The map has a quarter of the photo's resolution.
            if difference > 2 * MEAN:
                faults.append(f"{name} as {kind} with a new map differs by {difference:.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("phbatch", type=pathlib.Path)
    phbatch = parser.parse_args().phbatch.resolve()
    corpus = pathlib.Path(os.environ["PHBATCH_CORPUS"])
    worst, faults = 0, []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "photos").mkdir()
        for index, name in enumerate(PHOTOS):
            shutil.copy(corpus / name, folder / "photos" / f"{index}{pathlib.Path(name).suffix}")
        (folder / "recipe.json").write_text(json.dumps(RECIPE))
        subprocess.run([phbatch, "run", folder / "recipe.json", folder / "photos",
                        "--output", folder / "out"], check=True, stdout=subprocess.DEVNULL)
        for index, (name, headroom) in enumerate(PHOTOS.items()):
            wanted = cropped(hdr((corpus / name).read_bytes(), headroom))
            for kind in FORMATS:
                file = next((folder / "out").glob(f"{index}.*{kind}"))
                found = hdr(file.read_bytes(), None)
                # The edges of a crop are rounded to pixels, here and there.
                size = [min(pair) // 8 * 8 - 8 for pair in zip(found.shape[:2], wanted.shape[:2])]
                difference = min(
                    numpy.abs(reduced(near(found, size, down, across))
                              - reduced(near(wanted, size, -down, -across))).mean()
                    for down in (-1, 0, 1) for across in (-1, 0, 1))
                mean, most = wanted.mean(), wanted.max()
                print(f"{name} {kind}: {difference:.4f}, mean {mean:.3f}, highest {most:.2f}")
                worst = max(worst, difference / max(1, mean))
                if difference > MEAN * max(1, mean):
                    faults.append(f"{name} as {kind} differs by {difference:.4f}")
        check_renditions(phbatch, corpus, folder, faults)
        check_new_maps(phbatch, corpus, folder, faults)
    print(f"largest difference: {worst:.4f} of white")
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main()
