"""Handles of masks: through later changes of the frame, and for the corners of polygons."""

import json

from harness import PAINTED, RESTED, begin, expect, finish, shoot, wait_for, wait_until
from places import setting

# Keys for what has the focus, without a pause.
QUICK_KEYS = """(keys) => {
  for (const key of keys) document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}"""
# The mask is no longer inverted, and its feather changes, without a pause.
QUICK_FIELDS = """() => {
  document.getElementById("invert").click();
  const field = document.querySelector("[data-setting=maskFeather] input[inputmode=decimal]");
  field.value = "0.25";
  field.dispatchEvent(new Event("change"));
}"""
NOTE = "document.getElementById('mask-place').textContent"


def recipe(*filters):
    return json.dumps({
        "identifier": "org.example.studio", "version": "1.0.0", "filters": list(filters),
        "outputs": [{"name": "web", "format": "jpeg", "path": "out/{stem}.{ext}"}]}, indent=2)


def label(name):
    return f"circle[aria-label='Mask, {name}']"


def centre(page, name):
    """The place of a handle in the picture, 0…1; nothing if there is no such handle."""
    return page.evaluate("""(name) => {
      const handle = document.querySelector(name)?.getBoundingClientRect();
      const box = document.getElementById('picture').getBoundingClientRect();
      return handle ? [(handle.x + handle.width / 2 - box.x) / box.width,
        (handle.y + handle.height / 2 - box.y) / box.height] : [];
    }""", label(name))


def drag(page, name, to):
    """Drags a handle to a place of the picture, 0…1."""
    box = page.locator("#picture").bounding_box()
    for place, steps in [(centre(page, name), 1), (to, 5)]:
        page.mouse.move(box["x"] + place[0] * box["width"], box["y"] + place[1] * box["height"], steps=steps)
        page.mouse.down()
    page.mouse.up()


def near(one, other, tolerance=0.01):
    return len(one) == len(other) and all(abs(a - b) < tolerance for a, b in zip(one, other))


