"""Decode and encode at full size, and nothing else: what no editor can do without."""
from harness.race import Race, Result
from peers import libvips, magick, phbatch
from peers.pillow import pillow


def task(setting):
    return Race(
        name="codec",
        title="Decode and encode, full size, JPEG Q90",
        programs=[
            phbatch.running(phbatch.RECIPES / "codec.json"),
            libvips.pyvips("8.14", "codec"),
            libvips.pyvips("8.18", "codec"),
            pillow("codec"),
            *magick.both("-quality", "90"),
        ],
        result=Result(),
        limits=[],
        notes=[])
