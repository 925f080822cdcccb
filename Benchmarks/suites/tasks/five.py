"""Five renditions of each photo, as a site wants them."""
from harness.race import Limit, Race, Result
from peers import libvips, phbatch

NEW = "pyvips, libvips 8.18"


def task(setting):
    return Race(
        name="five",
        title="2048, 1280, 640 and 320 pixels, JPEG Q80, and 640 pixels, WebP Q80",
        programs=[
            phbatch.running(phbatch.RECIPES / "five.json"),
            libvips.pyvips("8.14", "five"),
            libvips.pyvips("8.18", "five"),
        ],
        result=Result(edges=(2048, 1280, 640, 320)),
        limits=[Limit("pyvips 8.18 / phbatch", NEW, "phbatch", 2, at_least=True)],
        notes=["The WebP files are not among what is compared."], copies=8)
