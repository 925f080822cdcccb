"""PNG files, at full size and small."""
from harness.race import Limit, Race, Result, SizeLimit
from peers import libvips, phbatch

NEW = "pyvips, libvips 8.18"
FILTERED = "pyvips, libvips 8.18, filters"
RGB = "8 bits, colour type 2"


def full(setting):
    return race(
        setting, "png", "Full size, PNG", "png.json", "png", None,
        [libvips.pyvips("8.18", "png-filtered", name=FILTERED)])


def small(setting):
    return race(
        setting, "png-1280", "1280 pixels, PNG", "png-1280.json", "png-1280", 1280, [], copies=4)


def race(setting, name, title, recipe, job, edge, more, copies=1):
    return Race(
        name=name,
        title=title,
        programs=[
            phbatch.running(phbatch.RECIPES / recipe),
            libvips.pyvips("8.14", job),
            libvips.pyvips("8.18", job),
            *more,
        ],
        result=Result(edges=(edge,), subsampling=RGB, suffixes=(".png",)),
        limits=[
            Limit("pyvips 8.18 / phbatch", NEW, "phbatch", 1, at_least=True),
            SizeLimit("phbatch's bytes / those of pyvips 8.18", "phbatch", NEW, 1.02)],
        notes=["Compression is at each program's default, 6 of 9; pyvips filters no rows unasked."],
        copies=copies)
