"""What the page says and allows while a run is in progress, and after it."""

import json
import os
import shutil
import signal

from harness import PAINTED, begin, expect, finish, send, wait_for, wait_until, workers

MESSAGE = "document.getElementById('message').textContent"
RUN = "document.getElementById('run').textContent"
FOCUS = "document.activeElement.id"
STOPS = "[data-setting=stops] input[inputmode=decimal]"


def change(page, stops):
    page.locator(STOPS).fill(stops)
    page.locator(STOPS).press("Enter")
    wait_for(page, "!document.getElementById('save').disabled", "there is something to save")
    page.locator("#save").click()
    wait_for(page, f"{MESSAGE}.startsWith('Saved')", "it is saved")


def warned(page):
    """Reads the warning of a run about a library inside the library."""
    dialog = page.get_by_role("dialog", name="1 warning")
    dialog.wait_for()
    expect("'inner' is a library of its own" in dialog.text_content(), f"a run says its warnings: {dialog.text_content()}")
    dialog.get_by_text("Close").click()


def counted(browser, library):
    """A run says what it has rendered and its warnings, and leaves the focus where it is; unsaved changes are saved first."""
    inner = library.folder / "inner"
    (inner / ".phbatch").mkdir(parents=True)
    shutil.copy(library.folder / "photo-1.png", inner)
    studio, page, violations = begin(browser, library)
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        wait_for(page, f"{RUN} === 'Run 6 ▸'", "photos are due")
        page.locator("#history").click()
        expect(page.get_by_role("button", name="Revert this photo").is_disabled(), "no edit can be reverted")
        page.keyboard.press("Escape")
        page.locator("#run").focus()
        page.keyboard.press("Enter")
        warned(page)
        wait_for(page, f"{RUN} === 'Up to date'", "the run ends")
        expect(page.evaluate(MESSAGE) == "Ran: 6 photos rendered, 1 warning.",
               f"it says what it has done: {page.evaluate(MESSAGE)}")
        expect(page.evaluate(FOCUS) == "run", f"the focus stays: {page.evaluate(FOCUS)}")
        page.keyboard.press("Enter")
        page.locator("input[name=scope][value=photo]").check()
        page.locator(STOPS).fill("1.5")
        page.locator(STOPS).press("Enter")
        wait_for(page, f"{RUN} === 'Save and run ▸'", "a change can be saved and rendered at once")
        page.locator("#run").click()
        warned(page)
        wait_for(page, f"{RUN} === 'Up to date'", "the second run ends")
        said = page.evaluate(MESSAGE)
        expect(said == "Ran: 1 photo rendered, 5 unchanged, 1 warning.", f"photos that were up to date are not counted: {said}")
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
        expect("A run of this studio is in progress" in said and "Wait until it ends, or stop it, then try again" in said,
               f"a save is refused: {said}")
        dialog.get_by_text("Close").click()
        expect(page.evaluate(RUN).startswith("Stop"), "the run goes on")
        wish = {"photo": "p0", "whole": True}
        wish["ticket"] = json.loads(studio.ask("POST", "/api/revert", wish)[1])["ticket"]
        status, text, _ = studio.ask("POST", "/api/revert", wish)
        expect(status == 423 and b"a run of this studio is in progress" in text, f"reverting is refused: {status} {text}")
        page.locator("#run").click()
        send(signal.SIGCONT, halted)
        wait_for(page, f"{RUN} === 'Save and run ▸'", "the run is stopped")
        page.locator("#save").click()
        wait_for(page, f"{MESSAGE}.startsWith('Saved')", "then the change is saved")
        own = json.loads(studio.ask("GET", "/api/photos/p0")[1])["own"]
        expect(own == {"exposure.stops": 1}, f"it was not lost: {own}")
    finally:
        finish(studio, page)


def uncertain(browser, library):
    """With --read-only, the button of a library that cannot be read as a whole checks again, also with unsaved changes."""
    studio, page, violations = begin(browser, library, "--read-only")
    problem = "cannot read 'secret': Permission denied"
    try:
        page.route("**/api/check", lambda route: route.fulfill(json={"due": 0, "unread": 1, "problems": [problem]}))
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        wait_for(page, f"{RUN} === 'Not all can be read'", "a folder cannot be read")
        said = f"These folders and files cannot be read; their photos are left out:\n{problem}"
        expect(page.evaluate(MESSAGE) == said, f"it is named: {page.evaluate(MESSAGE)}")
        page.locator(STOPS).fill("1.5")
        page.locator(STOPS).press("Enter")
        wait_for(page, "!document.getElementById('undo').disabled", "there is a change")
        expect(page.evaluate(RUN) == "Not all can be read", f"which cannot be saved: {page.evaluate(RUN)}")
        page.unroute("**/api/check")
        page.locator("#run").click()
        wait_for(page, f"{RUN} === 'Run 6 ▸'", "the button checks again", timeout=20_000)
        expect(page.locator("dialog").count() == 0, "and does not ask whether to save")
        expect(not violations, f"the browser complains: {violations[:5]}")
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
