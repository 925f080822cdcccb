"""Three sizes of each photo."""
from harness.race import Race, Result
from peers import libvips, phbatch
from peers.pillow import pillow


def task(setting):
    return Race(
        name="sizes",
        title="2048, 1024 and 512 pixels, JPEG Q80",
        programs=[
            phbatch.running(phbatch.RECIPES / "sizes.json"),
            libvips.pyvips("8.14", "sizes"),
            libvips.pyvips("8.18", "sizes"),
            pillow("sizes"),
        ],
        result=Result(edges=(2048, 1024, 512)),
        limits=[],
        notes=[], copies=4)
