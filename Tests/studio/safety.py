"""What must not be lost, whatever fails."""

import json
import os
import pathlib
import signal
import subprocess

from harness import (
    PAINTED, PHBATCH, RECIPE, RESTED, Studio, begin, colour, expect, finish, send, wait_for, wait_until, watched, workers)


def loss(browser, library):
    """Cancel, a recipe that changes on disk, and another studio on the same recipe."""
    studio, page, _ = begin(browser, library)
    original = library.recipe.read_text()
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        field = page.locator("[data-setting=stops] input[inputmode=decimal]")
        field.fill("2")
        field.press("Enter")
        wait_for(page, "!document.getElementById('save').disabled", "there is something to save")
        library.recipe.write_text(original.replace("kept as it is", "edited elsewhere"))
        page.locator("#save").click()
        dialog = page.locator("dialog")
        dialog.wait_for()
        expect("changed by another program" in dialog.text_content(), "a foreign change is noticed")
        expect("edited elsewhere" in library.recipe.read_text(), "and not overwritten")
        dialog.get_by_text("Close").click()
        expect(field.input_value() == "2", "the edit is still there")
        library.recipe.write_text(original)
        page.locator("#cancel").click()
        dialog = page.locator("dialog")
        dialog.wait_for()
        expect("the changes of recipe.json" in dialog.text_content(), "Cancel names what is lost")
        page.keyboard.press("Escape")
        expect(page.locator("dialog").count() == 0 and studio.process.poll() is None,
               "Escape goes on editing")
        page.locator("#cancel").click()
        page.get_by_text("Lose the changes").click()
        expect(studio.process.wait(20) == 0, "Cancel ends the command")
        expect(library.recipe.read_text() == original, "and saves nothing")
    finally:
        finish(studio, page)


def faults(browser, library):
    """Workers that die, a page that reloads, a second page, and a command that ends."""
    studio = Studio(library)
    context = browser.new_context()
    page = watched(context, [])
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        field = page.locator("[data-setting=stops] input[inputmode=decimal]")
        field.fill("1.5")
        field.press("Enter")
        wait_for(page, "!document.getElementById('save').disabled", "there is something to save")
        wait_for(page, RESTED, "the picture is the one of the change")
        bright = colour(page)
        children = workers(studio.process.pid)
        send(signal.SIGKILL, children)
        field.fill("-2")
        field.press("Enter")
        expect(children, "the studio has workers")
        wait_until(page, lambda: sum(colour(page)) < sum(bright) - 60, "killed workers are replaced")
        page.reload()
        wait_for(page, PAINTED, "the page can be loaded again")
        expect(field.input_value() == "-2", "the edit survives it")
        other = watched(context, [])
        other.goto(studio.address)
        wait_for(other, PAINTED, "a second page opens")
        second = other.locator("[data-setting=stops] input[inputmode=decimal]")
        expect(second.input_value() == "-2", "it shows the same edit")
        second.fill("0.25")
        second.press("Enter")
        wait_for(page, "document.querySelector('[data-setting=stops] input[inputmode=decimal]').value"
                 " === '0.25'", "both pages show one edit")
        studio.process.kill()
        wait_for(page, "document.getElementById('message').textContent.includes('lost')",
                 "the page says that the command has ended")
        expect(library.recipe.read_text() == RECIPE, "nothing was written")
    finally:
        context.close()
        studio.end()


