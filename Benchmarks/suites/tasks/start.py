"""One small photo: what a program costs before it computes anything."""
import json
import subprocess
from dataclasses import replace

from harness.photos import Library, Photo
from harness.program import Program
from harness.race import Limit, Race, Result
from peers import libvips, phbatch

LARGE, SMALL = 640, 320


class Start(Race):
    """A race over a library of one small photo."""

    def measure(self, setting):
        place = setting.work / "start-small.jpg"
        subprocess.run(
            ["vips", "thumbnail", setting.library.photos[0].path, place, str(LARGE), "--size", "both"],
            check=True)
        library = Library([Photo(place)], setting.work / "start")
        return super().measure(replace(setting, library=library))


def task(setting):
    recipe = setting.work / "start.json"
    recipe.write_text(json.dumps({
        "identifier": "org.phbatch.bench.start", "version": "1.0.0", "variant": "bench",
        "outputs": [{"name": "small", "format": "jpeg", "quality": 80, "subsampling": "4:2:0",
                     "filters": [{"filter": "resize", "longEdge": SMALL}]}]}))
    peer = libvips.thumbnail(SMALL, 80)
    return Start(
        name="start",
        title="One photo of 640 pixels to 320, JPEG Q80",
        programs=[phbatch.running(recipe), Program("vipsthumbnail", peer.commands)],
        result=Result(edges=(SMALL,)),
        limits=[Limit("phbatch, of vipsthumbnail's time", "phbatch", "vipsthumbnail", 1.2)],
        notes=["phbatch also hashes the photo, writes a sidecar and syncs every file to disk."],
        times=8)
