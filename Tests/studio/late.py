"""Keys and clicks that come before the page shows what they are for: they wait, and are not lost."""

import json

from crops import drag
from handles import label, recipe
from harness import PAINTED, RESTED, begin, expect, finish, wait_for, wait_until

NAME = "document.getElementById('name').textContent"
FOCUS = "document.activeElement.getAttribute('aria-label')"
# Requests whose paths have one of these parts take longer, in milliseconds; so do pictures.
SLOWLY = """(() => {
  const fetch = window.fetch;
  window.slow = {};
  window.fetch = async (path, ...more) => {
    const [, time = 0] = Object.entries(window.slow).find(([part]) => path.includes(part)) ?? [];
    await new Promise((resolve) => setTimeout(resolve, time));
    return fetch(path, ...more);
  };
  const decode = window.createImageBitmap;
  window.createImageBitmap = async (...given) => {
    await new Promise((resolve) => setTimeout(resolve, window.slow.picture ?? 0));
    return decode(...given);
  };
})()"""
MASKED = recipe(
    {"filter": "exposure", "stops": 0.5, "mask": {"radial": {"center": [0.5, 0.5], "radius": 0.3}}},
    {"filter": "clarity", "amount": 0.3})


def opened(browser, library, text=MASKED):
    """Starts a studio whose requests can be slow; returns it, its page, what the browser complains about, and its edit."""
    library.recipe.write_text(text)
    studio, page, violations = begin(browser, library)
    page.add_init_script(SLOWLY)
    page.goto(studio.address)
    wait_for(page, PAINTED, "the photo is painted")
    wait_for(page, RESTED, "and rests")
    return studio, page, violations, lambda: json.loads(studio.ask("GET", "/api/session")[1])["edit"]


def late(browser, library):
    """Keys and clicks while a photo opens act on this photo, in their order; a handle keeps the focus."""
    studio, page, violations, edit = opened(browser, library)

    def press(*keys):
        for key in keys:
            page.keyboard.press(key)

    def own(photo):
        return edit()["own"].get(photo, {})

    try:
        page.locator("input[value=photo]").check(force=True)
        page.locator("[data-setting=stops] input[type=range]").focus()
        page.evaluate("window.slow = { '/api/photos/p': 80, '/api/edit': 40 }")
        press(".", "ArrowRight", "ArrowRight", ".", "ArrowLeft")
        wait_until(page, lambda: own("p1") == {"exposure.stops": 0.52} and own("p2") == {"exposure.stops": 0.49},
                   f"keys on a slider act on the photo that opens: {edit()['own']}")
        expect(own("p0") == {}, "and not on the one before")
        expect(page.evaluate(FOCUS) == "Stops" and page.evaluate(NAME) == "photo-2.png", "the slider keeps the focus")
        press("ArrowRight", ".", ".", "ArrowRight")
        wait_until(page, lambda: own("p4") == {"exposure.stops": 0.51}, f"two photos further: {edit()['own']}")
        expect(own("p3") == {}, "the one between stays as it is")
        press(",")
        page.evaluate("() => document.getElementById('invert').click()")
        wait_until(page, lambda: own("p3").get("exposure.mask", {}).get("invert") is True, f"so do clicks: {edit()['own']}")
        press("Control+c", ",", "Control+v", ".")
        wait_until(page, lambda: own("p2") == {"exposure.stops": 0.5, **own("p3")}, "and pasting")
        wait_for(page, f"{NAME} === 'photo-3.png'", "the keys behind it come last")
        page.locator(label("centre")).focus()
        # No picture of the photo behind the next one has come in advance.
        page.evaluate("window.slow = { '/api/photos/p': 80, picture: 1500 }")
        press(".")
        wait_for(page, f"{NAME} === 'photo-4.png' && {FOCUS} === 'Mask, centre'", "a handle has the focus on the next photo, too")
        press(".", "ArrowRight", "ArrowRight")
        wait_until(page, lambda: own("p5").get("exposure.mask", {}).get("radial", {}).get("center", [0])[0] > 0.509,
                   "its keys act there, even if its picture takes long")
        expect("exposure.mask" not in own("p4"), "and not on the one before")
        expect(page.evaluate(FOCUS) == "Mask, centre", "and it keeps the focus")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def hasty(browser, library):
    """A frame of a crop that is moved before its last change is made starts from this change."""
    studio, page, violations, edit = opened(browser, library, recipe({"filter": "crop", "aspect": "1:1"}))
    try:
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("c")
        wait_for(page, "document.querySelector('#overlay circle') !== null", "there is a frame")
        page.evaluate("window.slow = { '/api/edit': 700 }")
        drag(page, "centre", [0.4, 0.5])
        page.get_by_text("Edges for all photos").click()
        for place in [0.3, 0.45]:
            drag(page, "centre", [place, 0.5])
            page.wait_for_timeout(100)
            expect(page.locator("dialog").count() == 0, f"the page asks once, and not again at {place}")
        wait_until(page, lambda: (edit()["filters"][0].get("left") or "").startswith("11.6"), "the last place counts")
        expect("gravity" not in edit()["filters"][0], f"edges need no gravity: {edit()['filters']}")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def patient(browser, library):
    """A save that takes its time says so until it ends, also if it fails."""
    studio, page, _, _ = opened(browser, library)
    message = "document.getElementById('message').textContent"

    def change(stops):
        field = page.locator("[data-setting=stops] input[inputmode=decimal]")
        field.fill(stops)
        field.press("Enter")
        wait_for(page, "!document.getElementById('save').disabled", "there is something to save")
        page.keyboard.press("Control+s")
        wait_for(page, f"{message} === 'Saving takes a while.'", "the page says that a save takes its time")

    try:
        page.evaluate("window.slow = { '/api/save': 8000 }")
        change("1")
        page.wait_for_timeout(6500)
        expect(page.evaluate(message) == "Saving takes a while.", f"it still does: {page.evaluate(message)}")
        wait_for(page, f"{message} === 'Saved the recipe.'", "until it is saved")
        page.route("**/api/save", lambda route: route.fulfill(status=500, json={"message": "the disk failed", "hint": ""}))
        page.evaluate("window.slow = { '/api/save': 1000 }")
        change("2")
        page.locator("dialog").get_by_text("The disk failed.").wait_for()
        expect("Saving" not in page.evaluate(message), f"a save that fails has ended: {page.evaluate(message)}")
    finally:
        finish(studio, page)


