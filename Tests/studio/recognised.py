"""Masks by what is in a photo's file: its depth map, its mattes, its faces."""

import base64
import json
import os
import pathlib
import shutil
import struct
import subprocess

from axe_playwright_python.sync_playwright import Axe
from harness import PAINTED, PHBATCH, RESTED, begin, expect, finish, png, shoot, wait_for, wait_until
from places import CROSS, NO_CROSS, PIXEL, click, setting

CORPUS = os.environ.get("PHBATCH_CORPUS")
MATTE = "aux/ios-depth-sampler/image-with-matte.jpg"
# The place of the face, as left, top, width and height, 0…1.
FACE = (0.6, 0.2, 0.2, 0.3)
LACKS = "document.getElementById('mask-lacks').textContent"
MESSAGE = "document.getElementById('message').textContent"


def described(jpeg):
    """A JPEG file with a depth map, near at the left, and with a marked face, in its XMP."""
    # Equal steps of this map are equal steps of the reciprocal of the distance, and dark is near.
    depths = base64.b64encode(png(90, 60, lambda x, y: (255 * x // 89,) * 3)).decode()
    left, top, width, height = FACE
    xmp = f"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
      xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"
      xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/"><rdf:Description rdf:about=""
      GDepth:Format="RangeInverse" GDepth:Mime="image/png" GDepth:Data="{depths}">
      <mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag>
      <rdf:li rdf:parseType="Resource"><mwg-rs:Type>Face</mwg-rs:Type><mwg-rs:Area
        stArea:x="{left + width / 2}" stArea:y="{top + height / 2}" stArea:w="{width}"
        stArea:h="{height}" stArea:unit="normalized"/></rdf:li></rdf:Bag></mwg-rs:RegionList>
      </mwg-rs:Regions></rdf:Description></rdf:RDF></x:xmpmeta>"""
    body = b"http://ns.adobe.com/xap/1.0/\0" + xmp.encode()
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def recognised(browser, library):
    """Depth, faces and mattes are chosen, picked, shown in red, and missed aloud."""
    subprocess.run([PHBATCH, "run", library.recipe, library.folder], capture_output=True, check=True)
    jpeg = (library.folder / "out/photo-1.jpg").read_bytes()
    shutil.rmtree(library.folder)
    library.folder.mkdir()
    (library.folder / "a-deep.jpg").write_bytes(described(jpeg))
    (library.folder / "b-flat.jpg").write_bytes(jpeg)
    matte = pathlib.Path(CORPUS or "", MATTE)
    if matte.is_file():
        shutil.copy(matte, library.folder / "c-matte.jpg")
    else:
        print(f"SKIPPED: mattes of a real photo: {MATTE} is not there; PHBATCH_CORPUS names its folder")
    studio, page, violations = begin(browser, library, height=1000)

    def is_red(place):
        red, green, blue = page.evaluate(PIXEL, place)
        return red > 150 and red > 1.6 * max(green, blue)

    def shows(place, other, text):
        wait_until(page, lambda: is_red(place) and not is_red(other), text)

    def mask():
        edit = json.loads(studio.ask("GET", "/api/session")[1])["edit"]
        return next(step for step in edit["filters"] if step["filter"] == "exposure").get("mask")

    def opened(key, name):
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press(key)
        wait_for(page, f"document.getElementById('name').textContent === '{name}'", f"{name} opens")

    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        choice = page.get_by_label("Mask", exact=True)
        choice.select_option("depth")
        wait_until(page, lambda: mask() == {"depth": {"min": 0.5, "max": 1, "feather": 0.1,
                                                      "missing": "nothing"}}, "depth is chosen")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("m")
        shows([0.1, 0.5], [0.9, 0.9], "what is near is covered")
        shoot(page, "depth")
        expect(Axe().run(page).response["violations"] == [], "axe finds nothing beside a mask by depth")
        page.get_by_role("button", name="Pick a distance").press("Enter")
        wait_for(page, CROSS, "a cross shows the place")
        page.keyboard.press("Escape")
        wait_for(page, NO_CROSS, "Escape ends picking")
        for place in [0.75, 0.4]:
            page.get_by_role("button", name="Pick a distance").press("Enter")
            wait_for(page, CROSS, "a cross shows the place again")
            click(page, place, 0.5)
            middle = 1 - place
            wait_until(page, lambda: abs((mask()["depth"]["min"] + mask()["depth"]["max"]) / 2 - middle)
                       < 0.02, f"the mask covers the distance of the place {place}")
        shows([0.4, 0.9], [0.9, 0.9], "and it is shown")
        nearest = page.locator("[data-setting=maskNearest] input[inputmode=decimal]")
        nearest.fill("0.2")
        nearest.press("Enter")
        wait_until(page, lambda: mask()["depth"]["max"] == 0.2 and mask()["depth"]["min"] == 0.2,
                   "the ends of a range keep their order")
        wait_until(page, lambda: setting(page, "maskFarthest") == "0.2", "the page shows both")
        farthest = page.locator("[data-setting=maskFarthest] input[type=range]")
        farthest.focus()
        page.keyboard.press("ArrowLeft")
        wait_until(page, lambda: mask()["depth"]["min"] == 0.19, "keys move the slider")
        expect(page.evaluate("document.activeElement.ariaLabel") == "Mask farthest",
               "which keeps the focus")
        expect(page.evaluate(LACKS) == "", "nothing is missing in this photo")
        opened(".", "b-flat.jpg")
        wait_for(page, f"{LACKS} === 'The photo\\'s file has no depth map; the mask covers nothing of it.'",
                 "the page says that there is no depth map")
        expect(page.get_by_role("button", name="Pick a distance").is_disabled(), "none can be picked")
        wait_until(page, lambda: not is_red([0.1, 0.5]) and not is_red([0.9, 0.9]), "nothing is covered")
        page.get_by_label("Invert mask").check()
        wait_for(page, f"{LACKS}.endsWith('the mask covers all of it.')", "an inverted mask covers the whole photo")
        page.get_by_label("Invert mask").uncheck()
        page.get_by_label("Photos without it").select_option("fail")
        wait_for(page, f"{LACKS}.endsWith('has no depth map; the photo fails.')", "such photos can fail")
        wait_for(page, f"{MESSAGE}.startsWith('the photo\\'s file has no depth map; choose \\'stay unchanged\\'')",
                 "then there is no picture, with the reason")
        page.keyboard.press("Control+c")
        wait_for(page, f"{MESSAGE}.endsWith('own settings of b-flat.jpg.')", "something else is said")
        expect("no depth map" in page.evaluate(MESSAGE), "the error stays in sight")
        expect(Axe().run(page).response["violations"] == [], "axe finds nothing beside it")
        shoot(page, "no-depth")
        choice.select_option("matte")
        wait_for(page, f"{LACKS} === 'The photo\\'s file has no matte of skin; the mask covers nothing of it.'",
                 "nor is there a matte")
        wait_for(page, f"!{MESSAGE}.includes('depth')", "the error ends with its cause")
        page.get_by_label("Matte", exact=True).select_option("portrait")
        wait_for(page, f"{LACKS}.includes('no matte of people')", "another matte is named")
        expect(mask() == {"matte": {"of": "portrait", "missing": "nothing"}}, f"it is chosen: {mask()}")
        choice.select_option("face")
        wait_for(page, f"/^(No face was found|The photo's faces are not known)/.test({LACKS})",
                 "nor are there faces")
        expect(mask() == {"face": "skin"}, f"faces can be chosen for others: {mask()}")
        opened(",", "a-deep.jpg")
        wait_for(page, f"{LACKS} === ''", "the other photo has a face")
        page.get_by_label("Part of faces").select_option("all")
        centre = [FACE[0] + FACE[2] / 2, FACE[1] + FACE[3] / 2]
        shows(centre, [0.2, 0.8], "which is covered")
        if matte.is_file():
            page.keyboard.press("Escape")
            opened(".", "b-flat.jpg")
            opened(".", "c-matte.jpg")
            choice.select_option("matte")
            page.get_by_label("Matte", exact=True).select_option("portrait")
            wait_for(page, f"{LACKS} === ''", "a photo of a phone has a matte")
            wait_for(page, RESTED, "its picture is shown")
            shows([0.5, 0.6], [0.03, 0.03], "which covers people")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def combined(browser, library):
    """Masks that the page cannot change stay as they are, and are named; parameters stay parameters."""
    recipe = {
        "identifier": "org.example.studio", "version": "1.0.0",
        "parameters": {"near": {"default": 0.6, "min": 0, "max": 1}},
        "filters": [
            {"filter": "exposure", "stops": 1, "mask": {"subtract": [
                {"radial": {"radius": 0.5}}, {"depth": {"min": 0.8, "missing": "nothing"}}]}},
            {"filter": "contrast", "amount": 0.2, "mask": {"radial": {"radius": 0.4}}},
            {"filter": "sepia", "mask": {"depth": {"min": "${near}", "missing": "nothing"}}}],
        "outputs": [{"name": "web", "format": "jpeg", "path": "out/{stem}.{ext}"}]}
    library.recipe.write_text(json.dumps(recipe, indent=2))
    studio, page, violations = begin(browser, library, height=1000)

    def filters():
        return json.loads(studio.ask("GET", "/api/session")[1])["edit"]["filters"]

    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        chosen = "document.getElementById('mask').selectedOptions[0].textContent"
        expect(page.evaluate(chosen) == "2 masks, subtracted", f"they are named: {page.evaluate(chosen)}")
        wait_for(page, f"{LACKS}.includes('no depth map')", "so is what the photo lacks for a part")
        field = page.locator("[data-setting=stops] input[inputmode=decimal]")
        field.fill("0.5")
        field.press("Enter")
        wait_until(page, lambda: filters()[0]["stops"] == 0.5, "the step can be changed")
        page.get_by_label("Invert mask").check()
        wait_until(page, lambda: filters()[0]["mask"] == {**recipe["filters"][0]["mask"], "invert": True},
                   "its masks stay")
        page.get_by_role("button", name="Contrast", exact=True).press("Enter")
        expect(setting(page, "maskCentreX") == "0.5", "settings that are left out have their defaults")
        handle = page.locator("circle[aria-label='Mask, centre']")
        handle.wait_for()
        field = page.locator("[data-setting=maskCentreY] input[inputmode=decimal]")
        field.fill("0.25")
        field.press("Enter")
        wait_until(page, lambda: filters()[1]["mask"] == {"radial": {"radius": 0.4, "center": [0.5, 0.25]}},
                   "and can be set")
        page.get_by_role("button", name="Sepia", exact=True).press("Enter")
        expect(setting(page, "maskFarthest") == "0.6", "a parameter in a mask has its value")
        field = page.locator("[data-setting=maskFeather] input[inputmode=decimal]")
        field.fill("0.3")
        field.press("Enter")
        wait_until(page, lambda: filters()[2]["mask"]["depth"] == {
            "min": "${near}", "missing": "nothing", "feather": 0.3}, "it stays if another value changes")
        field = page.locator("[data-setting=maskFarthest] input[inputmode=decimal]")
        field.fill("0.7")
        field.press("Enter")
        page.get_by_role("button", name="Change the parameter").click()
        wait_for(page, "document.getElementById('undo').title.includes('Near')", "the parameter changes")
        expect(filters()[2]["mask"]["depth"]["min"] == "${near}", "and the mask keeps it")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def early(browser, library):
    """A click on a distance counts before the depths are there; the mask in red stays meanwhile."""
    (library.folder / "photo-1.png").rename(library.folder / "0.png")
    subprocess.run([PHBATCH, "run", library.recipe, library.folder], capture_output=True, check=True)
    jpeg = (library.folder / "out/0.jpg").read_bytes()
    shutil.rmtree(library.folder)
    library.folder.mkdir()
    (library.folder / "deep.jpg").write_bytes(described(jpeg))
    library.recipe.write_text(json.dumps({
        "identifier": "org.example.studio", "version": "1.0.0",
        "filters": [{"filter": "exposure", "stops": 1, "mask": {"depth": {"min": 0.5, "missing": "nothing"}}}],
        "outputs": [{"name": "web", "format": "jpeg", "path": "out/{stem}.{ext}"}]}))
    studio, page, violations = begin(browser, library, height=1000)

    def depth():
        return json.loads(studio.ask("GET", "/api/session")[1])["edit"]["filters"][0]["mask"]["depth"]

    def is_red(place):
        red, green, blue = page.evaluate(PIXEL, place)
        return red > 150 and red > 1.6 * max(green, blue)

    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("m")
        wait_until(page, lambda: is_red([0.1, 0.5]), "the mask is shown in red")
        # Both happen before the page can get an answer.
        page.evaluate("""() => {
          [...document.querySelectorAll('button')].find((one) => one.textContent === 'Pick a distance').click();
          const box = document.getElementById('overlay').getBoundingClientRect();
          document.getElementById('overlay').dispatchEvent(new MouseEvent('click', { bubbles: true,
            clientX: box.x + 0.75 * box.width, clientY: box.y + 0.5 * box.height }));
        }""")
        expect("loading" in page.evaluate(MESSAGE), f"the page says that it loads: {page.evaluate(MESSAGE)}")
        wait_until(page, lambda: abs((depth()["min"] + depth().get("max", 1)) / 2 - 0.25) < 0.02,
                   f"the click counts when the depths are there: {depth()}")
        page.get_by_role("button", name="Pick a distance").press("Enter")
        wait_for(page, CROSS, "a cross shows the place")
        wait_until(page, lambda: is_red([0.75, 0.2]) and not is_red([0.1, 0.2]), "the mask stays red while picking")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)
