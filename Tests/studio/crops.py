"""Crops and levels beside other steps that change the frame."""

import json

from harness import RESTED, begin, expect, finish, wait_for, wait_until

WHOLE = {"filter": "crop", "left": "0%", "top": "0%", "width": "100%", "height": "100%"}
# A crop that reaches beyond the photo.
BEYOND = [{"filter": "crop", "left": "90%", "width": "50%"}]
# Filters, and the upper left and lower right corner of the crop in the photo, 0…1.
CASES = [
    ([WHOLE, {"filter": "flip"}], [0, 0, 1, 1]),
    ([WHOLE, {"filter": "rotate", "angle": 90}], [0, 0, 1, 1]),
    ([{"filter": "crop", "right": "20%"}], [0, 0, 0.8, 1]),
    ([{"filter": "crop", "left": "10%", "right": "20%", "top": "10%", "bottom": "30%"}], [0.1, 0.1, 0.8, 0.7]),
    ([{"filter": "crop", "left": 90, "top": 60, "width": 450, "height": 300}], [0.1, 0.1, 0.6, 0.6]),
    ([{"filter": "crop", "left": 90, "top": 60, "width": 450, "height": 300}, {"filter": "resize", "width": 400}],
     [0.1, 0.1, 0.6, 0.6]),
    ([{"filter": "crop", "width": "50%", "height": "50%", "gravity": "southeast"}], [0.5, 0.5, 1, 1]),
    ([{"filter": "crop", "left": 0, "width": 1.0, "height": 1.0}], [0, 0, 1, 1]),
    ([{"filter": "crop", "width": 5000}], [0, 0, 1, 1]),
    (BEYOND, [0.9, 0, 1, 1]),
]
ORIGIN = "document.querySelector('[data-setting=aspect] .origin').textContent"
# Red is the position across in the photo, green that down.
PIXEL = """([x, y]) => {
  const c = document.getElementById('picture');
  return [...c.getContext('2d').getImageData(x * (c.width - 1), y * (c.height - 1), 1, 1).data].slice(0, 2);
}"""


def drag(page, label, place, key=None):
    overlay = page.locator("#overlay").bounding_box()
    # A picture that arrives draws the handles anew.
    while (handle := page.locator(f"circle[aria-label='Crop, {label}']").bounding_box()) is None:
        page.wait_for_timeout(30)
    page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    page.mouse.down()
    if key:
        page.keyboard.down(key)
    page.mouse.move(overlay["x"] + place[0] * overlay["width"], overlay["y"] + place[1] * overlay["height"], steps=4)
    page.mouse.up()
    if key:
        page.keyboard.up(key)


def corners(page):
    """The upper left and the lower right corner of the frame, 0…1."""
    found = page.evaluate("""() => ["upper left", "lower right"].flatMap((name) =>
      document.querySelector(`circle[aria-label='Crop, ${name}']`)?.ariaValueText.split(", ").map(parseFloat) ?? [])""")
    return [value / 100 for value in found]


def near(found, wanted, most):
    return len(found) == len(wanted) and all(abs(one - other) <= most for one, other in zip(found, wanted))


