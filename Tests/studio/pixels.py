"""The pictures of the page are those of the renditions."""

import base64
import json
import math
import subprocess

from axe_playwright_python.sync_playwright import Axe
from harness import (
    PAINTED, PHBATCH, RECIPE, RESTED, Studio, begin, expect, finish, picture, shoot, wait_for, wait_until, watched)


def colour_difference(one, other):
    """The CIEDE2000 difference of two colours of sRGB, 0…255 (Sharma, Wu, Dalal, 2005)."""
    def lab(samples):
        light = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
                 for v in (sample / 255 for sample in samples)]
        rows = [(0.4124, 0.3576, 0.1805, 0.9505), (0.2126, 0.7152, 0.0722, 1),
                (0.0193, 0.1192, 0.9505, 1.089)]
        x, y, z = ((t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116)
                   for t in (sum(a * v for a, v in zip(row, light)) / row[3] for row in rows))
        return 116 * y - 16, 500 * (x - y), 200 * (y - z)

    (l1, a1, b1), (l2, a2, b2) = lab(one), lab(other)
    chroma = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = math.degrees(math.atan2(b1, a1)) % 360, math.degrees(math.atan2(b2, a2)) % 360
    turn = h2 - h1
    if c1 * c2 == 0:
        turn = 0
    elif abs(turn) > 180:
        turn -= math.copysign(360, turn)
    mean = h1 + h2
    if c1 * c2 != 0:
        mean = mean / 2 if abs(h1 - h2) <= 180 else (mean + (360 if mean < 360 else -360)) / 2
    l, c = (l1 + l2) / 2, (c1 + c2) / 2

    def cos(degrees):
        return math.cos(math.radians(degrees))

    t = (1 - 0.17 * cos(mean - 30) + 0.24 * cos(2 * mean) + 0.32 * cos(3 * mean + 6)
         - 0.2 * cos(4 * mean - 63))
    sl = 1 + 0.015 * (l - 50) ** 2 / math.sqrt(20 + (l - 50) ** 2)
    sc, sh = 1 + 0.045 * c, 1 + 0.015 * c * t
    rt = (-2 * math.sqrt(c ** 7 / (c ** 7 + 25 ** 7))
          * math.sin(math.radians(60 * math.exp(-(((mean - 275) / 25) ** 2)))))
    dl, dc = (l2 - l1) / sl, (c2 - c1) / sc
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / sh
    return math.sqrt(dl ** 2 + dc ** 2 + dh ** 2 + rt * dc * dh)


CANVAS = """() => {
  const canvas = document.getElementById('picture');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let text = '';
  for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
  return [canvas.width, canvas.height, btoa(text)];
}"""
DECODE = """async ([file, left, top, width, height, wide, high]) => {
  const bytes = Uint8Array.from(atob(file), (c) => c.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }), left, top,
    width, height, { resizeWidth: wide, resizeHeight: high, resizeQuality: 'high' });
  const canvas = new OffscreenCanvas(wide, high);
  canvas.getContext('2d').drawImage(bitmap, 0, 0);
  const { data } = canvas.getContext('2d').getImageData(0, 0, wide, high);
  let text = '';
  for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
  return btoa(text);
}"""


def compare(page, other, file, size, presses=4):
    """Shows the photo at 1:1, from its middle to its lower right corner, and compares the pixels with a
    rendition; `other` is a page that decodes the file."""
    page.keyboard.press("z")
    wait_for(page, "document.getElementById('facts').textContent.endsWith(' 100 %')",
             "Z shows the photo at 1:1")
    for key in [None, "ArrowRight", "ArrowDown"]:
        for _ in range(presses if key else 0):
            page.keyboard.press(key)
        wait_for(page, RESTED, "the part is shown")
        width, height, data = page.evaluate(CANVAS)
        part = page.evaluate("() => document.getElementById('picture').dataset.part").split(",")
        # A photo that fits into the view is shown as a whole.
        left, top = map(int, part[:2])
        wanted = other.evaluate(DECODE, [file, left, top, width, height, width, height])
        expect(data == wanted, f"the pixels are the rendition's at {left}, {top}")
    expect((left + width, top + height) == size, "keys reach the corner")


