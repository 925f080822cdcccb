"""Pickers, masks by what is in the photo, outputs and pinned pictures."""

import json

from axe_playwright_python.sync_playwright import Axe
from harness import PAINTED, RECIPE, RESTED, begin, colour, expect, finish, shoot, wait_for, wait_until

PIXEL = """([x, y]) => { const c = document.getElementById('picture');
  return [...c.getContext('2d').getImageData(x * c.width, y * c.height, 1, 1).data].slice(0, 3) }"""
CROSS = "document.querySelector('#overlay .cross') !== null"
NO_CROSS = "document.querySelector('#overlay .cross') === null"


def click(page, x, y):
    """Clicks on a place of the picture, 0…1."""
    box = page.locator("#picture").bounding_box()
    page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])


def setting(page, name):
    return page.locator(f"[data-setting={name}] input[inputmode=decimal]").first.input_value()


def pickers(browser, library):
    """A grey point, and a focus, by a click and by keys."""
    library.recipe.write_text(RECIPE.replace(
        '{"filter": "vignette"', '{"filter": "smartCrop", "aspect": "1:1"},\n    {"filter": "vignette"'))
    studio, page, violations = begin(browser, library)
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.get_by_label("smartCrop, turn off").press("Enter")
        wait_for(page, "document.getElementById('facts').textContent.startsWith('900 × 600')",
                 "the whole photo is shown")
        page.get_by_role("button", name="White balance", exact=True).press("Enter")
        page.get_by_role("button", name="Pick a grey point").press("Enter")
        wait_for(page, CROSS, "a cross shows the place")
        expect(page.evaluate("document.activeElement.getAttribute('role')") == "slider",
               "keys move the cross")
        expect(Axe().run(page).response["violations"] == [], "axe finds nothing while picking")
        page.keyboard.press("Escape")
        wait_for(page, NO_CROSS, "Escape ends picking")
        expect("Enabled" in page.locator("#undo").get_attribute("title"), "and changes nothing")
        page.get_by_role("button", name="Pick a grey point").press("Enter")
        wait_for(page, CROSS, "the cross is there again")
        for _ in range(2):
            page.keyboard.press("Shift+ArrowRight")
        expect(page.evaluate("document.activeElement.getAttribute('aria-valuetext')") == "60 %, 50 %",
               "the cross moves by keys")
        wanted = page.evaluate(PIXEL, [0.6, 0.5])
        expect(max(wanted) - min(wanted) > 40, f"the place has a colour: {wanted}")
        page.keyboard.press("Enter")
        wait_for(page, "document.getElementById('undo').title.includes('Grey point')", "it is one change")
        wait_for(page, f"(() => {{ const v = ({PIXEL})([0.6, 0.5]);"
                 " return Math.max(...v) - Math.min(...v) <= 5 })()", "the place becomes grey")
        page.get_by_role("button", name="Smart crop", exact=True).press("Enter")
        page.get_by_label("smartCrop, turn on").press("Enter")
        wait_for(page, "document.getElementById('facts').textContent.startsWith('600 × 600')",
                 "the photo is cropped")
        page.get_by_role("button", name="Choose the place in the photo").click()
        wait_for(page, CROSS, "the cross is there for the focus")
        click(page, 0.1, 0.5)
        wait_for(page, "document.getElementById('undo').title.includes('Place')", "a click chooses")
        edit = json.loads(studio.ask("GET", "/api/session")[1])["edit"]
        crop = next(step for step in edit["filters"] if step["filter"] == "smartCrop")
        expect(crop["strategy"] == "focal" and abs(crop["focus"][0] - 0.1) < 0.01
               and abs(crop["focus"][1] - 0.5) < 0.01, f"the focus is where the click was: {crop}")
        wait_for(page, "document.getElementById('facts').textContent.startsWith('600 × 600')",
                 "the photo is cropped again")
        wait_for(page, f"({PIXEL})([0.02, 0.5])[0] < 60", "around the focus")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def masks(browser, library):
    """Masks by tone and by colour are picked from the photo, and shown in red."""
    studio, page, violations = begin(browser, library)

    def is_red(place):
        red, green, blue = page.evaluate(PIXEL, place)
        return red > 150 and red > 1.6 * max(green, blue)

    def shows(place, other, text):
        wait_until(page, lambda: is_red(place) and not is_red(other), text)

    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.get_by_label("Mask", exact=True).select_option("luminance")
        page.get_by_role("button", name="Pick a tone").press("Enter")
        wait_for(page, CROSS, "a cross shows the place")
        click(page, 0.05, 0.1)
        wait_for(page, "document.querySelector('[data-setting=maskBrightest] input[inputmode=decimal]').value < 0.7",
                 "the mask covers the tone of the place")
        page.keyboard.press("Escape")
        page.keyboard.press("m")
        wait_for(page, "document.getElementById('coverage').checked", "M shows the mask")
        shows([0.05, 0.1], [0.9, 0.9], "dark places are covered")
        shoot(page, "mask")
        page.get_by_label("Invert mask").check()
        shows([0.9, 0.9], [0.05, 0.1], "an inverted mask covers the others")
        page.get_by_label("Invert mask").uncheck()
        shows([0.05, 0.1], [0.9, 0.9], "no longer inverted, it covers dark places again")
        page.get_by_label("Mask", exact=True).select_option("colour")
        page.get_by_role("button", name="Pick a colour").press("Enter")
        wait_for(page, CROSS, "a cross shows the place of the colour")
        click(page, 0.05, 0.95)
        wait_for(page, "document.querySelector('[data-setting=maskColour] input').value !== '#808080'",
                 "the mask has the colour of the place")
        shows([0.05, 0.95], [0.9, 0.9], "its colour is covered")
        expect(Axe().run(page).response["violations"] == [], "axe finds nothing beside a mask")
        page.keyboard.press("Escape")
        page.keyboard.press("m")
        wait_until(page, lambda: not is_red([0.05, 0.1]) and not is_red([0.05, 0.95]), "M hides the mask")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def panes(browser, library):
    """Each output can be shown, and a pinned picture stays beside others."""
    library.recipe.write_text(RECIPE.replace(
        '"path": "out/{stem}.{ext}"}', '"path": "out/{stem}.{ext}"},\n'
        '    {"name": "grey", "format": "jpeg", "path": "grey/{stem}.{ext}",\n'
        '     "filters": [{"filter": "blackAndWhite"}, {"filter": "resize", "width": 300}]}'))
    studio, page, violations = begin(browser, library)
    facts = "document.getElementById('facts').textContent"
    left = "document.getElementById('unedited')"
    try:
        page.goto(studio.address)
        wait_for(page, f"{facts}.startsWith('900 × 600')", "the largest output is shown")
        expect(page.locator("#output option").first.text_content() == "Usual output (the largest)", "its choice says so")
        page.get_by_label("Output that is shown").select_option("grey")
        wait_for(page, f"{facts}.startsWith('300 × 200')", "the other output is shown")
        wait_for(page, RESTED, "its picture is shown")
        red, green, blue, _ = colour(page)
        expect(max(red, green, blue) - min(red, green, blue) <= 3, f"it is grey: {red} {green} {blue}")
        page.get_by_label("Output that is shown").select_option("")
        wait_for(page, f"{facts}.startsWith('900 × 600')", "the usual output is shown again")
        wait_for(page, RESTED, "its picture is shown again")
        page.keyboard.press("p")
        wait_for(page, f"{left}.width > 300 && {left}.style.display === 'block'", "P pins the picture")
        wait_for(page, "performance.getEntriesByName('shown').some((mark) => mark.detail.pane === 1)",
                 "the pinned picture is painted")
        wait_for(page, RESTED, "and so is the other")
        pinned = page.evaluate(f"{left}.getContext('2d').getImageData(100, 100, 1, 1).data.join()")
        page.keyboard.press(".")
        wait_for(page, "document.getElementById('name').textContent === 'photo-1.png'",
                 "the right pane goes to the next photo")
        wait_for(page, RESTED, "its picture is shown beside the pinned one")
        kept = page.evaluate(f"{left}.getContext('2d').getImageData(100, 100, 1, 1).data.join()")
        expect(kept == pinned, f"the left pane stays: {pinned} {kept}")
        expect("onerror" in page.locator("#pinned").text_content(), "and has the photo's name")
        field = page.locator("[data-setting=stops] input[inputmode=decimal]")
        field.fill("-2")
        field.press("Enter")
        wait_until(page, lambda: sum(colour(page)[:3]) < 200, "the other picture follows the change")
        wait_for(page, RESTED, "and comes to rest")
        kept = page.evaluate(f"{left}.getContext('2d').getImageData(100, 100, 1, 1).data.join()")
        expect(kept == pinned, "a change of the recipe leaves the pinned picture as it was")
        expect(Axe().run(page).response["violations"] == [], "axe finds nothing beside a pinned photo")
        shoot(page, "pinned")
        page.keyboard.press("Escape")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("p")
        wait_for(page, f"{left}.style.display === 'none'", "P ends it")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)
