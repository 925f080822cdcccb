"""Changes by other programs while the studio is open, and ways back to the recipe."""

import json
import subprocess

from axe_playwright_python.sync_playwright import Axe

from harness import PAINTED, PHBATCH, RESTED, begin, expect, finish, shoot, wait_for, wait_until

MESSAGE = "document.getElementById('message').textContent"
RUN = "document.getElementById('run').textContent"
STOPS = "[data-setting=stops] input[inputmode=decimal]"
# The page looks for changes when its window gets the focus, and every three seconds.
LOOK = "dispatchEvent(new Event('focus'))"
FOCUS = "document.activeElement.getAttribute('aria-label')"


def follows(browser, library):
    """The recipe's file is taken over, unless the page has changed the recipe, too."""
    studio, page, violations = begin(browser, library)

    def write(stops):
        found = json.loads(library.recipe.read_text())
        found["filters"][0]["stops"] = stops
        library.recipe.write_text(json.dumps(found, indent=2))
        page.evaluate(LOOK)

    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        write(0.75)
        wait_until(page, lambda: page.locator(STOPS).input_value() == "0.75", "the page shows the file's new version")
        wait_for(page, f"{MESSAGE}.includes('Another program has changed')", "and says so")
        expect(page.locator("#save").is_disabled(), "there is nothing to save")
        page.locator("#undo").click()
        wait_until(page, lambda: page.locator(STOPS).input_value() != "0.75", "undo goes back")
        page.locator("#redo").click()
        wait_until(page, lambda: page.locator(STOPS).input_value() == "0.75", "redo, too")
        page.locator(STOPS).fill("0.5")
        page.locator(STOPS).press("Enter")
        wait_for(page, "!document.getElementById('save').disabled", "the page changes the recipe")
        write(1.25)
        wait_for(page, f"{MESSAGE}.includes('was changed by another program')", "both have changed it")
        expect(page.locator(STOPS).input_value() == "0.5", "the page keeps its change")
        page.locator("#save").click()
        dialog = page.locator("dialog")
        dialog.wait_for()
        rows = [row.all_text_contents() for row in (row.locator("th, td") for row in dialog.locator("tr").all())]
        expect(rows == [["Setting", "In the file", "Here"], ["exposure.stops", "1.25", "0.5"]],
               f"a save shows both versions: {rows}")
        expect("exposure.stops" not in page.locator("#message").text_content(), "the sentence stays short")
        found = [each["id"] for each in Axe().run(page).response["violations"]]
        expect(found == [], f"axe finds nothing there: {found}")
        shoot(page, "conflict")
        dialog.get_by_text("Close").click()
        expect(json.loads(library.recipe.read_text())["filters"][0]["stops"] == 1.25, "the file stays")
        page.keyboard.press("Control+z")
        wait_until(page, lambda: page.locator(STOPS).input_value() == "1.25", "without it, the file is shown")
        wait_for(page, f"!{MESSAGE}.includes('since it was opened')", "and the sentence ends")
        # A check that reads the damaged file would fail, rightly.
        wait_for(page, f"!/check/i.test({RUN})", "the check ends")
        library.recipe.write_text("{")
        page.evaluate(LOOK)
        wait_for(page, f"{MESSAGE}.includes('does not show')", "a damaged file is named")
        expect(studio.ask("POST", "/api/run", {})[0] == 409, "and not rendered")
        write_back = json.loads(studio.ask("GET", "/api/session")[1])["edit"]["filters"][0]["stops"]
        expect(write_back == 1.25, "the edit keeps the last version")
        others = [line for line in violations if "status of 412" not in line]
        expect(not others, f"the browser complains: {others[:5]}")
    finally:
        finish(studio, page)


def base(browser, library):
    """A recipe that the recipe extends is followed, too."""
    other = library.recipe.with_name("base.json")
    other.write_text(library.recipe.read_text())
    library.recipe.write_text(json.dumps(
        {"identifier": "org.example.extended", "version": "1.0.0", "extends": "base.json"}))
    studio, page, _ = begin(browser, library)
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        other.write_text(other.read_text().replace('"stops": 0.50', '"stops": 1.5'))
        page.evaluate(LOOK)
        wait_until(page, lambda: page.locator(STOPS).input_value() == "1.5", "the page shows the base's new version")
        expect(page.locator("#save").is_disabled(), "there is nothing to save")
        other.write_text("{")
        page.evaluate(LOOK)
        wait_for(page, f"{MESSAGE}.includes('cannot be read again')", "a damaged base is named")
        expect(studio.ask("POST", "/api/run", {})[0] == 409, "and not rendered")
    finally:
        finish(studio, page)