def seen(page, other):
    """The screen has the pixels of the picture."""
    def is_same():
        width, height, data = page.evaluate(CANVAS)
        box = page.locator("#picture").bounding_box()
        screen = base64.b64encode(page.screenshot()).decode()
        return [box["width"], box["height"]] == [width, height] and data == other.evaluate(
            DECODE, [screen, round(box["x"]), round(box["y"]), width, height, width, height])

    # The picture gets another size when the bar has its last text.
    wait_until(page, is_same, "the browser resamples nothing")


# The colours of the marks on transparent parts.
MARKS = """() => {
  const [picture, marks] = ['picture', 'clipping'].map((id) => {
    const canvas = document.getElementById(id);
    return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  });
  const found = new Set();
  for (let at = 0; at < picture.length; at += 4) {
    if (picture[at + 3] === 0) found.add(marks.slice(at, at + 4).join());
  }
  return [...found];
}"""


def transparent(browser, library):
    """At 1:1, a part of a transparent rendition takes the place of the part before, and is shown on white."""
    library.recipe.write_text(json.dumps({
        "identifier": "org.example.round", "version": "1.0.0", "filters": [{"filter": "roundCorners", "radius": "40%"}],
        "outputs": [{"name": "web", "format": "png", "path": "out/{stem}.{ext}"}]}))
    subprocess.run([PHBATCH, "run", library.recipe, library.folder], capture_output=True, check=True)
    studio = Studio(library, "--read-only")
    context = browser.new_context(viewport={"width": 1000, "height": 600})
    page, other = watched(context, []), context.new_page()
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        stem = page.evaluate("document.getElementById('name').textContent").split(".")[0]
        compare(page, other, base64.b64encode((library.folder / f"out/{stem}.png").read_bytes()).decode(), (900, 600))
        expect(page.evaluate("getComputedStyle(document.getElementById('picture')).backgroundColor")
               == "rgb(255, 255, 255)", "it is shown on white")
        text = page.evaluate("document.getElementById('clipped').textContent")
        expect(text.endswith("black 0.0 %"), f"which the histogram counts: {text}")
        page.keyboard.press("j")
        marks = page.evaluate(MARKS)
        expect(marks == ["255,32,32,255"], f"and all of which are marked as white: {marks}")
    finally:
        context.close()
        studio.end()


def law(browser, library):
    """At 1:1 the page has the pixels of the rendition; the whole photo has nearly its colours."""
    library.recipe.write_text(RECIPE.replace('"jpeg"', '"png"'))
    subprocess.run([PHBATCH, "run", library.recipe, library.folder], capture_output=True, check=True)
    file = base64.b64encode((library.folder / "out/photo-1.png").read_bytes()).decode()
    studio = Studio(library, "--read-only")
    context = browser.new_context(viewport={"width": 1000, "height": 600})
    page, other = watched(context, []), context.new_page()
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.keyboard.press(".")
        wait_for(page, "document.getElementById('name').textContent === 'photo-1.png'",
                 "the next photo opens")
        wait_for(page, RESTED, "its picture is shown")
        seen(page, other)
        width, height, data = page.evaluate(CANVAS)
        shown = base64.b64decode(data)
        wanted = base64.b64decode(other.evaluate(DECODE, [file, 0, 0, 900, 600, width, height]))
        places = range(0, len(shown), 4 * 97)
        differences = [colour_difference(shown[at:at + 3], wanted[at:at + 3]) for at in places]
        mean = sum(differences) / len(differences)
        expect(300 < width < 900 and mean <= 1, f"ΔE2000 {mean:.2f} at {width} × {height}")
        compare(page, other, file, (900, 600))
        width, height, _ = page.evaluate(CANVAS)
        box = page.locator("#picture").bounding_box()
        expect([box["width"], box["height"]] == [width, height], f"none is resampled: {box}")
        found = [(each["id"], [node["html"] for node in each["nodes"]])
                 for each in Axe().run(page).response["violations"]]
        expect(found == [], f"axe finds nothing at 1:1: {found}")
        shoot(page, "loupe")
        page.keyboard.press("z")
        wait_for(page, "!document.getElementById('facts').textContent.endsWith(' 100 %')",
                 "Z shows the whole photo again")
    finally:
        context.close()
        studio.end()


