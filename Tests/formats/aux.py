"""Compares the mattes and depth maps of renditions with those of their originals: aux.py PHBATCH.

Photos of several phones are cropped, turned and reduced into each format that stores such pictures.
pillow-heif, Pillow and ExifTool read the pictures of both files; the geometry is computed here in
double precision. Also the camera's calibration is compared, and the HDR picture of a photo with a
gain map and a depth map. PHBATCH_CORPUS is the folder of the corpus.
"""

import argparse
import base64
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy
import pillow_heif
from PIL import Image

import hdr

PHOTOS = ("aux/pillow_heif/pug.heic", "aux/ios-depth-sampler/image-with-matte.jpg",
          "aux/exifr/xmp depth map.jpg")
FORMATS = {"jpeg": "jpg", "heic": "heic", "avif": "avif"}
# A photo with a gain map.
ULTRA = "aux/ultra-hdr-01.jpg"
# The parts of the edges that are cropped: left, top, right, bottom. The whole is reduced too.
CROPS = {"cropped": (0.1, 0.05, 0.25, 0.2), "whole": (0, 0, 0, 0)}
LONG_EDGE = 1600
# The largest mean difference of samples, of 255.
MEAN = 1
DEPTH = ("urn:mpeg:hevc:2015:auxid:2", "urn:mpeg:mpegB:cicp:systems:auxiliary:depth")
PORTRAIT = "urn:com:apple:photo:2018:aux:portraiteffectsmatte"


def tags(data):
    """The tags that ExifTool finds, by name; the first of each."""
    run = subprocess.run(["exiftool", "-j", "-n", "-a", "-struct", "-b", "-XMP:all", "-"],
                         input=data, capture_output=True, check=True)
    return json.loads(run.stdout)[0]


def samples(picture):
    array = numpy.asarray(picture).astype(numpy.float64)
    return array[..., 0] if array.ndim == 3 else array


