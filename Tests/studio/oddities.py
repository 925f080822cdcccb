"""Files that the page did not write, files that vanish, and requests that fail: the page says so, and goes on."""

import json
import signal
import subprocess

from harness import PAINTED, PHBATCH, RECIPE, RESTED, Studio, begin, expect, finish, send, wait_for, watched, workers

MESSAGE = "document.getElementById('message').textContent"
NAME = "document.getElementById('name').textContent"
RUN = "document.getElementById('run').textContent"
CHOSEN = "document.getElementById('mask').selectedOptions[0].textContent"


def complaints(violations):
    """What the browser complains about, except refused requests."""
    return [text for text in violations if "Failed to load resource" not in text]


def wrong(browser, library):
    """A sidecar that was edited by hand has something else in place of a mask."""
    subprocess.run([PHBATCH, "run", library.recipe, library.folder], capture_output=True, check=True)
    subprocess.run([PHBATCH, "adjust", library.folder / "photo-1.png", "--set", "exposure.stops=1"],
                   capture_output=True, check=True)
    sidecar = library.folder / "photo-1.png.phbatch.json"
    text = sidecar.read_text()
    context = browser.new_context()
    shown = {"5": "other", "{\"radial\": 5}": "radial", "{\"polygon\": {}}": "polygon"}
    for mask, name in shown.items():
        sidecar.write_text(text.replace("\"exposure.stops\": 1", f"\"exposure.mask\": {mask}"))
        studio = Studio(library)
        violations = []
        page = watched(context, violations)
        try:
            page.goto(studio.address)
            wait_for(page, PAINTED, "the photo is painted")
            page.keyboard.press(".")
            wait_for(page, f"{NAME} === 'photo-1.png'", "the photo with the mask opens")
            wait_for(page, f"{MESSAGE}.startsWith('the photo\\'s own settings are invalid')",
                     f"the page says that {mask} is no mask")
            page.locator("input[value=photo]").check(force=True)
            expect(page.evaluate(CHOSEN) == name, f"its control is there: {page.evaluate(CHOSEN)}")
            page.locator("input[value=photo]").check(force=True)
            page.get_by_label("Mask", exact=True).select_option("none")
            wait_for(page, "!document.getElementById('save').disabled", "it can be removed")
            page.locator("#save").click()
            wait_for(page, f"{MESSAGE} === 'Saved settings of 1 photo.'", "and that can be saved")
            expect('"exposure.mask": null' in sidecar.read_text(), "then the photo has no mask")
            wait_for(page, RESTED, "the picture is shown")
            expect(complaints(violations) == [], f"the browser complains: {violations[:5]}")
        finally:
            page.close()
            studio.end()
    context.close()


