"""Writes output.txt: what Little CMS makes of sRGB colours in other profiles, in double precision.

With black point compensation where the intent is relative, without its optimisations, from its own
sRGB.

Run: python3 Tests/Oracles/output-tables.py FOLDER (the corpus' icc/), with liblcms2 installed
"""
import ctypes
import ctypes.util
import itertools
import pathlib
import sys

DOUBLE = 1 << 22
RGB, CMYK, GREY = 4 << 16 | 3 << 3, 6 << 16 | 4 << 3, 3 << 16 | 1 << 3
PERCEPTUAL, RELATIVE = 0, 1
COMPENSATED, EXACT = 0x2000, 0x0100 | 0x0040

PROFILES = [
    ("compact/DisplayP3-v4.icc", RGB, 3, 1), ("compact/AdobeCompat-v2.icc", RGB, 3, 1),
    ("compact/ProPhoto-v4.icc", RGB, 3, 1), ("compact/Rec2020-v4.icc", RGB, 3, 1),
    ("compact/sGrey-v4.icc", GREY, 1, 1),
    # lcms has ink in percent.
    ("libvips/cmyk.icm", CMYK, 4, 100)]
INTENTS = [("relative", RELATIVE, COMPENSATED), ("perceptual", PERCEPTUAL, 0)]

cms = ctypes.CDLL(ctypes.util.find_library("lcms2"))
for function in (cms.cmsOpenProfileFromMem, cms.cmsCreate_sRGBProfile, cms.cmsCreateTransform):
    function.restype = ctypes.c_void_p
cms.cmsOpenProfileFromMem.argtypes = [ctypes.c_char_p, ctypes.c_uint32]
cms.cmsCreateTransform.argtypes = [
    ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32,
    ctypes.c_uint32]
cms.cmsDoTransform.argtypes = [
    ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32]

LEVELS = list(itertools.product([0, 64, 128, 191, 255], repeat=3)) + [
    (v, v, v) for v in (8, 16, 32, 96, 160, 224)] + [(200, 190, 180), (90, 60, 40), (12, 30, 5)]


def main(folder):
    lines = ["# Levels of 255; then a profile of the corpus, an intent, and its values of 65535",
             " ".join(str(v) for colour in LEVELS for v in colour)]
    source = cms.cmsCreate_sRGBProfile()
    values = [v / 255 for colour in LEVELS for v in colour]
    colours = (ctypes.c_double * len(values))(*values)
    for path, model, channels, top in PROFILES:
        data = (folder / path).read_bytes()
        profile = cms.cmsOpenProfileFromMem(data, len(data))
        for name, intent, flags in INTENTS:
            if intent != RELATIVE and model != CMYK:
                continue
            transform = cms.cmsCreateTransform(
                source, DOUBLE | RGB, profile, DOUBLE | model, intent, flags | EXACT)
            found = (ctypes.c_double * (channels * len(LEVELS)))()
            cms.cmsDoTransform(transform, colours, found, len(LEVELS))
            numbers = [round(min(max(v / top, 0), 1) * 65535) for v in found]
            lines.append(f"{path} {name} " + " ".join(map(str, numbers)))
    target = pathlib.Path(__file__).with_name("output.txt")
    target.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
