"""Steps, settings and photos are found and reached by keys, and stay where they are."""

from harness import PAINTED, RESTED, begin, expect, finish, wait_for
from oddities import complaints

MESSAGE = "document.getElementById('message').textContent"
CHOSEN = "document.getElementById('controls-title').textContent"
FOCUS = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"


def reached(browser, library):
    """A search puts the exact name first; settings stay in place; the focus stays in sight."""
    studio, page, violations = begin(browser, library)

    def add(words, name):
        page.locator("#add").focus()
        page.keyboard.press("Enter")
        page.keyboard.type(words)
        page.keyboard.press("Enter")
        wait_for(page, f"{CHOSEN} === '{name}'", f"'{words}' adds {name}: {page.evaluate(CHOSEN)}")

    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        add("levels", "Levels")
        add("white balance", "White balance-2 · White balance")
        add("toneEqualizer", "Tone equalizer")
        page.locator("#add").click()
        page.locator("dialog input[type=search]").fill("no such step")
        expect("Nothing has these words" in page.locator("dialog ul").text_content(), "an empty list says so")
        page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        wait_for(page, "!document.querySelector('dialog')", "the dialog closes")
        add("curves", "Curves")
        box = page.evaluate("(({ top, bottom }) => [top, bottom])(document.activeElement.getBoundingClientRect())")
        expect(page.evaluate("document.getElementById('settings').scrollTop") == 0 and box[0] < 900,
               f"the first control of a curve has the focus, and is in sight: {box} {page.evaluate(FOCUS)}")
        add("hsl", "HSL")
        rows = "[...document.querySelectorAll('#settings > [data-setting]')].map((e) => e.dataset.setting).join()"
        before = page.evaluate(rows)
        slider = page.locator("[data-setting=orangeHue] input[type=range]")
        place = slider.bounding_box()
        page.mouse.click(place["x"] + 0.7 * place["width"], place["y"] + place["height"] / 2)
        page.wait_for_timeout(120)
        page.mouse.down(click_count=2)
        page.mouse.up(click_count=2)
        number = "document.querySelector('[data-setting=orangeHue] input[inputmode=decimal]').value"
        wait_for(page, f"{number} === '0'", f"a double click resets the slider: {page.evaluate(number)} {page.evaluate(rows)}")
        expect(page.evaluate(rows) == before, f"the settings stay where they are: {page.evaluate(rows)}")
        expect("Add HSL" in page.locator("#undo").get_attribute("title"), "a click that only begins it is no change")
        page.get_by_role("button", name="Exposure", exact=True).click()
        field = page.locator("[data-setting=stops] input[inputmode=decimal]")
        field.fill("99")
        field.press("Enter")
        wait_for(page, f"{MESSAGE}.includes('out of range')", "a wrong value is refused")
        field.fill("1")
        field.press("Enter")
        wait_for(page, f"{MESSAGE} === ''", "the refusal ends with the next change")
        page.get_by_role("button", name="White balance", exact=True).click()
        pick = page.get_by_role("button", name="Pick a grey point")
        pick.focus()
        name = page.evaluate(FOCUS)
        pick.press("Enter")
        page.locator("#overlay .cross").wait_for(state="attached")
        page.keyboard.press("Escape")
        wait_for(page, f"({FOCUS}) === '{name}'", f"the focus is on the button again: {page.evaluate(FOCUS)}")
        wait_for(page, RESTED, "the photo is painted")
        page.locator("#cells").focus()
        page.keyboard.press(" ")
        page.keyboard.press("ArrowRight")
        wait_for(page, "document.getElementById('name').textContent === 'photo-1.png'", "the next photo opens")
        page.keyboard.press(" ")
        wait_for(page, "document.querySelectorAll('.cell.marked').length === 2", "Space marks photos")
        page.keyboard.press(" ")
        wait_for(page, "document.querySelectorAll('.cell.marked').length === 1", "and unmarks them")
        expect(complaints(violations) == [], f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)