def draft(browser, library):
    """Unsaved changes survive SIGKILL; the user continues or discards them."""
    before = library.files()
    state = library.folder / ".phbatch/studio"
    number = "document.querySelector('[data-setting=stops] input[inputmode=decimal]').value"

    def killed(edits):
        studio = Studio(library)
        for edit in edits:
            expect(studio.ask("POST", "/api/edit", edit)[0] == 200, "an edit is taken")
        studio.process.kill()
        studio.end()

    edits = [
        {"label": "Stops", "operations": [{"set": "exposure.stops", "value": 1.75}]},
        {"label": "Stops", "photos": ["p1", "p2"],
         "operations": [{"set": "exposure.stops", "value": -1.5}]}]
    killed([])
    expect(library.files() == before, "a studio without edits leaves nothing behind")
    killed(edits)
    expect(library.files(state=False) == before and library.recipe.read_text() == RECIPE,
           "the edits are neither in sidecars nor in the recipe")
    studio = Studio(library)
    context = browser.new_context()
    page = watched(context, [])
    try:
        second = Studio(library)
        found = json.loads(second.ask("GET", "/api/session")[1])["edit"]
        expect("draft" not in found, "a second studio is not offered what the first one has")
        second.end()
        status = studio.ask("POST", "/api/edit", edits[0])[0]
        expect(status == 409, f"an edit cannot replace changes that wait: {status}")
        page.goto(studio.address)
        dialog = page.locator("dialog")
        dialog.wait_for()
        text = dialog.text_content()
        expect("the recipe and settings of 2 photos" in text, f"the page names them: {text}")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Continue", exact=True).press("Enter")
        wait_for(page, f"{number} === '1.75'", "Continue brings the recipe's changes back")
        page.keyboard.press(".")
        page.locator("input[value=photo]").check(force=True)
        wait_for(page, f"{number} === '-1.5'", "and the photos' own settings")
        studio.process.kill()
        studio.end()
        page.close()
        studio = Studio(library)
        page = watched(context, [])
        page.goto(studio.address)
        page.get_by_role("button", name="Continue", exact=True).click()
        wait_for(page, f"{number} === '1.75'", "they survive a second crash")
        page.locator("#save").click()
        wait_for(page, "document.getElementById('save').disabled", "they are saved")
        expect("1.75" in library.recipe.read_text(), "the recipe has the change")
        expect(not state.exists(), "then no draft is left")
        expect(studio.ask("POST", "/api/edit", {
            "label": "Stops", "operations": [{"set": "exposure.stops", "value": 3}]})[0] == 200
            and state.exists(), "the next change has a draft again")
        studio.process.kill()
        studio.end()
        page.close()
        saved = library.recipe.read_text()
        library.recipe.write_text(saved.replace("kept as it is", "edited elsewhere"))
        studio = Studio(library)
        page = watched(context, [])
        page.goto(studio.address)
        dialog = page.locator("dialog")
        dialog.wait_for()
        expect("file was changed since then" in dialog.text_content(), "a foreign change is named")
        page.get_by_role("button", name="Continue", exact=True).click()
        wait_for(page, f"{number} === '3'", "the changes can be continued all the same")
        expect(studio.ask("POST", "/api/save", {})[0] == 412
               and "edited elsewhere" in library.recipe.read_text(),
               "the foreign change is not overwritten")
        studio.process.kill()
        studio.end()
        page.close()
        studio = Studio(library)
        page = watched(context, [])
        page.goto(studio.address)
        page.get_by_role("button", name="Discard", exact=True).click()
        wait_for(page, f"{number} === '1.75'", "Discard shows the recipe as it is saved")
        wait_for(page, "document.getElementById('save').disabled", "nothing is unsaved")
        wait_until(page, lambda: not state.exists(), "Discard removes the draft")
        expect(studio.ask("POST", "/api/edit", {
            "label": "Stops", "operations": [{"set": "exposure.stops", "value": 2}]})[0] == 200
            and studio.ask("POST", "/api/end", {})[0] == 409,
            "the studio does not end with unsaved changes unless they are discarded")
        wait_for(page, f"{number} === '2'", "the page has the change")
        page.locator("[data-setting=stops] input[inputmode=decimal]").fill("2.25")
        page.locator("#done").click()
        page.locator(".ended").wait_for()
        expect("2.25" in library.recipe.read_text(), "Done saves a number that is being typed")
    finally:
        context.close()
        studio.end()


def damaged(browser, library):
    """A draft that cannot be read is kept, and the page says where."""
    edit = {"label": "Stops", "operations": [{"set": "exposure.stops", "value": 1.75}]}
    state = library.folder / ".phbatch/studio"
    context = browser.new_context()
    texts = ["damaged", '{"draft": 1, "text": "{}"}']
    try:
        for number, text in enumerate(texts, 1):
            studio = Studio(library)
            expect(studio.ask("POST", "/api/edit", edit)[0] == 200, "an edit is taken")
            studio.process.kill()
            studio.end()
            file = next(state.glob("*.json"))
            file.write_text(text)
            kept = pathlib.Path(f"{file}.damaged" + ("" if number == 1 else f"-{number}"))
            studio = Studio(library)
            page = watched(context, [])
            page.goto(studio.address)
            dialog = page.locator("dialog")
            dialog.wait_for()
            expect(str(kept.resolve()) in dialog.text_content() and kept.read_text() == text,
                   f"the page names the file: {dialog.text_content()}")
            page.get_by_role("button", name="Close", exact=True).click()
            expect(studio.ask("POST", "/api/edit", edit)[0] == 200 and file.exists(),
                   "the studio has a draft of its own")
            page.close()
            expect(studio.ask("POST", "/api/end", {"discard": True})[0] == 200, "the edit ends")
            studio.process.wait(20)
            studio.end()
        expect(sorted(path.name.split(".json.")[1] for path in state.iterdir()) == ["damaged", "damaged-2"],
               f"both stay, and nothing else: {list(state.iterdir())}")
        studio = Studio(library)
        for stops in [1.75, 2, 2.25]:
            edit["operations"][0]["value"] = stops
            expect(studio.ask("POST", "/api/edit", edit)[0] == 200, "an edit is taken")
        studio.process.kill()
        studio.end()
        lines = file.read_bytes().split(b"\n")
        lines[2] = b"x" + lines[2][1:]
        file.write_bytes(b"\n".join(lines))
        studio = Studio(library)
        page = watched(context, [])
        page.goto(studio.address)
        dialog = page.locator("dialog")
        dialog.wait_for()
        kept = pathlib.Path(f"{file}.damaged-3")
        text = dialog.text_content()
        expect("1 change cannot be read" in text and str(kept.resolve()) in text,
               f"the page says what is lost: {text}")
        page.get_by_role("button", name="Continue", exact=True).click()
        wait_for(page, "document.querySelector('[data-setting=stops] input[inputmode=decimal]').value === '2.25'",
                 "changes behind the damaged one are continued")
        expect(kept.read_bytes() == b"\n".join(lines), "a copy of the damaged file stays")
    finally:
        context.close()
        studio.end()


