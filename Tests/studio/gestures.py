"""Gestures that meet other changes: nothing is lost, sent twice, or made for another photo or step."""

import json
import os
import re

from handles import centre, label, recipe
from harness import PAINTED, RESTED, begin, expect, finish, wait_for, wait_until

NAME = "document.getElementById('name').textContent"
RUN = "document.getElementById('run').textContent"
MESSAGE = "document.getElementById('message').textContent"
CROPPED = recipe(
    {"filter": "crop", "left": 0.1, "top": 0.1, "width": 0.8, "height": 0.8},
    {"filter": "clarity", "amount": 0.3, "mask": {"radial": {"center": [0.5, 0.5], "radius": 0.3}}})


def opened(browser, library):
    """Starts a studio with a crop and a mask; returns it, its page, what the browser complains about, and its edit."""
    library.recipe.write_text(CROPPED)
    studio, page, violations = begin(browser, library)
    page.goto(studio.address)
    wait_for(page, PAINTED, "the photo is painted")
    wait_for(page, RESTED, "and rests")
    return studio, page, violations, lambda: json.loads(studio.ask("GET", "/api/session")[1])["edit"]


def hold(page, name, to):
    """Moves a handle to a place of the picture, 0…1, and does not let it go."""
    box = page.locator("#picture").bounding_box()
    for place, steps in [(centre(page, name), 1), (to, 4)]:
        page.mouse.move(box["x"] + place[0] * box["width"], box["y"] + place[1] * box["height"], steps=steps)
        page.mouse.down()


def held(browser, library):
    """Keys during a drag have no effect: the drag ends where, and on the photo where, it began."""
    studio, page, violations, edit = opened(browser, library)
    try:
        page.locator("input[value=photo]").check(force=True)
        page.get_by_role("button", name="Clarity", exact=True).press("Enter")
        page.locator(label("centre")).wait_for()
        page.evaluate("() => document.activeElement.blur()")
        hold(page, "centre", [0.3, 0.3])
        for key in [".", "c", "z", "g", "Control+z", "Control+s"]:
            page.keyboard.press(key)
        page.wait_for_timeout(200)
        page.mouse.up()
        wait_until(page, lambda: list(edit()["own"]) == ["p0"], f"the drag is the first photo's: {edit()['own']}")
        expect(edit()["own"]["p0"]["clarity.mask"]["radial"]["center"] == [0.3, 0.3], "and has its last place")
        page.keyboard.press(".")
        wait_for(page, f"{NAME} === 'photo-1.png'", "afterwards, keys have an effect again")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def typed(browser, library):
    """A text that is not a value is sent once, when its field is left, although other changes are made."""
    studio, page, violations, edit = opened(browser, library)
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/api/edit") else None)
    try:
        page.keyboard.press("c")
        handle = page.locator("circle[aria-label='Crop, centre']")
        handle.wait_for()
        field = page.locator("[data-setting=height] input").first
        field.fill("")
        field.type("0.8 m")
        box = handle.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + 60, box["y"] + 20, steps=3)
        size = page.locator("#facts").text_content()
        expect(re.fullmatch(r"\d+ × \d+", size), f"the frame's size is shown while it moves: {size}")
        page.mouse.up()
        wait_until(page, lambda: edit()["filters"][0]["left"] != 0.1, "the drag is a change")
        page.wait_for_timeout(500)
        expect(len(sent) == 1, f"and the only one: {len(sent)}")
        expect(page.evaluate("document.activeElement.value") == "0.8 m", "the text stays")
        expect(not violations, f"the browser complains: {violations[:5]}")
        page.keyboard.press("Enter")
        wait_for(page, f"{MESSAGE} !== ''", "Enter sends it, and its error is shown")
        expect(len(sent) == 2, f"it is sent once: {len(sent)}")
        page.locator("[data-setting=height] input").first.select_text()
        studio.ask("POST", "/api/edit", {"label": "Width", "operations": [{"set": "crop.width", "value": 0.77}]})
        wait_until(page, lambda: page.locator("[data-setting=width] input").first.input_value() in ["0.77", "77%", "77 %"],
                   "a change from elsewhere is shown")
        page.keyboard.insert_text("0.71")
        expect(page.evaluate("document.activeElement.value") == "0.71", "what is typed replaces the text that was selected")
        page.keyboard.press("Enter")
        wait_until(page, lambda: edit()["filters"][0]["height"] == 0.71, "and is a change")
        page.locator("[data-setting=left] input").first.fill("x")
        # The change is refused before the button is let go.
        page.locator("#done").click(delay=400)
        wait_until(page, lambda: len(sent) == 4, "Done sends what is typed")
        page.wait_for_timeout(500)
        expect(studio.process.poll() is None and page.locator(".ended").count() == 0,
               "and does not end while it is refused")
    finally:
        finish(studio, page)