def stored(browser, library):
    """A value that another program has given to the photo is replaced only after a warning."""
    studio, page, _ = begin(browser, library)
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.locator("input[name=scope][value=photo]").check()
        page.locator(STOPS).fill("0.9")
        page.locator(STOPS).press("Enter")
        wait_for(page, "!document.getElementById('save').disabled", "there is something to save")
        photo = json.loads(studio.ask("GET", "/api/photos?after=0&limit=1")[1])["photos"][0]
        file = library.folder / (photo.get("path") or photo["name"])
        done = subprocess.run([PHBATCH, "adjust", file, "--library", library.folder, "--recipe", library.recipe,
                               "--set", "exposure.stops=-1"], capture_output=True, text=True)
        expect(done.returncode == 0, f"another command changes it: {done.stderr}")
        page.locator("#save").click()
        dialog = page.locator("dialog")
        dialog.wait_for()
        expect("another program has changed exposure.stops" in dialog.text_content(), "the save is refused once")
        dialog.get_by_text("Close").click()
        page.locator("#save").click()
        wait_for(page, f"{MESSAGE}.startsWith('Saved')", "the next save replaces the value")
        own = json.loads(studio.ask("GET", "/api/photos/p0")[1])["own"]
        expect(own == {"exposure.stops": 0.9}, f"which is known now: {own}")
        page.locator(STOPS).fill("0.7")
        page.locator(STOPS).press("Enter")
        wait_for(page, "!document.getElementById('save').disabled", "another change")
        done = subprocess.run([PHBATCH, "adjust", file, "--library", library.folder, "--recipe", library.recipe,
                               "--set", "vignette.intensity=-1"], capture_output=True, text=True)
        expect(done.returncode == 0, f"another command changes another setting: {done.stderr}")
        page.locator("#save").click()
        wait_for(page, "document.getElementById('save').disabled", "one save is enough for both")
        own = json.loads(studio.ask("GET", "/api/photos/p0")[1])["own"]
        expect(own == {"exposure.stops": 0.7, "vignette.intensity": -1}, f"both are kept: {own}")
    finally:
        finish(studio, page)