def rejoined(browser, library):
    """A page that is opened during a run, and one whose connection was lost, show whether the run is on."""
    for number in range(6, 200):
        os.link(library.folder / "photo-1.png", library.folder / f"photo-{number}.png")
    studio, page, violations = begin(browser, library)
    run = "document.getElementById('run').textContent"
    # The connections that the page may make, and those that it has made.
    allowed, made = [True], []

    def join(socket):
        if not allowed:
            return socket.close()
        socket.connect_to_server()
        return made.append(socket)

    try:
        page.route_web_socket("**/api/live", join)
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        wait_for(page, f"{run} === 'Run 200 ▸'", "photos are due")
        page.locator("#run").click()
        wait_for(page, f"/^Stop · [1-9]/.test({run})", "a run begins")
        other = watched(page.context, violations)
        other.goto(studio.address)
        wait_for(other, f"/^Stop · /.test({run})", "another page shows the run")
        allowed.clear()
        made[0].close()
        wait_for(page, "document.getElementById('message').textContent.includes('is lost')", "the connection is lost")
        other.locator("#run").click()
        wait_for(other, f"/^Run [0-9]+ ▸$/.test({run})", "the run is stopped")
        expect(page.evaluate(run).startswith("Stop · "), "which the page cannot know")
        allowed.append(True)
        wait_for(page, f"/^Run [0-9]+ ▸$/.test({run})", "it does when it is connected again")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def unread(browser, library):
    """If the library cannot be read again after a run, the page says so, and the edit goes on."""
    for number in range(6, 200):
        os.link(library.folder / "photo-1.png", library.folder / f"photo-{number}.png")
    away = library.folder.with_name("away")
    studio, page, _ = begin(browser, library)
    message = "document.getElementById('message').textContent"
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        wait_for(page, "document.getElementById('run').textContent === 'Run 200 ▸'", "photos are due")
        page.locator("#run").click()
        wait_for(page, "/^Stop · [1-9]/.test(document.getElementById('run').textContent)", "a run begins")
        library.folder.rename(away)
        page.locator("#run").click()
        wait_for(page, f"{message}.includes('could not be read again')", "the page says what failed")
        said = page.evaluate(message)
        expect("No such file" in said and said.endswith("; end the studio and open it again"),
               f"it names the reason, and what to do: {said}")
        away.rename(library.folder)
        field = page.locator("[data-setting=stops] input[inputmode=decimal]")
        field.fill("2")
        field.press("Enter")
        wait_for(page, "!document.getElementById('save').disabled", "the edit goes on")
        page.locator("#save").click()
        wait_for(page, f"{message}.startsWith('Saved the recipe')", "and can be saved")
        expect('"stops": 2' in library.recipe.read_text(), "the recipe has the change")
    finally:
        finish(studio, page)