def quick(browser, library):
    """A change right after a movement by keys keeps it; Cancel right after a save says what became of it."""
    studio, page, violations, edit = opened(browser, library)
    try:
        page.keyboard.press("c")
        page.locator("circle[aria-label='Crop, upper left']").focus()
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        wait_until(page, lambda: edit()["filters"][0] == {
            "filter": "crop", "left": "12%", "top": 0.1, "width": "78%", "height": 0.8},
            f"sides that stay keep their spelling: {edit()['filters'][0]}")
        corner = "document.querySelector('circle[aria-label=\\'Crop, upper left\\']')?.ariaValueText"
        page.keyboard.press("Control+z")
        wait_for(page, f"{corner} === '10 %, 10 %'", "the frame follows undo")
        page.keyboard.press("Control+Shift+z")
        wait_for(page, f"{corner} === '12 %, 10 %'", "and redo")
        page.keyboard.press("c")
        page.get_by_role("button", name="Clarity", exact=True).press("Enter")
        page.locator(label("centre")).focus()
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        page.get_by_label("Remove: clarity").click()
        wait_until(page, lambda: len(edit()["filters"]) == 1, "a step can be removed at once")
        page.keyboard.press("Control+z")
        wait_until(page, lambda: len(edit()["filters"]) == 2, "undo brings it back")
        place = edit()["filters"][1]["mask"]["radial"]["center"]
        expect(place[0] > 0.51, f"with the movement: {place}")
        page.get_by_role("button", name="Clarity", exact=True).press("Enter")
        page.locator("[data-setting=amount] input[type=range]").focus()
        for key in ["ArrowRight", "Control+s", "ArrowRight", "ArrowRight"]:
            page.keyboard.press(key)
        wait_until(page, lambda: edit()["filters"][1]["amount"] == 0.33, "keys right after a save act on the same slider")
        page.keyboard.press("Control+s")
        page.locator("#cancel").click()
        page.locator(".ended").wait_for()
        expect("What was saved before stays" in page.locator(".ended").text_content(), "Cancel names what was saved")
        expect("78%" in library.recipe.read_text(), "which is in the file")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def doubled(browser, library):
    """Removing, moving and turning off a step, and saving, twice in quick succession."""
    library.recipe.write_text(recipe(*({"filter": name} for name in ["exposure", "clarity", "vignette"])))
    studio, page, violations = begin(browser, library)

    def edit():
        return json.loads(studio.ask("GET", "/api/session")[1])["edit"]

    def names():
        return [step["filter"] for step in edit()["filters"]]

    try:
        page.goto(studio.address)
        wait_for(page, RESTED, "the photo is painted")
        page.get_by_label("Remove: exposure").focus()
        for _ in range(2):
            page.keyboard.press("Enter")
        wait_until(page, lambda: names() == ["clarity", "vignette"], f"a key that is pressed twice removes one step: {names()}")
        wait_for(page, "document.querySelector('#step-list .chosen .name')?.textContent === 'Clarity'",
                 "the next step is chosen")
        button = page.get_by_label("Remove: clarity").bounding_box()
        place = [button["x"] + button["width"] / 2, button["y"] + button["height"] / 2]
        page.mouse.click(*place)
        wait_for(page, "document.querySelector('#step-list .chosen .name')?.textContent === 'Vignette'",
                 "a click removes it, and the next one has its place")
        page.mouse.down(click_count=2)
        page.mouse.up(click_count=2)
        page.wait_for_timeout(300)
        expect(names() == ["vignette"], f"a double click removes one step: {names()}")
        page.keyboard.press("Control+z")
        page.keyboard.press("Control+z")
        wait_until(page, lambda: len(names()) == 3, "undo brings both back")
        page.get_by_role("button", name="Vignette", exact=True).press("Enter")
        page.get_by_label("Move up: vignette").focus()
        for _ in range(2):
            page.keyboard.press("Enter")
        wait_until(page, lambda: names() == ["vignette", "exposure", "clarity"], f"it moves up twice: {names()}")
        wait_for(page, "document.activeElement.ariaLabel === 'Move up: vignette'", "and the button keeps the focus")
        page.evaluate("""() => {
          const key = { key: "s", ctrlKey: true, bubbles: true, cancelable: true };
          for (let n = 0; n < 2; n += 1) document.activeElement.dispatchEvent(new KeyboardEvent("keydown", key));
        }""")
        wait_until(page, lambda: "vignette" in library.recipe.read_text().split("exposure")[0], "the recipe is saved")
        page.wait_for_timeout(500)
        expect(page.evaluate(MESSAGE) == "Saved the recipe.", f"a second Save says nothing else: {page.evaluate(MESSAGE)}")
        page.evaluate("""() => {
          for (let n = 0; n < 2; n += 1) document.querySelector("[aria-label='vignette, turn off']").click();
        }""")
        wait_until(page, lambda: edit()["filters"][0].get("enabled") is True, f"off and on: {edit()['filters']}")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def ending(browser, library):
    """The question whether to stop a run closes when the run ends; then the studio ends, unless photos have failed."""
    for number in range(6, 70):
        os.link(library.folder / "photo-1.png", library.folder / f"photo-{number}.png")
    bad = library.folder / "photo-70.png"
    bad.write_bytes(bad.with_name("photo-1.png").read_bytes()[:500])
    studio, page, violations = begin(browser, library)
    ended = page.locator(".ended")
    question = page.locator("dialog[aria-label='Stop the run?']")

    def done_while_it_runs():
        wait_for(page, f"{RUN}.startsWith('Run ')", "photos are due")
        page.locator("#run").click()
        wait_for(page, f"{RUN}.startsWith('Stop · ')", "a run begins")
        # Twice, as by an impatient person.
        page.evaluate("() => { for (let n = 0; n < 2; n += 1) document.getElementById('done').click(); }")
        question.wait_for()
        expect(question.count() == 1, "Done asks once whether to stop it")

    try:
        page.goto(studio.address)
        wait_for(page, RESTED, "the photo is painted")
        done_while_it_runs()
        failed = page.locator("dialog[aria-label='1 photo failed']")
        failed.wait_for()
        expect(question.count() == 0 and ended.count() == 0 and studio.process.poll() is None,
               "at the end of the run, the question closes, and the page says what failed instead of ending")
        page.get_by_role("button", name="Close", exact=True).click()
        bad.unlink()
        field = page.locator("[data-setting=stops] input[inputmode=decimal]")
        field.fill("2")
        field.press("Enter")
        wait_for(page, "!document.getElementById('save').disabled", "there is a change")
        page.locator("#save").click()
        wait_for(page, "document.getElementById('save').disabled", "which is saved")
        done_while_it_runs()
        ended.wait_for()
        expect(studio.process.wait(20) == 0, "without failures, Done ends the studio")
        expect(len(list((library.folder / "out").glob("*.jpg"))) == 70, "after the run")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)
