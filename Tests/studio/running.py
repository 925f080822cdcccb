"""What the page says and allows while a run is in progress, and after it."""

import json
import os
import signal

from harness import PAINTED, begin, expect, finish, send, wait_for, wait_until, workers

MESSAGE = "document.getElementById('message').textContent"
RUN = "document.getElementById('run').textContent"
FOCUS = "document.activeElement.id"
STOPS = "[data-setting=stops] input[type=number]"


def change(page, stops):
    page.locator(STOPS).fill(stops)
    page.locator(STOPS).press("Enter")
    wait_for(page, "!document.getElementById('save').disabled", "there is something to save")
    page.locator("#save").click()
    wait_for(page, f"{MESSAGE}.startsWith('Saved')", "it is saved")


def counted(browser, library):
    """A run says how many photos it has rendered, and leaves the focus where it is."""
    studio, page, violations = begin(browser, library)
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        wait_for(page, f"{RUN} === 'Run 6 ▸'", "photos are due")
        page.locator("#run").focus()
        page.keyboard.press("Enter")
        wait_for(page, f"{RUN} === 'Up to date'", "the run ends")
        expect(page.evaluate(MESSAGE) == "Ran: 6 photos rendered.", f"it says what it has done: {page.evaluate(MESSAGE)}")
        expect(page.evaluate(FOCUS) == "run", f"the focus stays: {page.evaluate(FOCUS)}")
        page.keyboard.press("Enter")
        page.locator("input[name=scope][value=photo]").check()
        change(page, "1.5")
        wait_for(page, f"{RUN} === 'Run 1 ▸'", "one is due again")
        page.locator("#run").click()
        wait_for(page, f"{RUN} === 'Up to date'", "the second run ends")
        said = page.evaluate(MESSAGE)
        expect(said == "Ran: 1 photo rendered, 5 unchanged.", f"photos that were up to date are not counted: {said}")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def meanwhile(browser, library):
    """During a run, saving and reverting photos' settings is refused, and names the run; nothing is lost."""
    for number in range(6, 300):
        os.link(library.folder / "photo-1.png", library.folder / f"photo-{number}.png")
    studio, page, _ = begin(browser, library)
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.locator("input[name=scope][value=photo]").check()
        change(page, "1.5")
        wait_for(page, f"{RUN} === 'Run 300 ▸'", "photos are due")
        page.locator("#run").click()
        wait_for(page, f"/^Stop · [1-9]/.test({RUN})", "a run begins")
        # The run does not end while its workers are halted.
        halted = workers(studio.process.pid)
        send(signal.SIGSTOP, halted)
        page.locator(STOPS).fill("1")
        page.locator(STOPS).press("Enter")
        wait_for(page, "!document.getElementById('save').disabled", "the page goes on")
        page.locator("#save").click()
        dialog = page.locator("dialog")
        dialog.wait_for()
        said = dialog.text_content()
        expect("a run of this studio is in progress" in said and "wait until it ends, or stop it, then try again" in said,
               f"a save is refused: {said}")
        dialog.get_by_text("Close").click()
        expect(page.evaluate(RUN).startswith("Stop"), "the run goes on")
        wish = {"photo": "p0", "whole": True}
        wish["ticket"] = json.loads(studio.ask("POST", "/api/revert", wish)[1])["ticket"]
        status, text, _ = studio.ask("POST", "/api/revert", wish)
        expect(status == 423 and b"a run of this studio is in progress" in text, f"reverting is refused: {status} {text}")
        page.locator("#run").click()
        send(signal.SIGCONT, halted)
        wait_for(page, f"/^Run [0-9]+ ▸$/.test({RUN})", "the run is stopped")
        page.locator("#save").click()
        wait_for(page, f"{MESSAGE}.startsWith('Saved')", "then the change is saved")
        own = json.loads(studio.ask("GET", "/api/photos/p0")[1])["own"]
        expect(own == {"exposure.stops": 1}, f"it was not lost: {own}")
    finally:
        finish(studio, page)


def refocused(browser, library):
    """A crop that is left by keys gives the focus to its button."""
    studio, page, _ = begin(browser, library)
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.keyboard.press("c")
        page.locator("dialog").get_by_text("Add", exact=True).click()
        for key in ["c", "Escape"]:
            handle = page.locator("circle[aria-label^='Crop, ']").first
            handle.wait_for()
            handle.focus()
            page.keyboard.press(key)
            wait_until(page, lambda: page.locator("circle[aria-label^='Crop, ']").count() == 0, "the crop is left")
            expect(page.evaluate(FOCUS) == "crop", f"after {key}: {page.evaluate(FOCUS)}")
            page.keyboard.press("c")
    finally:
        finish(studio, page)
