"""Raw photos and films: their pictures are those of their renditions."""

import base64
import json
import pathlib
import shutil
import subprocess
import sys

import numpy

from harness import PAINTED, PHBATCH, RESTED, Studio, expect, wait_for, wait_until, watched
from pixels import compare

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "raw"))
import dng  # noqa: E402

MESSAGE = "document.getElementById('message').textContent"
NAME = "document.getElementById('name').textContent"
FACTS = "document.getElementById('facts').textContent"
# From CIE XYZ to the colours of a camera, under D65.
MATRIX = numpy.array([[0.7309, -0.1403, -0.0519], [-0.8474, 1.6008, 0.2622],
                      [-0.2433, 0.2826, 0.8064]])


def emptied(library, *outputs, filters):
    """Removes the photos, and writes a recipe."""
    shutil.rmtree(library.folder)
    library.folder.mkdir()
    library.recipe.write_text(json.dumps({
        "identifier": "org.example.studio", "version": "1.0.0", "filters": filters,
        "outputs": list(outputs)}))


def rendered(library, name):
    """Runs the recipe; returns the bytes of a rendition as text."""
    subprocess.run([PHBATCH, "run", library.recipe, library.folder], capture_output=True, check=True)
    return base64.b64encode((library.folder / name).read_bytes()).decode()


def raw(browser, library):
    """A raw photo: the look of the camera, the white of a light in kelvin, and an unknown lens."""
    emptied(library, {"name": "web", "format": "png", "path": "out/{stem}.{ext}"}, filters=[
        {"filter": "whiteBalance", "kelvin": 4200}, {"filter": "lens"},
        {"filter": "exposure", "stops": 0.5}, {"filter": "clarity", "amount": 0.3}])
    x, y = numpy.meshgrid(numpy.arange(900) / 900, numpy.arange(600) / 600)
    light = numpy.stack([0.05 + 0.4 * x, 0.1 + 0.5 * y, 0.1 + 0.3 * x * y], axis=-1)
    dng.write(library.folder / "made.dng", dng.mosaic(65535 * light), {21: MATRIX}, [0.5, 1, 0.7])
    file = rendered(library, "out/made.png")
    studio = Studio(library)
    violations = []
    context = browser.new_context(viewport={"width": 1000, "height": 600})
    page, other = watched(context, violations), context.new_page()
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the raw photo is painted")
        wait_for(page, f"{FACTS}.startsWith('900 × 600')", "its size is that of the sensor")
        wait_for(page, f"{MESSAGE}.startsWith('unknown lens, not corrected')", "the lens is not known")
        wait_for(page, "document.querySelector('.cell img').hasAttribute('src')", "it has a thumbnail")
        kelvin = page.locator("[data-setting=kelvin] input[inputmode=decimal]")
        expect(kelvin.input_value() == "4200", "the light has kelvin")
        compare(page, other, file, (900, 600))
        kelvin.fill("7000")
        kelvin.press("Enter")
        wait_for(page, "document.getElementById('undo').title.includes('Kelvin')", "another light is chosen")
        page.locator("#save").click()
        wait_for(page, "document.getElementById('save').disabled", "it is saved")
        file = rendered(library, "out/made.png")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("z")
        compare(page, other, file, (900, 600))
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        context.close()
        studio.end()


def films(browser, library):
    """A recipe for films and photos shows both; of a film, the frame of the poster."""
    program = shutil.which("phbatch-video", path=f"{pathlib.Path(PHBATCH).parent}") or shutil.which("phbatch-video")
    if not program or not shutil.which("ffmpeg"):
        print("SKIPPED: films in the studio: phbatch-video or ffmpeg is not installed")
        return
    photo = (library.folder / "photo-1.png").read_bytes()
    emptied(library, {"name": "web", "format": "png", "path": "out/{stem}.{ext}"},
            {"name": "film", "format": "mp4", "path": "out/{stem}.{ext}"},
            {"name": "poster", "format": "png", "frame": "9s", "path": "out/{stem}-poster.{ext}"},
            filters=[{"filter": "exposure", "stops": 0.5}, {"filter": "vignette", "intensity": -0.3}])
    (library.folder / "a.png").write_bytes(photo)
    film = library.folder / "b.mp4"
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=640x480:rate=10:duration=1",
                    "-pix_fmt", "yuv420p", film], check=True, stdin=subprocess.DEVNULL)
    file = rendered(library, "out/b-poster.png")
    studio = Studio(library)
    violations = []
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page, other = watched(context, violations), context.new_page()
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        wait_for(page, f"{FACTS}.startsWith('900 × 600')", "in its size")
        wait_for(page, "[...document.querySelectorAll('.cell img')].every((e) => e.hasAttribute('src'))",
                 "both have thumbnails")
        page.keyboard.press(".")
        wait_for(page, f"{NAME} === 'b.mp4'", "the film opens")
        wait_for(page, f"{FACTS}.startsWith('640 × 480')", "its frame is painted")
        wait_for(page, f"{MESSAGE} === '\\'poster\\' shows the last frame: the film has only 1 s'",
                 "with the warning of a run")
        wait_for(page, RESTED, "and at rest")
        compare(page, other, file, (640, 480))
        page.keyboard.press("z")
        poster = page.evaluate("document.getElementById('picture').toDataURL()")
        page.get_by_label("Output that is shown").select_option("film")
        wait_until(page, lambda: page.evaluate(RESTED)
                   and page.evaluate("document.getElementById('picture').toDataURL()") != poster,
                   "the output that is a film shows its first frame")
        expect(page.evaluate(MESSAGE) == "The picture shows the output film.", "without an error")
        page.keyboard.press(",")
        wait_for(page, f"{NAME} === 'a.png' && {FACTS}.startsWith('900 × 600')", "the photo opens again")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        context.close()
        studio.end()