def returns(browser, library):
    """Undo after typing, the focus of buttons, and a photo's own mask."""
    library.recipe.write_text(json.dumps({
        "identifier": "org.example.studio", "version": "1.0.0",
        "filters": [{"filter": "exposure", "stops": 0.5, "mask": {
            "radial": {"center": [0.5, 0.5], "radius": 0.3, "feather": 0.1, "angle": 20}}}],
        "outputs": [{"name": "web", "format": "jpeg", "path": "out/{stem}.{ext}"}]}))
    studio, page, violations = begin(browser, library, height=1000)

    def own():
        return json.loads(studio.ask("GET", "/api/session")[1])["edit"]["own"].get("p0", {})

    def step():
        return json.loads(studio.ask("GET", "/api/session")[1])["edit"]["filters"][0]

    def mask():
        return own().get("exposure.mask", {}).get("radial", {})

    def fill(name, value):
        field = page.locator(f"[data-setting={name}] input[inputmode=decimal]")
        field.fill(value)
        field.press("Enter")

    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        fill("stops", "-0.5")
        wait_until(page, lambda: page.locator("#undo").is_enabled(), "a typed number is a change")
        page.keyboard.press("Control+z")
        wait_until(page, lambda: page.locator(STOPS).input_value() == "0.5", "which Ctrl+Z takes back in the field")
        toggle = page.locator("li[data-step=exposure] button.quiet")
        toggle.focus()
        for state in ["on", "off"]:
            page.keyboard.press("Enter")
            wait_for(page, f"{FOCUS} === 'exposure, turn {state}'", f"the button keeps the focus: {state}")
        slider = page.get_by_label("Stops", exact=True).and_(page.locator("input[type=range]"))
        slider.focus()
        page.keyboard.press(".")
        wait_for(page, RESTED, "the next photo is shown")
        wait_for(page, f"{FOCUS} === 'Stops'", "the slider keeps the focus")
        page.keyboard.press(",")
        wait_for(page, RESTED, "the first photo is shown")
        page.locator("input[name=scope][value=photo]").check()
        fill("maskFeather", "0.4")
        wait_until(page, lambda: mask().get("feather") == 0.4, "a part of the mask is the photo's own")
        row = page.locator("[data-setting=maskFeather]")
        wait_until(page, lambda: "this photo" in row.text_content(), "and its row says so")
        fill("stops", "-0.9")
        wait_until(page, lambda: own().get("exposure.stops") == -0.9, "and so is the exposure")
        page.locator("input[name=scope][value=recipe]").check()
        wait_until(page, lambda: page.locator(STOPS).input_value() == "0.5", "All photos shows the recipe's value")
        origins = [page.locator(f"[data-setting={name}] .origin").text_content() for name in ["stops", "maskFeather", "maskAngle"]]
        expect(origins == ["recipe · this photo has its own: -0.9", "recipe · this photo has its own: 0.4", "recipe"],
               f"each setting says what it is: {origins}")
        expect(row.locator("input[inputmode=decimal]").input_value() == "0.1", "the mask is the recipe's")
        page.locator("[data-setting=stops] input[type=range]").focus()
        page.keyboard.press("ArrowRight")
        wait_until(page, lambda: step()["stops"] == 0.51, "a key moves from the recipe's value")
        fill("maskFeather", "0.2")
        wait_until(page, lambda: step()["mask"]["radial"]["feather"] == 0.2, "so does a part of the mask")
        expect(mask()["feather"] == 0.4 and own()["exposure.stops"] == -0.9, f"the photo keeps its own: {own()}")
        for _ in range(3):
            page.locator("#undo").click()
        wait_until(page, lambda: "exposure.stops" not in own() and step()["stops"] == 0.5, "undo takes back each in turn")
        page.locator("input[name=scope][value=photo]").check()
        row.get_by_label("Reset Mask feather").click()
        wait_until(page, lambda: own() == {}, "reset goes back to the recipe")
        wait_until(page, lambda: row.locator("input[inputmode=decimal]").input_value() == "0.1", "whose value is shown")
        fill("maskRadius", "0.5")
        wait_until(page, lambda: mask().get("radius") == 0.5, "values without a default can be set")
        page.get_by_label("Reset Mask radius").click()
        wait_until(page, lambda: own() == {}, "and reset")
        menu = page.get_by_label("Mask", exact=True)
        menu.select_option("none")
        wait_until(page, lambda: own() == {"exposure.mask": None}, "a photo can be without the recipe's mask")
        wait_until(page, lambda: menu.input_value() == "none", "the menu shows it")
        menu.select_option("recipe")
        wait_until(page, lambda: own() == {}, "or have it again")
        wait_until(page, lambda: menu.input_value() == "radial", "the menu shows that, too")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def adjusted(browser, library):
    """Settings that another command gives to photos are shown, and its undo, too."""
    studio, page, violations = begin(browser, library)
    root = ["--library", library.folder]

    def command(*arguments):
        done = subprocess.run([PHBATCH, *arguments], capture_output=True, text=True)
        expect(done.returncode == 0, f"another command works: {done.stderr}")

    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        first, second = (library.folder / photo["path"]
                         for photo in json.loads(studio.ask("GET", "/api/photos?after=0&limit=2")[1])["photos"])
        page.locator("input[name=scope][value=photo]").check()
        before = page.locator(STOPS).input_value()
        command("adjust", first, *root, "--recipe", library.recipe, "--set", "exposure.stops=-1")
        wait_until(page, lambda: page.locator(STOPS).input_value() == "-1", "the value of the open photo is shown")
        wait_for(page, f"{MESSAGE}.includes('the settings of this photo')", "and the page says why")
        wait_for(page, RESTED, "its picture follows")
        expect(page.locator("#save").is_disabled(), "there is nothing to save")
        command("undo", library.folder)
        page.evaluate(LOOK)
        wait_until(page, lambda: page.locator(STOPS).input_value() == before, "the undo of another command is shown")
        command("adjust", second, *root, "--recipe", library.recipe, "--set", "exposure.stops=-0.5")
        page.keyboard.press(".")
        wait_until(page, lambda: page.locator(STOPS).input_value() == "-0.5", "a photo is opened as its sidecar is now")
        page.locator(STOPS).fill("0.3")
        page.locator(STOPS).press("Enter")
        wait_for(page, "!document.getElementById('save').disabled", "it is changed")
        page.locator("#save").click()
        wait_for(page, f"{MESSAGE}.startsWith('Saved')", "and saved without a question")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)
