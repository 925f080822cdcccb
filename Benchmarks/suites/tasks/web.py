"""A photo for the web: 1600 pixels, sharpened."""
import json

from harness.race import Limit, Race, Result
from peers import libvips, magick, phbatch
from peers.pillow import pillow

THUMBNAIL = "pyvips 8.18, thumbnail and sharpen"
BY_HAND = "pyvips 8.18, shrunk while decoding"
EDGE = 1600


def task(setting):
    options = ["-resize", "1600x1600>", "-unsharp", "0x0.6+0.4+0", "-quality", "80"]
    return Race(
        name="web",
        title="1600 pixels, sharpened, JPEG Q80",
        programs=[
            phbatch.running(phbatch.RECIPES / "web.json"),
            libvips.thumbnail(EDGE, 80),
            libvips.pyvips("8.14", "web"),
            libvips.pyvips("8.18", "web", name=THUMBNAIL),
            libvips.pyvips("8.18", "web-by-hand", name=BY_HAND),
            pillow("web"),
            *magick.both(*options, edge=EDGE),
        ],
        result=Result(edges=(EDGE,)),
        limits=[
            Limit("pyvips 8.18's thumbnail, of phbatch's time", THUMBNAIL, "phbatch", 2, True),
            Limit("pyvips 8.18 tuned by hand, of phbatch's time", BY_HAND, "phbatch", 1.6, True),
            Limit("vipsthumbnail, of phbatch's time", "vipsthumbnail, not sharpened", "phbatch",
                  1.6, True),
        ],
        notes=["All decoders may reduce the photo before it is resized."], copies=4)


def exact(setting):
    """The same without a reduction while decoding."""
    recipe = json.loads((phbatch.RECIPES / "web.json").read_text())
    recipe["rendering"] = "exact"
    place = setting.work / "web-exact.json"
    place.write_text(json.dumps(recipe))
    return Race(
        name="exact",
        title="1600 pixels, sharpened, JPEG Q80, every step at full size",
        programs=[
            phbatch.running(place),
            libvips.pyvips("8.18", "web", name=THUMBNAIL),
        ],
        result=Result(edges=(EDGE,)),
        limits=[Limit("pyvips 8.18's thumbnail, of phbatch's time", THUMBNAIL, "phbatch", 1.2, True)],
        notes=["pyvips reduces the photo while decoding; phbatch does not here."], copies=4)


def workers(setting):
    """What workers and their sandbox cost."""
    recipe = phbatch.RECIPES / "web.json"
    lazy = "phbatch --durability none"
    bare = phbatch.in_process(recipe)
    return Race(
        name="workers",
        title="What it costs that photos are rendered in workers, in a sandbox",
        programs=[phbatch.running(recipe, lazy, options=("--durability", "none")), bare],
        result=Result(edges=(EDGE,)),
        limits=[Limit("phbatch, of the renderer's time", lazy, bare.name, 1.03)],
        notes=["phbatch also reads the library, hashes and writes sidecars."],
        reference=lazy, copies=8)


def publishing(setting):
    """What it costs that files are on the disk before a photo is said to be done."""
    recipe = phbatch.RECIPES / "web.json"
    lazy = "phbatch --durability none"
    return Race(
        name="publishing",
        title="What it costs that everything is on the disk",
        programs=[
            phbatch.running(recipe),
            phbatch.running(recipe, lazy, options=("--durability", "none")),
        ],
        result=Result(edges=(EDGE,)),
        limits=[Limit("phbatch, of its time without waiting for the disk", "phbatch", lazy, 1.03)],
        notes=[], copies=8)