def framed(browser, library):
    """Later crops, rotations and corrections of perspective move the handles with the picture."""
    library.recipe.write_text(recipe(
        {"filter": "exposure", "stops": 0.5, "mask": {"radial": {"center": [0.5, 0.5], "radius": 0.3}}},
        {"filter": "crop", "left": "10%", "top": "5%", "width": "80%", "height": "90%"},
        {"filter": "rotate", "angle": 90, "enabled": False},
        {"filter": "perspective", "pitch": 10, "enabled": False}))
    studio, page, violations = begin(browser, library)

    def mask():
        edit = json.loads(studio.ask("GET", "/api/session")[1])["edit"]
        return edit["filters"][0]["mask"]["radial"]

    def at(place, name="centre"):
        return near(centre(page, name), place)

    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.get_by_role("button", name="Exposure", exact=True).press("Enter")
        # The crop shows 0.1…0.9 and 0.05…0.95 of the step's frame.
        wait_until(page, lambda: at([0.4 / 0.8, 0.45 / 0.9]), "a crop moves the handles")
        # A radius of 0.3 is 180 of 900 pixels; the crop has 720.
        wait_until(page, lambda: at([0.5 + 180 / 720, 0.5], "radius"), "and scales them")
        page.get_by_label("rotate, turn on").press("Enter")
        wait_until(page, lambda: at([0.5, 0.5 + 180 / 720], "radius"), "a rotation turns them")
        shoot(page, "turned")
        drag(page, "centre", [0.25, 0.25])
        # The rotated picture's left is the crop's bottom, and its top the crop's left.
        wait_until(page, lambda: near(mask()["center"], [0.1 + 0.8 * 0.25, 0.05 + 0.9 * 0.75]),
                   f"a drag counts in the step's frame: {mask()}")
        wait_until(page, lambda: at([0.25, 0.25]), "and the handle stays where it was dragged to")
        page.get_by_label("perspective, turn on").press("Enter")
        wait_for(page, RESTED, "the perspective is corrected")
        wait_until(page, lambda: not at([0.25, 0.25]), "which moves the handle")
        moved = centre(page, "centre")
        drag(page, "centre", [moved[0] + 0.2, moved[1] + 0.1])
        wait_until(page, lambda: at([moved[0] + 0.2, moved[1] + 0.1]), "a drag ends where the pointer is")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("z")
        wait_for(page, f"{NOTE}.includes('1:1')", "at 1:1, a sentence stands in place of handles")
        expect(page.locator(label("centre")).count() == 0, "where there are none")
        page.keyboard.press("z")
        page.locator(label("centre")).wait_for()
        wait_for(page, f"{NOTE} === ''", "the sentence ends")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def corners(browser, library):
    """Corners of a polygon are added, removed and moved; the other shapes have all numbers; kinds change."""
    square = [[0.3, 0.3], [0.7, 0.3], [0.7, 0.7], [0.3, 0.7]]
    library.recipe.write_text(recipe(
        {"filter": "exposure", "stops": 0.5, "mask": {"polygon": {"points": square}, "comment": "the door"}}))
    studio, page, violations = begin(browser, library, height=1000)

    def mask():
        return json.loads(studio.ask("GET", "/api/session")[1])["edit"]["filters"][0]["mask"]

    def points():
        return mask()["polygon"]["points"]

    def revision():
        return json.loads(studio.ask("GET", "/api/session")[1])["edit"]["revision"]

    def fill(name, value):
        field = page.locator(f"[data-setting={name}] input[inputmode=decimal]")
        field.fill(value)
        field.press("Enter")

    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.locator(label("add a corner after corner 1")).click()
        wait_until(page, lambda: len(points()) == 5 and points()[1] == [0.5, 0.3],
                   "a click on the middle of an edge adds a corner")
        page.locator(label("corner 5")).wait_for()
        drag(page, "corner 2", [0.5, 0.1])
        wait_until(page, lambda: near(points()[1], [0.5, 0.1]), "which can be dragged")
        before = revision()
        page.locator(label("corner 2")).focus()
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        wait_until(page, lambda: near(points()[1], [0.52, 0.1]), f"arrow keys move it: {points()[1]}")
        expect(revision() == before + 1, "and several are one change")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Control+z")
        wait_until(page, lambda: revision() == before + 3 and near(points()[1], [0.52, 0.1]), "which can be undone at once")
        page.keyboard.press("Control+z")
        wait_until(page, lambda: near(points()[1], [0.5, 0.1]), "as a whole")
        drag(page, "add a corner after corner 3", [0.9, 0.5])
        wait_until(page, lambda: len(points()) == 6 and near(points()[3], [0.9, 0.5]),
                   "dragging the middle of an edge adds a corner, too")
        page.locator(label("corner 4")).focus()
        page.keyboard.press("Delete")
        wait_until(page, lambda: len(points()) == 5 and points()[3] == [0.7, 0.7], "Delete removes a corner")
        expect(page.evaluate("document.activeElement.getAttribute('aria-label')") == "Mask, corner 4",
               "and the next corner has the focus")
        page.keyboard.press("Enter")
        wait_until(page, lambda: len(points()) == 6, "Enter adds a corner")
        page.keyboard.press("Delete")
        wait_until(page, lambda: len(points()) == 5, "which Delete removes")
        before = revision()
        page.evaluate(QUICK_KEYS, ["Enter", "Delete"])
        wait_until(page, lambda: revision() == before + 2, "a quick Delete begins with what Enter has left")
        expect(len(points()) == 5, f"and removes it: {points()}")
        before, middle = revision(), [(a + b) / 2 for a, b in zip(points()[3], points()[4])]
        page.locator(label("add a corner after corner 4")).focus()
        for _ in range(3):
            page.keyboard.press("ArrowUp")
        wait_until(page, lambda: len(points()) == 6 and near(points()[4], [middle[0], middle[1] - 0.015], 0.001),
                   f"arrow keys at the middle of an edge add one corner and move it: {points()}")
        expect(page.evaluate("document.activeElement.getAttribute('aria-label')") == "Mask, corner 5",
               "which has the focus")
        expect(revision() == before + 1, "as one change")
        page.keyboard.press("Control+z")
        wait_until(page, lambda: len(points()) == 5, "which can be undone")
        drag(page, "corner 2", [0.5, 0.9])
        page.wait_for_timeout(300)
        expect(points()[1][1] < 0.7 and near(centre(page, "corner 2"), points()[1]),
               f"a corner stops before edges cross, and stays there: {points()[1]}")
        page.get_by_text("Corners (5)").click()
        fill("maskCorner1X", "0.2")
        wait_until(page, lambda: points()[0] == [0.2, 0.3], "a corner has number fields")
        page.get_by_text("Corners (5)").wait_for()
        expect(page.locator("details.corners").get_attribute("open") is not None, "which stay in sight")
        fill("maskDensity", "0.5")
        wait_until(page, lambda: mask().get("density") == 0.5, "each mask has its density")
        page.get_by_label("Invert mask").check()
        wait_until(page, lambda: mask().get("invert") is True, "and can be inverted")
        page.get_by_label("Mask", exact=True).select_option("radial")
        wait_until(page, lambda: mask() == {
            "radial": {"center": [0.5, 0.5], "radius": 0.6, "feather": 0.5}, "comment": "the door",
            "density": 0.5, "invert": True}, "another kind keeps what stands beside the shape")
        expect(page.get_by_label("Invert mask").is_checked() and setting(page, "maskDensity") == "0.5",
               "and shows it")
        fill("maskHeight", "0.3")
        wait_until(page, lambda: mask()["radial"].get("height") == 0.3, "an ellipse has a height")
        fill("maskAngle", "30")
        wait_until(page, lambda: mask()["radial"].get("angle") == 30, "and an angle")
        page.evaluate(QUICK_FIELDS)
        wait_until(page, lambda: mask()["radial"]["feather"] == 0.25, "a field can change at once after a box")
        expect("invert" not in mask(), f"and keeps what the box has changed: {mask()}")
        page.get_by_label("Reset Mask height").click()
        wait_until(page, lambda: "height" not in mask()["radial"], "which can be reset")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)