def undone(browser, library):
    """Keys right after Ctrl+Z continue from the state before the movement that is undone."""
    studio, page, violations, edit = opened(browser, library)
    try:
        page.evaluate("window.slow = { '/api/undo': 60, '/api/edit': 60 }")
        page.locator("[data-setting=stops] input[type=range]").focus()
        for key in ["ArrowRight", "Control+z", "ArrowLeft"]:
            page.keyboard.press(key)
        wait_until(page, lambda: edit()["filters"][0]["stops"] == 0.49, f"a slider: {edit()['filters'][0]}")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Control+z")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Control+z")
        page.keyboard.press("Control+z")
        wait_until(page, lambda: "undo" not in edit() and edit()["filters"][0]["stops"] == 0.5,
                   f"each undo takes back what comes before it: {edit()['filters'][0]}")
        page.locator(label("centre")).focus()
        for key in ["ArrowRight", "Control+z", "ArrowLeft"]:
            page.keyboard.press(key)
        wait_until(page, lambda: edit()["filters"][0]["mask"]["radial"]["center"] == [0.495, 0.5],
                   f"a handle: {edit()['filters'][0]['mask']}")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def meant(browser, library):
    """A change that takes its time is made for the photo, and for the scope, for which it was meant."""
    studio, page, violations, edit = opened(
        browser, library, recipe({"filter": "whiteBalance"}, {"filter": "exposure", "stops": 0.5}))
    stops = "document.querySelector('[data-setting=stops] input[inputmode=decimal]').value"
    try:
        page.locator("input[value=photo]").check(force=True)
        page.get_by_role("button", name="Pick a grey point").press("Enter")
        wait_for(page, "document.querySelector('#overlay .cross') !== null", "a cross shows the place")
        page.evaluate("window.slow = { '/api/grey': 100, '/api/edit': 60 }")
        page.keyboard.press("Enter")
        page.keyboard.press(".")
        wait_for(page, f"{NAME} === 'photo-1.png'", "the next photo opens")
        expect("whiteBalance.tint" in edit()["own"]["p0"] and not edit()["own"].get("p1"),
               f"the grey point is that of the photo on which it was chosen: {edit()['own']}")
        page.get_by_role("button", name="Exposure", exact=True).press("Enter")
        page.evaluate("""() => {
          document.querySelector("input[value=recipe]").click();
          document.querySelector("[aria-label='whiteBalance, turn off']").click();
          document.querySelector("input[value=photo]").click();
          document.querySelector("[aria-label='exposure, turn off']").click();
        }""")
        wait_until(page, lambda: edit()["own"].get("p1") == {"exposure.enabled": False},
                   f"a click after 'This photo' is for this photo: {edit()}")
        expect(edit()["filters"][0].get("enabled") is False and "enabled" not in edit()["filters"][1],
               f"and one before it for all: {edit()['filters']}")
        page.keyboard.press("Control+z")
        wait_until(page, lambda: not edit()["own"]["p1"], "which can be undone")
        field = page.locator("[data-setting=stops] input[inputmode=decimal]")
        field.fill("2")
        field.press("Enter")
        wait_until(page, lambda: edit()["own"]["p1"] == {"exposure.stops": 2}, "a photo has its own setting")
        page.evaluate("() => document.activeElement.blur()")
        for key, name in [(".", "photo-2.png"), (",", "photo-1.png")]:
            page.keyboard.press(key)
            wait_for(page, f"{NAME} === '{name}'", f"{name} opens")
        wait_for(page, f"{stops} === '2'", "it is shown when the photo opens again")
        page.keyboard.press("Control+z")
        wait_for(page, f"{stops} === '0.5'", "and no longer after undo")
        page.evaluate("window.slow = { '/api/photos/p1': 400 }")
        page.keyboard.press("Control+s")
        wait_for(page, "document.getElementById('message').textContent.startsWith('Saved')", "a change is saved")
        page.keyboard.press(".")
        wait_for(page, f"{NAME} === 'photo-2.png'", "the next photo opens")
        page.wait_for_timeout(600)
        wait_for(page, RESTED, "it is shown", timeout=5000)
        field = page.locator("[data-setting=stops] input[inputmode=decimal]")
        field.fill("1")
        field.press("Enter")
        wait_until(page, lambda: edit()["own"].get("p2") == {"exposure.stops": 1},
                   f"a change is that of the photo that is open: {edit()['own']}")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)