def lists(browser, library):
    """A step with a list of objects, and a colour of six digits, have controls with their values."""
    library.recipe.write_text(json.dumps({
        "identifier": "org.example.studio", "version": "1.0.0",
        "filters": [{"filter": "exposure", "stops": 0.5},
                    {"filter": "heal", "spots": [{"at": [0.5, 0.5], "radius": "2%"}]},
                    {"filter": "background", "colour": "#1a2b3c"}],
        "outputs": [{"name": "out", "format": "jpeg", "path": "out/{stem}.jpg"}]}))
    studio, page, violations = begin(browser, library)
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        shown = {"Heal": ("spots", "[{\"at\":[0.5,0.5],\"radius\":\"2%\"}]"), "Background": ("colour", "#1a2b3c")}
        for name, (setting, text) in shown.items():
            page.get_by_role("button", name=name, exact=True).press("Enter")
            wait_for(page, f"document.getElementById('controls-title').textContent === '{name}'",
                     f"{name} has a panel")
            found = page.evaluate(f"document.querySelector('[data-setting={setting}] input').value")
            expect(found == text, f"{setting} is shown: {found}")
            expect(page.locator("[data-setting=stops]").count() == 0, "and no setting of another step")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def vanished(browser, library):
    """A photo that is removed while it is open, and a recipe that is damaged during a movement."""
    studio, page, violations = begin(browser, library)

    def stops():
        return page.locator("[data-setting=stops] input[inputmode=decimal]")

    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        box = page.locator("[data-setting=stops] input[type=range]").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + 0.7 * box["width"], box["y"] + box["height"] / 2, steps=3)
        library.recipe.write_text("{ damaged")
        page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2, steps=3)
        page.mouse.up()
        wait_for(page, "document.getElementById('undo').title.includes('Stops')", "the movement is a change")
        page.locator("#save").click()
        page.locator("dialog").wait_for()
        expect("changed by another program" in page.locator("dialog").text_content()
               and library.recipe.read_text() == "{ damaged", "the other change is not overwritten")
        page.keyboard.press("Escape")
        library.recipe.write_text(RECIPE)
        page.locator("#save").click()
        wait_for(page, f"{MESSAGE} === 'Saved the recipe.'", "then the recipe can be saved")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press(".")
        wait_for(page, f"{NAME} === 'photo-1.png'", "the next photo opens")
        wait_for(page, RESTED, "its picture is shown")
        (library.folder / "photo-1.png").unlink()
        page.locator("input[value=photo]").check(force=True)
        stops().fill("2")
        stops().press("Enter")
        wait_for(page, "!document.getElementById('save').disabled", "its settings can be changed")
        page.locator("#save").click()
        page.locator("dialog").wait_for()
        expect("photo-1.png: the photo no longer exists" in page.locator("dialog").text_content(),
               "a save says that the photo is gone")
        page.keyboard.press("Escape")
        wait_for(page, f"{MESSAGE}.includes('No such file')", "and so does the page")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press(",")
        wait_for(page, f"!{MESSAGE} && ({RESTED})", "another photo has a picture, and no error")
        expect(complaints(violations) == [], f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def failing(browser, library):
    """Errors of requests stay in sight until the requests succeed."""
    subprocess.run([PHBATCH, "run", library.recipe, library.folder], capture_output=True, check=True)
    studio, page, violations = begin(browser, library)
    error = json.dumps({"message": "the disk failed", "hint": "try again"})

    def fail(path):
        page.route(path, lambda route: route.fulfill(status=409, body=error, content_type="application/json"))

    def unread(route):
        """The answer to a reversion after which the library could not be read again."""
        answer = route.fetch()
        facts = answer.json()
        if "revision" in facts:
            facts["unread"] = {"message": "the library could not be read again: it is away",
                               "hint": "end the studio and open it again"}
        route.fulfill(response=answer, json=facts)

    try:
        fail("**/api/check")
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        said = "The check failed: the disk failed; try again"
        wait_for(page, f"{MESSAGE} === '{said}'", "a check that fails says so")
        halted = workers(studio.process.pid)
        send(signal.SIGSTOP, halted)
        page.locator(".cell").nth(4).click()
        wait_for(page, f"{NAME} === 'photo-4.png'", "another photo opens")
        page.keyboard.press("Control+c")
        wait_for(page, f"{MESSAGE}.endsWith('own settings of photo-4.png.')", "something else is said")
        expect(page.evaluate(MESSAGE).startswith(said), "the error stays")
        send(signal.SIGCONT, halted)
        wait_for(page, RESTED, "the photo is painted, first as a draft")
        expect(page.evaluate(MESSAGE).endswith("own settings of photo-4.png."), "what was said stays too")
        page.locator(".cell").nth(1).click()
        wait_for(page, f"{NAME} === 'photo-1.png' && ({RESTED})", "another photo is painted")
        page.unroute("**/api/check")
        unreadable = {"due": 0, "unread": 1, "problems": ["cannot read 'secret': Permission denied"]}
        page.route("**/api/check", lambda route: route.fulfill(json=unreadable), times=1)
        page.locator("#run").click()
        wait_for(page, f"{RUN} === 'Not all can be read'", "a folder that cannot be read is not up to date")
        expect(unreadable["problems"][0] in page.evaluate(MESSAGE), f"it is named: {page.evaluate(MESSAGE)}")
        page.locator("#run").click()
        wait_for(page, f"{RUN} === 'Up to date'", "the next check succeeds")
        expect("check" not in page.evaluate(MESSAGE) and "secret" not in page.evaluate(MESSAGE), "and ends the errors")
        page.route("**/api/revert", unread)
        fail("**/api/photos/p1")
        page.locator("#history").click()
        page.get_by_role("button", name="Revert this photo").click()
        page.get_by_role("button", name="Revert", exact=True).click()
        wait_for(page, f"{MESSAGE}.endsWith('Reverted 1 photo.')", "the page says that the photo is reverted")
        text = page.evaluate(MESSAGE)
        expect("the library could not be read again: it is away; end the studio" in text
               and "the disk failed; try again" in text, f"and what failed afterwards: {text}")
        expect(not (library.folder / "out/photo-1.jpg").exists(), "the rendition is gone")
        page.unroute("**/api/photos/p1")
        page.unroute("**/api/revert")
        page.keyboard.press(",")
        wait_for(page, f"{NAME} !== 'photo-1.png' && ({RESTED})", "another photo opens")
        expect("read again" in page.evaluate(MESSAGE) and "disk" not in page.evaluate(MESSAGE),
               "the error of the library stays, that of the photo does not")
        field = page.locator("[data-setting=stops] input[inputmode=decimal]")
        field.fill("1")
        field.press("Enter")
        wait_for(page, "!document.getElementById('save').disabled", "there is something to save")
        page.locator("#save").click()
        wait_for(page, f"{MESSAGE} === 'Saved the recipe.'", "a save reads the library, which ends the error")
        expect(complaints(violations) == [], f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)
