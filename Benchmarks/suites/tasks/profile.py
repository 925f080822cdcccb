"""What profiles of primaries and a curve cost: photos in Display P3, and renditions in it."""
import json
import subprocess

from harness.photos import Library
from harness.program import Program
from harness.race import Limit, Race, Result
from peers import phbatch

FROM, TO = "phbatch, from Display P3", "phbatch, to Display P3"


def edited(setting):
    return race(setting, "profile", "twelve-staying.json", "twelve adjustments, full size", (None,))


def web(setting):
    return race(setting, "profile-web", "web.json", "1600 pixels, sharpened", (1600,))


def race(setting, name, recipe, title, edges):
    recipe = phbatch.RECIPES / recipe
    wide = json.loads(recipe.read_text())
    for output in wide["outputs"]:
        output["profile"] = "display-p3"
    to_wide = setting.work / f"{name}.json"
    to_wide.write_text(json.dumps(wide))
    tagged = retagged(setting, name)
    return Race(
        name=name, title=f"Display P3, {title}",
        programs=[
            phbatch.running(recipe),
            Program(FROM, lambda _, out: phbatch.running(recipe).commands(tagged, out)),
            phbatch.running(to_wide, TO),
        ],
        result=Result(edges=edges),
        limits=[
            Limit("from Display P3, of the time from sRGB", FROM, "phbatch", 1.05),
            Limit("to Display P3, of the time to sRGB", TO, "phbatch", 1.05),
        ],
        notes=[], times=3)


def retagged(setting, name):
    """The same photos, said to be in Display P3, as telephones write them."""
    folder = setting.work / f"{name}-tagged"
    library = Library(setting.library.photos, folder / "photos")
    recipe = setting.work / "p3.json"
    recipe.write_text(json.dumps({
        "identifier": "org.phbatch.bench.p3", "version": "1.0.0", "variant": "bench",
        "outputs": [{"name": "p3", "format": "jpeg", "profile": "display-p3",
                     "filters": [{"filter": "resize", "longEdge": 64}]}]}))
    subprocess.run(
        [phbatch.COMMAND, "run", recipe, library.folder, "--output", folder / "out", "--quiet"],
        check=True)
    rendition = next((folder / "out").rglob("*.jpg")).read_bytes()
    profile = next(part for kind, part in segments(rendition) if is_profile(kind, part))
    for photo in library.photos:
        bytes_ = photo.path.read_bytes()
        parts = list(segments(bytes_))
        rest = bytes_[2 + sum(len(part) for _, part in parts):]
        kept = [part for kind, part in parts if not is_profile(kind, part)]
        # After JFIF's own segment and Exif, which come first.
        place = sum(1 for part in kept[:2] if part[1] in (0xE0, 0xE1))
        photo.path.write_bytes(
            bytes_[:2] + b"".join(kept[:place] + [profile] + kept[place:]) + rest)
    return library


def segments(jpeg):
    """The segments of a JPEG file before its first scan, with their markers."""
    place = 2
    while jpeg[place] == 0xFF and jpeg[place + 1] != 0xDA:
        length = 2 + int.from_bytes(jpeg[place + 2:place + 4], "big")
        yield jpeg[place + 1], jpeg[place:place + length]
        place += length


def is_profile(kind, part):
    return kind == 0xE2 and part[4:].startswith(b"ICC_PROFILE\0")
