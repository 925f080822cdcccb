"""Bytes of lossy files at equal SSIMULACRA2, of phbatch and of libvips 8.18, which sharp and imgproxy use.

Photos are reduced to 1280 pixels and kept as PNG. The likeness of a file to its PNG is SSIMULACRA2
(J. Sneyers, 2023; 70 is high quality, 90 visually lossless). Between phbatch's qualities, the logarithm of
its bytes is interpolated at the score of the other file.
"""
import json
import math
import pathlib
import subprocess
import tempfile

import numpy
from ssimulacra2 import compute_ssimulacra2

from harness.environments import python

EDGE = 1280
PEER = """
import json, sys, pyvips
for line in sys.stdin:
    job = json.loads(line)
    image = pyvips.Image.new_from_file(job["png"])
    getattr(image, job["saver"])(job["file"], keep="icc", **job["options"])
    pyvips.Image.new_from_file(job["file"]).pngsave(job["file"] + ".png")
"""


def run(command, output, library, out):
    recipe = out.with_suffix(".json")
    recipe.write_text(json.dumps({
        "identifier": "org.phbatch.bench.score", "version": "1.0.0", "variant": "bench",
        "outputs": [{"name": "x", "metadata": "none", **output}]}))
    subprocess.run([command, "run", recipe, library, "--output", out, "--quiet"], check=True)


def score(reference, file):
    return float(compute_ssimulacra2(str(reference), f"{file}.png"))


def interpolated(curve, wanted):
    """The bytes of phbatch at a score; nil outside its qualities."""
    scores, sizes = zip(*sorted(curve))
    if not scores[0] <= wanted <= scores[-1]:
        return None
    return math.exp(numpy.interp(wanted, scores, numpy.log(sizes)))


def originals(command, photos, work):
    """The reduced photos as PNG files."""
    (work / "photos").mkdir()
    for number, path in enumerate(photos):
        (work / "photos" / f"{number:02}{path.suffix}").write_bytes(path.read_bytes())
    run(command, {"format": "png", "path": "{stem}.png",
                  "filters": [{"filter": "resize", "longEdge": EDGE}]}, work / "photos", work / "png")
    folder = work / "originals"
    folder.mkdir()
    for path in sorted((work / "png").glob("*.png")):
        path.rename(folder / path.name)
    return folder


def compared(command, photos, kinds, qualities, saver, others):
    """The mean score and bytes of each of phbatch's kinds of output and of each other encoder, and the
    bytes of each kind at the scores of the others and of the first kind, as a share of theirs.

    `kinds` are outputs by their names; `others` are options of `saver` by their names.
    """
    with tempfile.TemporaryDirectory(prefix="phbatch-score-") as temporary:
        work = pathlib.Path(temporary)
        pngs = originals(command, photos, work)
        names = sorted(path.stem for path in pngs.glob("*.png"))
        files = {}
        for kind, output in kinds.items():
            for quality in qualities:
                out = work / f"{kind} {quality}".replace(" ", "-")
                run(command, {**output, "quality": quality, "path": "{stem}.{ext}"}, pngs, out)
                for name in names:
                    file = files[kind, quality, name] = next(
                        path for path in out.glob(f"{name}.*") if path.suffix != ".json")
                    subprocess.run(["vips", "copy", file, f"{file}.png"], check=True, capture_output=True)
        jobs = []
        for other, options in others.items():
            (work / other.replace(" ", "-")).mkdir()
            for name in names:
                file = files[other, None, name] = work / other.replace(" ", "-") / f"{name}.x"
                jobs.append({"png": str(pngs / f"{name}.png"), "file": str(file), "saver": saver,
                             "options": options})
        subprocess.run([python("8.18"), "-c", PEER], check=True, text=True,
                       input="".join(json.dumps(job) + "\n" for job in jobs))
        scores = {key: score(pngs / f"{key[2]}.png", file) for key, file in files.items()}
        sizes = {key: file.stat().st_size for key, file in files.items()}

    def means(kind, quality):
        return {"score": round(float(numpy.mean([scores[kind, quality, name] for name in names])), 1),
                "bytes": round(float(numpy.mean([sizes[kind, quality, name] for name in names])))}

    def share(kind, other, quality):
        ratios = []
        for name in names:
            curve = [(scores[kind, each, name], sizes[kind, each, name]) for each in qualities]
            if wanted := interpolated(curve, scores[other, quality, name]):
                ratios.append(wanted / sizes[other, quality, name])
        return {"bytes at its score": round(math.exp(float(numpy.mean(numpy.log(ratios)))), 3),
                "compared": len(ratios)}

    results = {"photos": len(names)}
    first = next(iter(kinds))
    for kind in kinds:
        results[kind] = {quality: means(kind, quality) for quality in qualities}
        if kind != first:
            middle = qualities[1:-1]
            results[kind][f"beside {first}"] = {each: share(kind, first, each) for each in middle}
    for other in others:
        results[other] = {**means(other, None), **{kind: share(kind, other, None) for kind in kinds}}
    return results
