"""Writes wide.txt: what Little CMS makes of inks and of a scanner's colours in large spaces.

Straight from one profile to the other, 8 bits to 16, with its usual optimisations, as Pillow's ImageCms
and others call it: relative colorimetric with black point compensation, perceptual for the scanner,
which has tables for nothing else.

Run: python3 Tests/Oracles/wide-tables.py FOLDER (the corpus' icc/), with liblcms2 installed
"""
import ctypes
import ctypes.util
import itertools
import pathlib
import sys

RGB8, CMYK8, RGB16 = 4 << 16 | 3 << 3 | 1, 6 << 16 | 4 << 3 | 1, 4 << 16 | 3 << 3 | 2
PERCEPTUAL, RELATIVE, COMPENSATED = 0, 1, 0x2000

cms = ctypes.CDLL(ctypes.util.find_library("lcms2"))
for function in (cms.cmsOpenProfileFromMem, cms.cmsCreateTransform):
    function.restype = ctypes.c_void_p
cms.cmsOpenProfileFromMem.argtypes = [ctypes.c_char_p, ctypes.c_uint32]
cms.cmsCreateTransform.argtypes = [
    ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32,
    ctypes.c_uint32]
cms.cmsDoTransform.argtypes = [
    ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32]

STEPS = [0, 64, 128, 191, 255]
# No press takes more than three full inks.
INKS = [ink for ink in itertools.product(STEPS, repeat=4) if sum(ink) <= 3 * 255][::3]
COLOURS = list(itertools.product(STEPS, repeat=3))
SOURCES = [
    ("libvips/cmyk.icm", CMYK8, INKS, RELATIVE, COMPENSATED),
    ("sharp/hilutite.icm", RGB8, COLOURS, PERCEPTUAL, 0)]
TARGETS = [
    ("display-p3", "compact/DisplayP3-v4.icc"), ("adobe-rgb", "compact/AdobeCompat-v2.icc"),
    ("prophoto", "compact/ProPhoto-v4.icc"), ("rec2020", "compact/Rec2020-v4.icc")]

folder = pathlib.Path(sys.argv[1])


def profile(path):
    data = (folder / path).read_bytes()
    return cms.cmsOpenProfileFromMem(data, len(data))


with open(pathlib.Path(__file__).parent / "wide.txt", "w") as out:
    out.write("# A profile of the corpus and levels of 255; then spaces and the colours there, of 65535\n")
    for path, layout, levels, intent, flags in SOURCES:
        out.write(f"{path} {' '.join(str(v) for level in levels for v in level)}\n")
        source = (ctypes.c_uint8 * (len(levels[0]) * len(levels)))(
            *(v for level in levels for v in level))
        for name, target in TARGETS:
            # Between two profiles of version 4, blacks are compensated in the perceptual intent.
            if intent == PERCEPTUAL and target == "compact/AdobeCompat-v2.icc":
                continue
            result = (ctypes.c_uint16 * (3 * len(levels)))()
            transform = cms.cmsCreateTransform(
                profile(path), layout, profile(target), RGB16, intent, flags)
            cms.cmsDoTransform(transform, source, result, len(levels))
            out.write(f"{name} {' '.join(map(str, result))}\n")