def greys(browser, library):
    """An output in grey is shown in grey, at 1:1 and as a whole; another output, and a mask in red, have colours."""
    outputs = [{"name": name, "format": "jpeg", "path": name + "/{stem}.{ext}", **more}
               for name, more in [("grey", {"profile": "grey", "current": True}), ("web", {})]]
    library.recipe.write_text(json.dumps({
        "identifier": "org.example.grey", "version": "1.0.0", "outputs": outputs,
        "filters": [{"filter": "exposure", "stops": 0, "mask": {"luminance": {"min": 0, "max": 1}}},
                    {"filter": "whiteBalance", "temperature": 6500}]}))
    studio, page, violations = begin(browser, library)
    part = "document.getElementById('picture').dataset.part"

    def is_grey():
        width, _, data = page.evaluate(CANVAS)
        samples = base64.b64decode(data)
        return width > 300 and all(samples[at] == samples[at + 1] == samples[at + 2] for at in range(0, len(samples), 4 * 97))

    try:
        page.goto(studio.address)
        wait_for(page, f"{PAINTED} && {RESTED}", "the photo is painted")
        expect(is_grey(), "the whole photo is grey")
        page.keyboard.press("z")
        wait_for(page, f"{part} !== '' && {RESTED}", "Z shows it at 1:1")
        expect(is_grey(), "the part is grey")
        page.keyboard.press("m")
        wait_until(page, lambda: not is_grey(), "the mask is red at 1:1")
        page.keyboard.press("z")
        wait_for(page, f"{part} === '' && {RESTED}", "Z shows the whole photo")
        expect(not is_grey(), "where it is red, too")
        page.keyboard.press("m")
        wait_until(page, is_grey, "without the mask, it is grey again")
        page.get_by_role("button", name="White balance", exact=True).press("Enter")
        page.get_by_role("button", name="Pick a grey point").press("Enter")
        wait_for(page, "document.querySelector('#overlay .cross') !== null", "a cross shows the place")
        expect(not is_grey(), "a colour is picked from a photo in colour")
        page.keyboard.press("Escape")
        wait_until(page, is_grey, "and then it is grey again")
        page.locator("#output").select_option("web")
        wait_until(page, lambda: not is_grey(), "the other output has colours")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def sharing(browser, library):
    """At 1:1, each of two outputs has the pixels that a run writes, which computes their common steps once."""
    library.recipe.write_text(json.dumps({
        "identifier": "org.example.two", "version": "1.0.0", "filters": [{"filter": "exposure", "stops": 0.31},
                                                                       {"filter": "contrast", "amount": 0.17}],
        "outputs": [{"name": "full", "format": "png", "path": "out/{stem}.{ext}"},
                    {"name": "warm", "format": "png", "path": "warm/{stem}.{ext}",
                     "filters": [{"filter": "resize", "longEdge": 600}, {"filter": "saturation", "amount": 0.3}]}]}))
    # A program of a large photo can become a table, which differs from it by up to one level.
    (library.folder / "photo-1.png").write_bytes(picture(1, 1500, 1000))
    for photo in library.folder.glob("*.png"):
        if photo.name != "photo-1.png":
            photo.unlink()
    subprocess.run([PHBATCH, "run", library.recipe, library.folder], capture_output=True, check=True)
    studio = Studio(library, "--read-only")
    context = browser.new_context(viewport={"width": 1000, "height": 600})
    page, other = watched(context, []), context.new_page()
    try:
        for output, folder, size in [("", "out", (1500, 1000)), ("full", "out", (1500, 1000)), ("warm", "warm", (600, 400))]:
            page.goto(studio.address)
            page.reload()
            wait_for(page, PAINTED, "the photo is painted")
            page.locator("#output").select_option(output)
            file = (library.folder / folder / "photo-1.png").read_bytes()
            compare(page, other, base64.b64encode(file).decode(), size, 5)
    finally:
        context.close()
        studio.end()