def crops(browser, library):
    """The frame shows what each form of a crop keeps, and what is in the frame is kept; Shift keeps its aspect."""
    text = json.loads(library.recipe.read_text())
    library.recipe.write_text(json.dumps({**text, "filters": CASES[0][0]}))
    studio, page, violations = begin(browser, library)

    def steps():
        return json.loads(studio.ask("GET", "/api/session")[1])["edit"]["filters"]

    try:
        page.goto(studio.address)
        for filters, wanted in CASES:
            changes = [{"remove": step["filter"]} for step in steps()] + [{"add": step} for step in filters]
            status, answer, _ = studio.ask("POST", "/api/edit", {"operations": changes})
            expect(status == 200, f"{filters} are the steps: {answer}")
            page.wait_for_timeout(200)
            wait_for(page, RESTED, "the photo is painted")
            page.evaluate("() => document.activeElement.blur()")
            page.keyboard.press("c")
            wait_for(page, "document.querySelector('#overlay circle') !== null", "there is a frame")
            expect(near(corners(page), wanted, 0.006), f"{filters}: the frame is at {corners(page)}, not {wanted}")
            if filters == BEYOND:
                drag(page, "centre", [0.75, 0.5])
                wait_until(page, lambda: (steps()[0]["left"], steps()[0]["width"]) == ("70%", "10%"),
                           "a frame that is moved has the size that it had")
            for label, place in [("upper left", [0.3, 0.4]), ("lower right", [0.8, 0.9])]:
                drag(page, label, place)
                page.wait_for_timeout(200)
                wait_for(page, RESTED, "the corner is moved")
            if filters == CASES[0][0]:
                for place in [[0.7, 0.6], [0.999, 0.7]]:
                    drag(page, "lower right", place, "Shift")
                    left, top, right, bottom = corners(page)
                    expect(abs((right - left) / (bottom - top) - 1) < 0.04, f"Shift keeps the aspect: {corners(page)}")
                    page.wait_for_timeout(200)
                drag(page, "lower right", [0.8, 0.9])
                page.wait_for_timeout(200)
            page.keyboard.press("Escape")
            page.keyboard.press("Escape")
            wait_for(page, "document.querySelector('#overlay circle') === null", "the frame is gone")
            page.wait_for_timeout(200)
            wait_for(page, RESTED, "the crop is shown")
            found = sorted(page.evaluate(PIXEL, [x, y]) for x in [0, 1] for y in [0, 1])
            expect(near(found[0] + found[3], [0.3 * 255, 0.4 * 255, 0.8 * 255, 0.9 * 255], 3), f"{filters}: {found} is kept")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def aspects(browser, library):
    """An aspect takes the place of a crop's edges, and edges that of an aspect, for all photos and for one."""
    text = json.loads(library.recipe.read_text())
    step = {"filter": "crop", "left": "10%", "width": "50%"}
    library.recipe.write_text(json.dumps({**text, "filters": [step]}))
    studio, page, violations = begin(browser, library)

    def edit():
        return json.loads(studio.ask("GET", "/api/session")[1])["edit"]

    def give(name, value):
        page.evaluate("document.querySelectorAll('#settings details').forEach((more) => { more.open = true; })")
        field = page.locator(f"[data-setting={name}] input").last
        field.fill(value)
        field.press("Enter")

    try:
        page.goto(studio.address)
        wait_for(page, RESTED, "the photo is painted")
        page.get_by_role("button", name="Crop", exact=True).last.press("Enter")
        page.locator("input[value=photo]").check(force=True)
        give("aspect", "1:1")
        wait_until(page, lambda: edit()["own"].get("p0") == {"crop.aspect": "1:1", "crop.left": None, "crop.width": None},
                   f"the photo has an aspect and no edges: {edit()['own']}")
        give("top", "20%")
        wait_until(page, lambda: edit()["own"]["p0"].get("crop.top") == "20%" and not edit()["own"]["p0"]["crop.aspect"],
                   f"the photo has an edge and no aspect: {edit()['own']}")
        page.locator("input[value=recipe]").check(force=True)
        give("aspect", "3:2")
        wait_until(page, lambda: edit()["filters"] == [{"filter": "crop", "aspect": "3:2"}],
                   f"the recipe has an aspect and no edges: {edit()['filters']}")
        page.keyboard.press("Escape")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press(".")
        wait_for(page, "document.getElementById('name').textContent === 'photo-1.png'", "a photo without own settings opens")
        page.locator("input[value=photo]").check(force=True)
        wait_for(page, f"{ORIGIN} === 'recipe'", "it has the recipe's aspect")
        give("aspect", "")
        wait_until(page, lambda: page.locator("[data-setting=aspect] input").input_value() == "3:2",
                   "an empty field removes no aspect of the recipe with This photo, and says so")
        expect(edit()["filters"] == [{"filter": "crop", "aspect": "3:2"}] and "p1" not in edit()["own"],
               f"nothing changes: {edit()}")
        page.locator("input[value=recipe]").check(force=True)
        give("aspect", "")
        wait_until(page, lambda: edit()["filters"] == [{"filter": "crop"}], "with All photos, it does")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def shapes(browser, library):
    """A frame keeps the aspect of its crop; edges replace the aspect for other photos only if the user wants that."""
    text = json.loads(library.recipe.read_text())
    step = {"filter": "crop", "aspect": "1:1"}
    library.recipe.write_text(json.dumps({**text, "filters": [step]}))
    studio, page, violations = begin(browser, library)
    question = page.get_by_role("dialog", name="Leave the aspect 1:1?")
    facts = "document.getElementById('facts').textContent"

    def edit():
        return json.loads(studio.ask("GET", "/api/session")[1])["edit"]

    def press(name, key):
        page.locator(f"circle[aria-label='Crop, {name}']").press(key)

    def rested():
        page.wait_for_timeout(150)
        wait_for(page, RESTED, "the picture is at rest")

    try:
        page.goto(studio.address)
        wait_for(page, RESTED, "the photo is painted")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("c")
        wait_until(page, lambda: near(corners(page), [1 / 6, 0, 5 / 6, 1], 0.006), "the frame is the square in the middle")
        press("centre", "ArrowRight")
        question.wait_for()
        page.keyboard.press("Escape")
        wait_until(page, lambda: near(corners(page), [1 / 6, 0, 5 / 6, 1], 0.006), "the frame is back")
        expect(edit()["filters"] == [step], f"Cancel changes nothing: {edit()['filters']}")
        drag(page, "centre", [0.1, 0.5])
        wait_until(page, lambda: edit()["filters"] == [{**step, "gravity": "west"}],
                   f"a frame at a side needs no edges: {edit()['filters']}")
        rested()
        press("lower right", "ArrowUp")
        question.get_by_text("Edges for this photo").click()
        wait_until(page, lambda: edit()["own"].get("p0", {}).get("crop.aspect", 1) is None, "the photo has edges")
        expect(page.locator("input[value=photo]").is_checked(), "and the page changes this photo")
        page.locator("input[value=recipe]").check(force=True)
        wait_for(page, f"{ORIGIN} === 'recipe · this photo has its own: none'",
                 "with All photos, the aspect says that the photo has none")
        page.locator("input[value=photo]").check(force=True)
        wait_for(page, f"{ORIGIN} === 'this photo'", "with This photo, it has none")
        rested()
        drag(page, "lower right", [0.5, 0.9])
        rested()
        left, top, right, bottom = corners(page)
        expect(abs((right - left) * 1.5 - (bottom - top)) < 0.02, f"a drag keeps the aspect: {corners(page)}")
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        wait_until(page, lambda: len(set(page.evaluate(facts).split(" · ")[0].split(" × "))) == 1
                   and not page.evaluate(facts).startswith("600"), f"it is a square to the pixel: {page.evaluate(facts)}")
        expect(edit()["filters"] == [{**step, "gravity": "west"}], "the recipe keeps its aspect")
        page.keyboard.press("c")
        wait_for(page, "document.querySelector('#overlay circle') !== null", "the frame is shown again")
        rested()
        drag(page, "lower right", [0.6, 0.5], "Shift")
        wait_until(page, lambda: near(corners(page)[2:], [0.6, 0.5], 0.006), f"Shift leaves the aspect: {corners(page)}")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def levels(browser, library):
    """A line along something level turns the photo so that it is level, also if the photo is flipped afterwards."""
    text = json.loads(library.recipe.read_text())
    steps = [{"filter": "straighten", "angle": 0}, {"filter": "flip"}]
    library.recipe.write_text(json.dumps({**text, "filters": steps}))
    studio, page, violations = begin(browser, library)
    try:
        page.goto(studio.address)
        wait_for(page, RESTED, "the photo is painted")
        page.keyboard.press("l")
        wait_for(page, "document.getElementById('level').getAttribute('aria-pressed') === 'true'", "L draws a line")
        box = page.locator("#overlay").bounding_box()
        page.mouse.move(box["x"] + 100, box["y"] + 100)
        page.mouse.down()
        page.mouse.move(box["x"] + 300, box["y"] + 110, steps=4)
        page.mouse.up()
        # atan(10 / 200) is 2.86 degrees; before the flip, the line falls to the left.
        wait_for(page, "document.querySelector('[data-setting=angle] input[inputmode=decimal]')?.value === '2.86'",
                 "the photo is turned the other way before a flip")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def chosen(browser, library):
    """Of several crops, the key edits the one that is chosen; a text that is no number removes no setting."""
    text = json.loads(library.recipe.read_text())
    filters = [{"filter": "crop", "id": "frame", "left": "10%"}, {"filter": "exposure", "stops": 1.25},
               {"filter": "crop", "id": "final", "left": "20%"}]
    library.recipe.write_text(json.dumps({**text, "filters": filters}))
    studio, page, violations = begin(browser, library)

    def edit():
        return json.loads(studio.ask("GET", "/api/session")[1])["edit"]["filters"]

    try:
        page.goto(studio.address)
        wait_for(page, RESTED, "the photo is painted")
        page.get_by_role("button", name="Exposure", exact=True).press("Enter")
        field = page.locator("[data-setting=stops] input[inputmode=decimal]")
        for typed in ["1e", "-", "1-2"]:
            field.select_text()
            page.keyboard.type(typed)
            page.keyboard.press("Enter")
            wait_for(page, "document.getElementById('message').textContent.includes('not a number')", f"{typed} is refused")
            expect(field.input_value() == "1.25", f"{typed}: the value is shown again: {field.input_value()}")
        for typed, said in [("1,250", "1,250 can mean 1.250 or 1250; the value stays. Type one of these."),
                            ("-12,500", "-12,500 can mean -12.500 or -12500; the value stays. Type one of these.")]:
            field.select_text()
            page.keyboard.type(typed)
            page.keyboard.press("Enter")
            wait_for(page, f"document.getElementById('message').textContent === '{said}'", f"{typed} has two meanings")
        expect(edit() == filters, f"and stays: {edit()}")
        field.select_text()
        page.keyboard.type("2,5")
        page.keyboard.press("Enter")
        wait_until(page, lambda: edit()[1]["stops"] == 2.5, f"a comma is a point: {edit()[1]}")
        for typed, meant in [("0,125", 0.125), ("1.250", 1.25), ("2,5", 2.5)]:
            field.fill(typed)
            field.press("Enter")
            wait_until(page, lambda: edit()[1]["stops"] == meant, f"{typed} is {meant}: {edit()[1]}")
        field.press("ArrowUp")
        field.press("Shift+ArrowDown")
        wait_until(page, lambda: edit()[1]["stops"] == 2.41, f"arrow keys move the number: {edit()[1]}")
        # The field can be replaced by another one at any time, which gets the focus.
        field.focus()
        page.keyboard.press("Control+a")
        page.keyboard.type("1e")
        page.locator("#done").click(delay=400)
        page.wait_for_timeout(500)
        expect(studio.process.poll() is None and page.locator(".ended").count() == 0, "Done does not end while it is refused")
        field.fill("")
        field.press("Enter")
        wait_until(page, lambda: "stops" not in edit()[1], "an empty field resets")
        page.locator("#steps button", has_text="Final").first.press("Enter")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("c")
        wait_for(page, "document.querySelector('#overlay circle') !== null", "there is a frame")
        drag(page, "lower right", [0.8, 0.9])
        wait_until(page, lambda: edit()[2] != filters[2], "the chosen crop changes")
        expect(edit()[0] == filters[0], f"and no other: {edit()}")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)