def jpeg_pictures(data):
    """The pictures of a JPEG file's index, except the first."""
    place = data.find(b"MPF\0")
    if place < 0:
        return []
    start = place + 4
    big = data[start:start + 2] == b"MM"
    assert big and hdr.number(data, start + 4, 4) == 8
    count = hdr.number(data, start + 8, 2)
    for entry in range(count):
        field = start + 10 + 12 * entry
        if hdr.number(data, field, 2) == 0xB002:
            length, offset = hdr.number(data, field + 4, 4), hdr.number(data, field + 8, 4)
            rows = [start + offset + 16 * index for index in range(length // 16)]
            parts = [(hdr.number(data, row + 4, 4), hdr.number(data, row + 8, 4)) for row in rows]
            whole = parts[0][0]
            assert all(whole <= start + first for _, first in parts[1:]), "the first is too long"
            return [data[start + first:start + first + size] for size, first in parts[1:]]
    return []


def jpeg_maps(data):
    """Each kind of map with its samples, and whether near positions are dark."""
    found = {}
    for picture in jpeg_pictures(data):
        known = tags(picture)
        kind = known.get("AuxiliaryImageSubType", known.get("AuxiliaryImageType", ""))
        if kind in ("disparity", "portraiteffectsmatte"):
            kind = kind.replace("disparity", "depth")
            found[kind] = samples(Image.open(io.BytesIO(picture))), False
    text = tags(data).get("DepthImage", "")
    if text:
        found["depth"] = samples(Image.open(io.BytesIO(base64.b64decode(text[7:])))), True
    return found


def heic_maps(data):
    picture = pillow_heif.open_heif(data)
    found = {}
    depths = picture.info["depth_images"]
    if depths:
        found["depth"] = samples(depths[0]), False
    for name, ids in picture.info["aux"].items():
        if name == PORTRAIT:
            found["portraiteffectsmatte"] = samples(picture.get_aux_image(ids[0])), False
    return found


def avif_maps(data):
    """The auxiliary pictures of an AVIF file, each decoded as the primary picture."""
    items = hdr.Items(data)
    start, end = items.meta["iprp"]
    parts = hdr.boxes(data, start, end)
    names, place = [], parts["ipco"][0]
    while place < parts["ipco"][1]:
        length = hdr.number(data, place, 4)
        is_kind = data[place + 4:place + 8] == b"auxC"
        names.append(data[place + 12:place + length].split(b"\0")[0].decode() if is_kind else None)
        place += length
    found, place = {}, parts["ipma"][0] + 8
    version, wide = data[place - 8], data[place - 5] & 1
    for _ in range(hdr.number(data, place - 4, 4)):
        width = 4 if version else 2
        item, count = hdr.number(data, place, width), data[place + width]
        place += width + 1
        size = 2 if wide else 1
        for index in range(count):
            number = hdr.number(data, place + size * index, size) & (0x7FFF if wide else 0x7F)
            name = names[number - 1]
            if name in DEPTH or name == PORTRAIT:
                copy = bytearray(data)
                pitm = items.meta["pitm"][0] + 4
                bytes_ = 2 if data[pitm - 4] == 0 else 4
                copy[pitm:pitm + bytes_] = item.to_bytes(bytes_, "big")
                copy[items.flags[item]] = 0
                picture = Image.open(io.BytesIO(bytes(copy).replace(b"auxl", b"skip")))
                kind = "depth" if name in DEPTH else "portraiteffectsmatte"
                found[kind] = samples(picture), False
        place += size * count
    return found


def maps(data):
    if data[:2] == b"\xff\xd8":
        return jpeg_maps(data)
    return avif_maps(data) if data[8:12] == b"avif" else heic_maps(data)


def expected(levels, crop, size):
    """The original's map, cropped, turned by 90° clockwise and resampled to a size."""
    height, width = size
    left, top, right, bottom = crop
    fine = 4 if height * width < 1_000_000 else 2
    down = (numpy.arange(height * fine) + 0.5) / (height * fine)
    across = (numpy.arange(width * fine) + 0.5) / (width * fine)
    # The right edge of the turned picture is the upper edge before.
    x, y = left + (1 - left - right) * down, top + (1 - top - bottom) * (1 - across)

    def between(place, count):
        place = numpy.clip(place * count - 0.5, 0, count - 1)
        first = numpy.floor(place).astype(int)
        return first, numpy.minimum(first + 1, count - 1), place - first

    rows, columns = between(y, levels.shape[0]), between(x, levels.shape[1])
    upper = levels[rows[0]] * (1 - rows[2])[:, None] + levels[rows[1]] * rows[2][:, None]
    seen = upper[:, columns[0]] * (1 - columns[2]) + upper[:, columns[1]] * columns[2]
    # Rows of `seen` follow the columns of the turned picture.
    return seen.T.reshape(height, fine, width, fine).mean((1, 3))


def numbers(known, name):
    return numpy.array([float(value) for value in known[name]])


def check_calibration(before, after, crop, photo, size, about, faults):
    """Compares the calibration with that of the original, cropped, turned and reduced."""
    old, new = numbers(before, "IntrinsicMatrix"), numbers(after, "IntrinsicMatrix")
    stated = after["IntrinsicMatrixReferenceWidth"], after["IntrinsicMatrixReferenceHeight"]
    if tuple(map(float, stated)) != size:
        faults.append(f"{about}: the calibration is for {stated}, not {size}")
    scale = size[0] / (photo[1] * (1 - crop[1] - crop[3]))
    x = (photo[1] * (1 - crop[3]) - old[7]) * scale
    y = (old[6] - photo[0] * crop[0]) * scale
    wanted = numpy.array([old[0] * scale, 0, 0, 0, old[4] * scale, 0, x, y, 1])
    # The edges of crops and the size are rounded to pixels.
    if numpy.abs(new - wanted).max() > 2:
        faults.append(f"{about}: the calibration is {new}, not {wanted}")
    pose = numbers(before, "ExtrinsicMatrix").reshape(4, 3).T
    turn = numpy.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    wanted = numpy.hstack([pose[:, :3] @ turn.T, pose[:, 3:]])
    if numpy.abs(numbers(after, "ExtrinsicMatrix").reshape(4, 3).T - wanted).max() > 1e-9:
        faults.append(f"{about}: the pose of the camera is wrong")
    ratio = float(after["PixelSize"]) * scale / float(before["PixelSize"])
    if abs(ratio - 1) > 0.01:
        faults.append(f"{about}: the size of a pixel is wrong by {ratio}")


def calibration(data):
    """The tags of the XMP that describes a depth map."""
    for picture in jpeg_pictures(data) if data[:2] == b"\xff\xd8" else [data]:
        known = tags(picture)
        if "IntrinsicMatrix" in known:
            return known
    return None


def check_beside(phbatch, corpus, folder, faults):
    """Renders a photo with a gain map and a depth map, and its HEIC rendition again."""
    folder.mkdir()
    photo, map_ = folder / "ultra.jpg", folder / "depth.png"
    shutil.copy(corpus / ULTRA, photo)
    photo.chmod(0o644)
    down, across = numpy.mgrid[:192, :256]
    Image.fromarray((20 + 110 * across / 256 + 90 * down / 192).astype(numpy.uint8)).save(map_)
    subprocess.run(["exiftool", "-q", "-overwrite_original", "-XMP-GDepth:Format=RangeInverse",
                    "-XMP-GDepth:Near=1", "-XMP-GDepth:Far=5", "-XMP-GDepth:Mime=image/png",
                    f"-XMP-GDepth:DepthImage<={map_}", photo], check=True)
    original = photo.read_bytes()
    light = hdr.hdr(original, None)
    size = light.shape[1], light.shape[0]
    crop, files = render(phbatch, folder / "first", "cropped", photo, size)
    (folder / "again.heic").write_bytes(files["heic"])
    width, height = Image.open(io.BytesIO(files["heic"])).size
    _, again = render(phbatch, folder / "second", "whole", folder / "again.heic", (width, height))
    for about, data in (("first", files["jpeg"]), ("second", again["jpeg"])):
        is_second = about == "second"
        found = hdr.hdr(data, None)
        shape = found.shape[:2]
        expect = numpy.stack([expected(channel, crop, shape[::-1] if is_second else shape)
                              for channel in numpy.moveaxis(light, 2, 0)], axis=-1)
        if is_second:
            expect = numpy.rot90(expect, -1)
        difference = numpy.abs(hdr.reduced(found) - hdr.reduced(expect)).mean()
        print(f"a gain map beside a depth map, {about}: HDR differs by {difference:.4f}, "
              f"mean {expect.mean():.3f}")
        if difference > hdr.MEAN * max(1, expect.mean()):
            faults.append(f"the HDR picture of the {about} rendition differs by {difference:.4f}")
        depth, is_dark = maps(data)["depth"]
        if is_second:
            wanted = expected(maps(files["heic"])["depth"][0], (0, 0, 0, 0), depth.shape)
        else:
            wanted = expected(samples(Image.open(map_)), crop, depth.shape)
        if is_dark == is_second:
            faults.append(f"the depth map of the {about} rendition has another form")
        elif numpy.abs(depth - wanted).mean() > MEAN:
            faults.append(f"the depth map of the {about} rendition differs")
        if len(jpeg_pictures(data)) != (2 if is_second else 1):
            faults.append(f"the {about} rendition has another number of pictures")


def render(phbatch, folder, case, photo, size):
    """Renders a photo; returns the parts that were cropped, and the renditions by format."""
    width, height = size
    left, top, right, bottom = CROPS[case]
    pixels = {"left": round(width * left), "top": round(height * top),
              "right": round(width * right), "bottom": round(height * bottom)}
    recipe = {
        "identifier": "org.example.aux", "version": "1.0.0",
        "filters": [{"filter": "crop", **pixels}, {"filter": "rotate", "angle": 90},
                    {"filter": "resize", "longEdge": LONG_EDGE}],
        "outputs": [{"name": name, "format": name, "path": "{name}." + name, "quality": 95,
                     "metadata": "all", "profile": "preserve"} for name in FORMATS]}
    (folder / "photos").mkdir(parents=True)
    (folder / "recipe.json").write_text(json.dumps(recipe))
    shutil.copy(photo, folder / "photos" / f"photo{photo.suffix}")
    run = subprocess.run([phbatch, "run", folder / "recipe.json", folder / "photos", "--output",
                          folder / "out"], check=True, capture_output=True, text=True)
    told = run.stdout + run.stderr
    assert "depth map is not" not in told and "matte of" not in told, told
    crop = (pixels["left"] / width, pixels["top"] / height, pixels["right"] / width,
            pixels["bottom"] / height)
    return crop, {kind: next((folder / "out").glob(f"*.{kind}")).read_bytes() for kind in FORMATS}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("phbatch", type=pathlib.Path)
    phbatch = parser.parse_args().phbatch.resolve()
    corpus = pathlib.Path(os.environ["PHBATCH_CORPUS"])
    worst, faults = 0, []
    with tempfile.TemporaryDirectory() as place:
        for index, name in enumerate(PHOTOS):
            original = (corpus / name).read_bytes()
            wanted = maps(original)
            assert wanted, name
            size = Image.open(io.BytesIO(original)).size
            known = calibration(original)
            for case in CROPS:
                crop, files = render(phbatch, pathlib.Path(place) / f"{index}{case}", case,
                                     corpus / name, size)
                for kind, data in files.items():
                    about = f"{name} {case} {kind}"
                    found = maps(data)
                    if found.keys() != wanted.keys():
                        faults.append(f"{about} has {list(found)}, not {list(wanted)}")
                        continue
                    for what, (levels, is_dark) in wanted.items():
                        seen, dark_here = found[what]
                        if is_dark != dark_here:
                            seen = 255 - seen
                        one = expected(levels, crop, seen.shape)
                        difference = numpy.abs(one - seen).mean()
                        print(f"{about} {what}: {seen.shape[1]}×{seen.shape[0]}, "
                              f"mean difference {difference:.3f}")
                        worst = max(worst, difference)
                        if difference > MEAN:
                            faults.append(f"{about} {what} differs by {difference:.2f} of 255")
                    if known:
                        rendition = hdr.opened(data).shape
                        check_calibration(known, calibration(data), crop, size,
                                          (rendition[1], rendition[0]), about, faults)
        check_beside(phbatch, corpus, pathlib.Path(place) / "beside", faults)
    print(f"largest mean difference: {worst:.3f} of 255")
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main()
