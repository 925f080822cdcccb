"""Lengths of a whole edge, which JavaScript cannot tell from one pixel as numbers."""

import json
import subprocess

from harness import PHBATCH, RESTED, begin, expect, finish, wait_for

RECIPE = """{
  "identifier": "org.example.studio", "version": "1.0.0",
  "parameters": {"tall": {"default": 0.50, "min": 0.1, "max": 1.0}},
  "filters": [
    {"filter": "crop", "width": 0.9, "height": "${tall}"},
    {"filter": "crop", "id": "final", "top": 0, "height": 1.0}
  ],
  "outputs": [{"name": "web", "format": "png", "path": "out/{stem}.{ext}"}]
}
"""
FACTS = "document.getElementById('facts').textContent"
NAME = "document.getElementById('name').textContent"


def lengths(browser, library):
    """A whole edge stays one if it is copied, typed, or the end of a slider; other values keep their spelling."""
    library.recipe.write_text(RECIPE)
    subprocess.run([PHBATCH, "adjust", library.folder / "photo-1.png", "--recipe", library.recipe,
                    "--library", library.folder, "--set", "crop.width=1.0"], capture_output=True, check=True)
    studio, page, violations = begin(browser, library)

    def size(text, about):
        wait_for(page, f"{FACTS}.startsWith('{text} ') && ({RESTED})", f"{about}: {text}")

    def give(name, value):
        field = page.locator(f"[data-setting={name}] input").first
        field.fill(value)
        field.press("Enter")

    def go(key, name):
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press(key)
        wait_for(page, f"{NAME} === '{name}'", f"{name} opens")

    try:
        page.goto(studio.address)
        size("810 × 300", "the recipe's width")
        go(".", "photo-1.png")
        size("900 × 300", "the photo's own width")
        page.keyboard.press("Control+c")
        wait_for(page, "!document.getElementById('paste').disabled", "it is copied")
        go(".", "photo-2.png")
        size("810 × 300", "the recipe's width")
        page.keyboard.press("Control+v")
        size("900 × 300", "the width that was copied")
        go(".", "photo-3.png")
        page.get_by_role("button", name="Crop", exact=True).first.press("Enter")
        for written, shown in [("1", "1 × 300"), ("1.0", "900 × 300"), ("0.5", "450 × 300"), ("100%", "900 × 300")]:
            give("width", written)
            size(shown, f"{written} is typed")
        page.get_by_role("button", name="Parameters", exact=True).press("Enter")
        slider = page.locator("[data-setting=tall] input[type=range]")
        slider.focus()
        for _ in range(60):
            page.keyboard.press("Shift+ArrowRight")
        size("900 × 600", "the end of the slider")
        give("tall", "0.75")
        size("900 × 450", "a parameter is typed")
        give("tall", "1.0")
        size("900 × 600", "a whole edge is typed")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("Control+s")
        wait_for(page, "document.getElementById('save').disabled", "it is saved")
        expect(library.recipe.read_text() == RECIPE.replace("0.9", '"100%"').replace("0.50", "1.0"),
               f"only what was changed is: {library.recipe.read_text()}")
        subprocess.run([PHBATCH, "run", library.recipe, library.folder], capture_output=True, check=True)
        for photo in (library.folder / "out").iterdir():
            found = [int.from_bytes(photo.read_bytes()[at:at + 4], "big") for at in (16, 20)]
            expect(found == [900, 600], f"the run has the same size: {photo.name}, {found}")
        own = (library.folder / "photo-2.png.phbatch.json").read_text()
        expect('"crop.width": "100%"' in own, f"the photo has the copied width: {own}")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)
