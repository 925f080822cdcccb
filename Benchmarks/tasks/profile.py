"""What converting to a profile of primaries and a curve costs: Display P3 instead of sRGB."""
import json

from harness.race import Limit, Race, Result
from peers import phbatch

CONVERTED = "phbatch, to Display P3"


def edited(setting):
    return race(setting, "profile", "twelve-staying.json", "twelve adjustments, full size", (None,))


def web(setting):
    return race(setting, "profile-web", "web.json", "1600 pixels, sharpened", (1600,))


def race(setting, name, recipe, title, edges):
    converting = json.loads((phbatch.RECIPES / recipe).read_text())
    for output in converting["outputs"]:
        output["profile"] = "display-p3"
    path = setting.work / f"{name}.json"
    path.write_text(json.dumps(converting))
    return Race(
        name=name, title=f"Display P3 instead of sRGB, {title}",
        programs=[
            phbatch.running(phbatch.RECIPES / recipe),
            phbatch.running(path, CONVERTED),
        ],
        result=Result(edges=edges),
        limits=[Limit("to Display P3, of the time to sRGB", CONVERTED, "phbatch", 1.05)],
        notes=[], times=3)