def revert(browser, library):
    """A revert shows what is lost, and is done only with the ticket for exactly that."""
    command = [PHBATCH, "run", library.recipe, library.folder]
    subprocess.run(command, capture_output=True, check=True)
    files = library.files(state=False)
    studio, page, _ = begin(browser, library)
    try:
        wish = {"photo": "p1", "whole": True}
        status, content, _ = studio.ask("POST", "/api/revert", wish)
        loss = json.loads(content)
        expect(status == 200 and loss["photos"] == 1 and "out/photo-1.jpg" in loss["lost"][0],
               f"the loss is named: {loss}")
        for ticket in ["", "0" * 64, loss["ticket"][:-1]]:
            status = studio.ask("POST", "/api/revert", {**wish, "ticket": ticket})[0]
            expect(status == 409, f"another ticket reverts nothing: {status}")
        for other in [{"photo": "p2", "whole": True}, {"whole": True}, {"photo": "p1", "whole": False}]:
            status = studio.ask("POST", "/api/revert", {**other, "ticket": loss["ticket"]})[0]
            expect(status == 409, f"a ticket is for one reversion only: {other} {status}")
        for malformed in [{}, {"whole": "yes"}, {"photo": "x", "whole": True}, {"photo": "p99", "whole": True}]:
            expect(studio.ask("POST", "/api/revert", malformed)[0] == 400, f"{malformed} is malformed")
        subprocess.run([PHBATCH, "adjust", library.folder / "photo-1.png", "--set", "exposure.stops=1"],
                       capture_output=True, check=True)
        status = studio.ask("POST", "/api/revert", {**wish, "ticket": loss["ticket"]})[0]
        expect(status == 409, f"a ticket ends with the state that it was for: {status}")
        expect(files.items() >= {
            name: data for name, data in library.files(state=False).items()
            if not name.endswith(".phbatch.json")}.items(), "nothing was reverted")
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.locator("#history").click()
        page.get_by_role("button", name="Revert all photos…").click()
        text = page.locator("dialog pre").text_content()
        page.get_by_role("button", name="Revert 6 photos").wait_for()
        expect("own setting exposure.stops = 1" in text and text.count("out/") == 6,
               f"own settings and renditions are named: {text}")
        page.get_by_role("button", name="Keep", exact=True).click()
        expect(len(list((library.folder / "out").glob("*.jpg"))) == 6, "Keep keeps them")
        page.locator("#history").click()
        page.get_by_role("button", name="Revert all photos…").click()
        page.get_by_role("button", name="Revert 6 photos").click()
        wait_for(page, "document.getElementById('message').textContent.includes('Reverted 6')",
                 "all photos are reverted")
        expect(not list(library.folder.glob("out/*.jpg")), "their renditions are gone")
        status = studio.ask("POST", "/api/revert", {"whole": True})[0]
        expect(status == 409, f"then there is nothing to revert: {status}")
        subprocess.run([PHBATCH, "undo", library.folder], capture_output=True, check=True)
        expect(len(list((library.folder / "out").glob("*.jpg"))) == 6, "undo brings them back")
    finally:
        finish(studio, page)


def output(browser, library):
    """With --output, all files go to another folder, and are read there."""
    before = library.files()
    mirror = library.folder.parent / "mirror"
    refused = subprocess.run(
        [PHBATCH, "studio", library.recipe, library.folder, "--no-browser", "--output", mirror],
        capture_output=True, text=True, stdin=subprocess.DEVNULL)
    expect(refused.returncode != 0 and "there is no output folder" in refused.stderr
           and not mirror.exists(), f"a missing folder is named, and not made: {refused.stderr}")
    mirror.mkdir()
    studio, page, _ = begin(browser, library, "--output", str(mirror))
    try:
        expect(not list(mirror.iterdir()), "opening writes nothing there")
        status, content, *_ = studio.ask("GET", "/api/history/p1")
        expect(status == 200 and b"no edits" in content, f"the history is empty: {content}")
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.keyboard.press(".")
        page.locator("input[value=photo]").check(force=True)
        wait_for(page, "document.getElementById('name').textContent === 'photo-1.png'",
                 "the next photo opens")
        field = page.locator("[data-setting=stops] input[inputmode=decimal]")
        field.fill("-1.25")
        field.press("Enter")
        wait_for(page, "!document.getElementById('save').disabled", "there is something to save")
        page.locator("#save").click()
        wait_for(page, "document.getElementById('save').disabled", "own settings are saved")
        expect((mirror / "photo-1.png.phbatch.json").exists(), "the sidecar is in the other folder")
        wait_for(page, "document.getElementById('run').textContent === 'Run 6 ▸'", "six are due")
        page.locator("#run").click()
        wait_for(page, "document.getElementById('run').textContent === 'Up to date'",
                 "the run ends")
        badges = "[...document.querySelectorAll('.cell .badge')].map((e) => e.textContent).join('')"
        wait_for(page, f"{badges} === '✓✓✓✓✓✓'", "badges say that all are rendered")
        expect(len(list((mirror / "out").glob("*.jpg"))) == 6, "the renditions are there")
        expect(library.files() == before, "nothing is written beside the originals")
        content = studio.ask("GET", "/api/history/p1")[1]
        expect(b"exposure.stops = -1.25" in content, "the history is read there")
    finally:
        finish(studio, page)
