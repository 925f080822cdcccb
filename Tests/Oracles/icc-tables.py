"""Writes icc.txt: what Little CMS makes of colours under the corpus' RGB profiles, in double precision.

Relative colorimetric with black point compensation, without its optimisations, to its own sRGB.

Run: python3 Tests/Oracles/icc-tables.py FOLDER (the corpus' icc/), with liblcms2 installed
"""
import ctypes
import ctypes.util
import itertools
import pathlib
import sys

RGB_DOUBLE = 1 << 22 | 4 << 16 | 3 << 3
RELATIVE, FLAGS = 1, 0x2000 | 0x0100 | 0x0040

cms = ctypes.CDLL(ctypes.util.find_library("lcms2"))
for function in (cms.cmsOpenProfileFromMem, cms.cmsCreate_sRGBProfile, cms.cmsCreateTransform):
    function.restype = ctypes.c_void_p
cms.cmsOpenProfileFromMem.argtypes = [ctypes.c_char_p, ctypes.c_uint32]
cms.cmsCreateTransform.argtypes = [
    ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32,
    ctypes.c_uint32]
cms.cmsDoTransform.argtypes = [
    ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32]

# Without white: for samples of integers, as photos have, Little CMS maps white on white whatever the
# tables say, but not for doubles. The last of the product is left out.
LEVELS = list(itertools.product([0, 64, 128, 191, 255], repeat=3))[:-1] + [
    (v, v, v) for v in (1, 2, 4, 8, 16, 32, 96, 160, 224)] + [
    (20, 0, 0), (0, 20, 0), (0, 0, 20), (12, 30, 5), (200, 190, 180), (90, 60, 40)]

folder = pathlib.Path(sys.argv[1])
srgb = cms.cmsCreate_sRGBProfile()
with open(pathlib.Path(__file__).parent / "icc.txt", "w") as out:
    out.write("# Levels of 255; then a profile of the corpus and its colours in sRGB, of 65535\n")
    out.write(" ".join(str(v) for level in LEVELS for v in level) + "\n")
    for path in sorted(folder.rglob("*.ic[cm]")):
        data = path.read_bytes()
        if data[16:20] != b"RGB ":
            continue
        source = (ctypes.c_double * (3 * len(LEVELS)))(
            *(v / 255 for level in LEVELS for v in level))
        result = (ctypes.c_double * len(source))()
        profile = cms.cmsOpenProfileFromMem(data, len(data))
        transform = cms.cmsCreateTransform(
            profile, RGB_DOUBLE, srgb, RGB_DOUBLE, RELATIVE, FLAGS)
        if not transform:
            print(f"Little CMS refuses {path}")
            continue
        cms.cmsDoTransform(transform, source, result, len(LEVELS))
        values = " ".join(str(round(65535 * min(1, max(0, v)))) for v in result)
        out.write(f"{path.relative_to(folder)} {values}\n")
