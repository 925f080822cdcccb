"""A person edits: settings, steps, crops, curves, and saves."""

import json
import subprocess

from axe_playwright_python.sync_playwright import Axe
from harness import (
    PAINTED, PHBATCH, RECIPE, RESTED, STATE, begin, colour, expect, finish, shoot, wait_for, wait_until)


def story(browser, library):
    """Open, drag, compare, undo, this photo only, next photo, Done."""
    before = library.files()
    studio, page, violations = begin(browser, library, height=800)
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the first photo is painted")
        expect("#" not in page.url and studio.key not in page.url, "the key leaves the address")
        expect(page.locator("img[src=x]").count() == 0, "a name with markup is text")
        expect(library.files() == before, "opening writes nothing")
        slider = page.locator("[data-setting=stops] input[type=range]")
        dark = colour(page)
        slider.focus()
        # Together, because a pause between keys would end the movement.
        page.evaluate("""() => {
          for (let n = 0; n < 10; n += 1) {
            document.activeElement.dispatchEvent(new KeyboardEvent('keydown',
              { key: 'ArrowRight', shiftKey: true, bubbles: true, cancelable: true }));
          }
          document.activeElement.blur();
        }""")
        wait_for(page, "document.getElementById('undo').title.includes('Stops')",
                 "a movement is one change")
        wait_for(page, f"({STATE})().includes('not saved')", "the page says that something is not saved")
        wait_for(page, RESTED, "the picture follows")
        bright = colour(page)
        expect(sum(bright) > sum(dark) + 60, f"the picture is brighter: {dark} {bright}")
        shoot(page, "studio")
        page.keyboard.press("Control+z")
        wait_for(page, "document.getElementById('undo').disabled", "undo takes the change back")
        wait_for(page, "document.getElementById('message').textContent === 'Undone: Stops.'", "and names it")
        wait_for(page, f"!({STATE})().includes('not saved')", "then nothing is unsaved")
        page.keyboard.press("Control+Shift+z")
        wait_for(page, "!document.getElementById('undo').disabled", "redo makes it again")
        page.keyboard.press("s")
        wait_for(page, "document.getElementById('unedited').width > 300", "the photo before the edit is shown")
        expect(page.locator("#divider").is_visible(), "before and after have a divider")
        shoot(page, "split")
        page.keyboard.press("s")
        page.keyboard.press(".")
        wait_for(page, "document.getElementById('name').textContent === 'photo-1.png'",
                 "the next photo opens")
        page.locator("input[value=photo]").check(force=True)
        field = page.locator("[data-setting=stops] input[inputmode=decimal]")
        field.fill("-1.25")
        field.press("Enter")
        wait_for(page, "document.querySelector('[data-setting=stops] .origin').textContent"
                 " === 'this photo'", "a setting can be the photo's own")
        expect(library.files(state=False) == before and library.recipe.read_text() == RECIPE,
               "nothing is written before Done, except the draft")
        page.keyboard.press("Escape")
        page.keyboard.press("Control+c")
        page.keyboard.press(".")
        wait_for(page, "document.getElementById('name').textContent === 'photo-2.png'",
                 "and the next one")
        page.keyboard.press("Control+v")
        wait_for(page, "document.querySelector('[data-setting=stops] .origin').textContent"
                 " === 'this photo'", "own settings are pasted")
        wait_for(page, "document.getElementById('live').textContent === 'Pasted 1 own setting to 1 photo.'",
                 "people who listen hear so")
        page.keyboard.press("Control+Enter")
        wait_for(page, "document.body.textContent.includes('You can close this tab')",
                 "Done ends the page")
        found = [each["id"] for each in Axe().run(page).response["violations"]]
        expect(found == [], f"axe finds nothing at the end: {found}")
        shoot(page, "end")
        expect(studio.process.wait(20) == 0, "Done ends the command")
        text = library.recipe.read_text()
        stops = text.split('"stops": ')[1].split("}")[0]
        expect(text == RECIPE.replace("0.50", stops) and float(stops) > 1,
               f"only the bytes of the value changed: {stops}")
        for name in ["photo-1.png", "photo-2.png"]:
            listed = subprocess.run(
                [PHBATCH, "adjust", library.folder / name, "--list"], capture_output=True, text=True)
            expect("exposure.stops = -1.25" in listed.stdout, f"{name} has its own setting")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def steps(browser, library):
    """Adds, moves and removes steps, crops and masks, all by keys; undo gives the recipe back."""
    studio, page, violations = begin(browser, library, height=800)

    def names():
        return page.evaluate(
            "() => [...document.querySelectorAll('#step-list .name')].map((e) => e.textContent)")

    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.locator("#add").focus()
        page.keyboard.press("Enter")
        page.keyboard.type("clarity")
        page.keyboard.press("Enter")
        wait_for(page, "document.getElementById('controls-title').textContent === 'Clarity'",
                 "a step is added by typing its name")
        expect(names() == ["Exposure", "White balance", "Vignette", "Clarity"], f"last: {names()}")
        expect(page.locator("dialog").count() == 0, "the dialog is closed")
        page.get_by_label("Move up: clarity").press("Enter")
        wait_for(page, "document.querySelectorAll('#step-list .name')[2].textContent === 'Clarity'",
                 "a step moves up")
        page.get_by_label("Remove: clarity").press("Enter")
        wait_for(page, "document.querySelectorAll('#step-list .name').length === 3",
                 "a step is removed")
        page.get_by_role("button", name="Exposure", exact=True).press("Enter")
        page.get_by_label("Mask", exact=True).select_option("radial")
        radius = page.locator("circle[aria-label='Mask, radius']")
        radius.focus()
        page.keyboard.press("ArrowLeft")
        wait_for(page, "document.querySelectorAll('[data-setting=maskRadius] input')[0].value < 0.6",
                 "a handle of a mask moves by keys")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("c")
        page.get_by_role("button", name="Add", exact=True).press("Enter")
        corner = page.locator("circle[aria-label='Crop, lower right']")
        corner.wait_for()
        wait_for(page, "document.querySelector('#crop').getAttribute('aria-pressed') === 'true'",
                 "the crop has handles")
        corner.focus()
        for _ in range(3):
            page.keyboard.press("Shift+ArrowLeft")
        wait_for(page, "[...document.querySelectorAll('[data-setting=width] input')]"
                 ".some((e) => e.value === '85%')", "a corner of the crop moves by keys")
        page.keyboard.press("Escape")
        wait_for(page, "document.getElementById('facts').textContent.startsWith('765 × 600')",
                 "the picture is cropped")
        shoot(page, "cropped")
        wait_until(page, lambda: page.locator("#undo").is_disabled() or page.keyboard.press("Control+z"),
                   "every change can be undone")
        wait_for(page, f"!({STATE})().includes('not saved')", "undo takes everything back")
        expect(library.recipe.read_text() == RECIPE, "nothing was written")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def tools(browser, library):
    """Straightens by a line, and edits a curve by keys and by the pointer."""
    library.recipe.write_text(RECIPE.replace(
        '{"filter": "exposure"', '{"filter": "curves"},\n    {"filter": "exposure"'))
    studio, page, violations = begin(browser, library)

    def curve():
        return page.evaluate(
            "() => [...document.querySelectorAll('[data-setting=rgb] .handle')]"
            ".map((e) => e.getAttribute('aria-valuetext'))")

    def saved(name="rgb"):
        edit = json.loads(studio.ask("GET", "/api/session")[1])["edit"]
        return edit["filters"][0].get(name, [[0, 0], [1, 1]])

    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        dark = colour(page)
        expect(curve() == ["0 becomes 0", "1 becomes 1"], f"a straight curve has two points: {curve()}")
        page.locator("[data-setting=rgb] .handle").first.focus()
        page.keyboard.press("Enter")
        wait_for(page, "document.querySelectorAll('[data-setting=rgb] .handle').length === 3",
                 "Enter adds a point behind the chosen one")
        wait_until(page, lambda: len(saved()) == 3, "the studio has the point")
        wait_for(page, RESTED, "the picture follows it")
        page.locator("[data-setting=rgb] .handle").nth(1).focus()
        page.keyboard.press("Shift+ArrowUp")
        page.keyboard.press("Shift+ArrowUp")
        wait_for(page, "document.getElementById('undo').title.includes('RGB')", "it is a change")
        wait_until(page, lambda: saved()[1] == [0.5, 0.7], "the studio has the place of the point")
        wait_for(page, RESTED, "the picture follows the point")
        expect(curve()[1] == "0.5 becomes 0.7", f"arrows move a point: {curve()}")
        expect(page.evaluate("() => document.activeElement.getAttribute('aria-label')")
               == "RGB, point 2", "the point keeps the focus")
        bright = colour(page)
        expect(sum(bright) > sum(dark) + 30, f"the picture follows: {dark} {bright}")
        shoot(page, "curve")
        page.keyboard.press("Delete")
        wait_for(page, "document.querySelectorAll('[data-setting=rgb] .handle').length === 2",
                 "Delete removes a point")
        wait_until(page, lambda: len(saved()) == 2, "the studio has no point there")
        wait_for(page, RESTED, "the picture follows that")
        page.locator("[data-setting=rgb] .handle").first.focus()
        page.keyboard.press("ArrowUp")
        page.locator("[data-setting=red] .handle").first.focus()
        page.keyboard.press("ArrowUp")
        wait_until(page, lambda: saved()[0] == [0, 0.01], "another curve ends the movement of the first")
        page.keyboard.press("ArrowUp")
        wait_until(page, lambda: saved("red")[0] == [0, 0.02], "and keeps both of its presses")
        for key in ["Enter", "ArrowUp", "Enter", "Delete", "ArrowUp"]:
            page.keyboard.press(key)
        wait_until(page, lambda: saved("red") == [[0, 0.02], [0.5, 0.52], [1, 1]], "keys that follow each other are one change")
        # In one step, because the answer to the last change can replace the curve between two.
        box = page.evaluate("""() => {
            const curve = document.querySelector("[data-setting=rgb] .curve");
            curve.scrollIntoView({ block: "center" });
            const { x, y, width, height } = curve.getBoundingClientRect();
            return { x, y, width, height };
        }""")
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 4, steps=4)
        page.mouse.up()
        wait_for(page, "document.querySelectorAll('[data-setting=rgb] .handle').length === 3",
                 "dragging the curve adds a point")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("l")
        page.get_by_role("button", name="Add", exact=True).press("Enter")
        wait_for(page, "document.getElementById('level').getAttribute('aria-pressed') === 'true'",
                 "L draws a line")
        expect(page.evaluate("() => document.activeElement.getAttribute('aria-label')") == "Angle",
               "keys have the slider of the angle")
        box = page.locator("#overlay").bounding_box()
        page.mouse.move(box["x"] + 100, box["y"] + 100)
        page.mouse.down()
        page.mouse.move(box["x"] + 300, box["y"] + 110, steps=4)
        page.mouse.up()
        # atan(10 / 200) is 2.86 degrees, and the line falls to the right.
        wait_for(page, "document.querySelector('[data-setting=angle] input[inputmode=decimal]')?.value"
                 " === '-2.86'", "the photo is turned so that the line is level")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)
