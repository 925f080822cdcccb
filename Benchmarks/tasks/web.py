"""A photo for the web: 1600 pixels, sharpened."""
from harness.race import Race, Result
from peers import libvips, magick, phbatch
from peers.pillow import pillow


def task(setting):
    options = ["-resize", "1600x1600>", "-unsharp", "0x0.6+0.4+0", "-quality", "80"]
    return Race(
        name="web",
        title="1600 pixels, sharpened, JPEG Q80",
        programs=[
            phbatch.running(phbatch.RECIPES / "web.json"),
            libvips.thumbnail(1600, 80),
            libvips.pyvips("8.14", "web"),
            libvips.pyvips("8.18", "web"),
            pillow("web"),
            *magick.both(*options, edge=1600),
        ],
        result=Result(edges=(1600,)),
        limits=[],
        notes=["All decoders may reduce the photo before it is resized."])
