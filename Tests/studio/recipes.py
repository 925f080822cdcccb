"""Recipes whose values the command line fixes, or that extend another; values that nothing uses; marks."""

import json
import os
import subprocess

from harness import PAINTED, PHBATCH, begin, expect, finish, wait_for
from parameters import RECIPE, origin, value


def fixed(browser, library):
    """What --set gives cannot be changed, and own settings go to the stack of such a run."""
    library.recipe.write_text(RECIPE.replace('"version"', '"variant": "${mood}", "version"'))
    studio, page, _ = begin(browser, library, "--set", "mood=cold", "--set", "exposure.stops=1")
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.get_by_role("button", name="Exposure", exact=True).press("Enter")
        wait_for(page, f"{value('stops')} === '1' && {origin('stops')} === '--set'", "the value of --set is shown")
        expect(page.locator("[data-setting=stops] input[inputmode=decimal]").is_disabled(), "it cannot be changed")
        for key, photos in [("exposure.stops", None), ("exposure.stops", ["p1"]), ("mood", ["p1"])]:
            edit = {"label": "x", "photos": photos, "operations": [{"set": key, "value": "warm"}]}
            status, content, _ = studio.ask("POST", "/api/edit", {k: v for k, v in edit.items() if v})
            expect(status == 422 and b"--set" in content, f"{key} {photos}: {status} {content}")
        page.keyboard.press(".")
        page.locator("input[value=photo]").check(force=True)
        wait_for(page, "document.getElementById('name').textContent === 'photo-1.png'", "the next photo opens")
        page.get_by_label("sepia, turn on").press("Enter")
        page.get_by_role("button", name="Replace it here").press("Enter")
        wait_for(page, "document.getElementById('undo').title.includes('Enabled')", "a photo has its own setting")
        page.locator("#save").click()
        wait_for(page, "document.getElementById('save').disabled", "it is saved")
        page.keyboard.press("Control+z")
        wait_for(page, "!document.getElementById('save').disabled", "undo after Save is a change again")
        wait_for(page, "document.querySelector('[aria-label^=sepia]').ariaLabel.endsWith('turn on')",
                 "which takes the setting back")
        page.keyboard.press("Control+Shift+z")
        wait_for(page, "document.getElementById('save').disabled", "redo makes what is saved")
        run = subprocess.run([PHBATCH, "run", library.recipe, library.folder, "--set", "mood=cold"],
                             capture_output=True, text=True)
        sidecar = json.loads((library.folder / "photo-1.png.phbatch.json").read_text())
        stacks = [(one["variant"], one["overrides"]) for one in sidecar["adjustments"]]
        expect(run.returncode == 0 and stacks == [("cold", {"sepia.enabled": True})],
               f"a run with the same --set uses it: {stacks} {run.stderr}")
    finally:
        finish(studio, page)


def useless(browser, library):
    """A photo's value of a parameter that loses its last use does not prevent Save; the page says what is lost."""
    library.recipe.write_text(RECIPE)
    studio, page, _ = begin(browser, library)
    message = "document.getElementById('message').textContent"
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        for label, photos, key, value in [("Light", ["p1", "p2"], "light", 1), ("Stops", None, "exposure.stops", 0.25)]:
            edit = {"label": label, "operations": [{"set": key, "value": value}]} | ({"photos": photos} if photos else {})
            expect(studio.ask("POST", "/api/edit", edit)[0] == 200, f"an edit is taken: {label}")
        wait_for(page, "document.getElementById('undo').title.includes('Stops')", "the page has the edits")
        page.locator("#save").click()
        wait_for(page, f"{message}.includes('no longer uses it: light of 2 photos')", "the page says what is not saved")
        wait_for(page, "document.getElementById('save').disabled", "nothing is unsaved")
        expect("0.25" in library.recipe.read_text() and not list(library.folder.glob("*.phbatch.json")),
               "the recipe is saved, and no sidecar is made")
        page.keyboard.press("Control+z")
        wait_for(page, "!document.getElementById('save').disabled", "Undo brings the values back")
        edit = json.loads(studio.ask("GET", "/api/session")[1])["edit"]
        expect(edit["own"].get("p1") == {"light": 1}, f"each photo has its value: {edit['own']}")
        page.locator("#done").click()
        page.locator(".ended").wait_for()
    finally:
        finish(studio, page)


def extends(browser, library):
    """In a recipe that extends another, only its own new steps move; the base is never written."""
    base = library.folder.parent / "base.json"
    base.write_text(RECIPE)
    library.recipe.write_text("""{
  "extends": "base.json",
  "identifier": "org.example.child", "version": "1.0.0",
  "filters": [
    {"filter": "contrast", "amount": 0.1},
    {"id": "exposure", "stops": 0.25},
    {"filter": "hue", "angle": 5}
  ]
}
""")
    studio, page, _ = begin(browser, library)
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        names = "[...document.querySelectorAll('#step-list .name')].slice(1, 5).map((e) => e.textContent).join()"
        wait_for(page, f"{names} === 'Exposure,Sepia,Contrast,Hue'", "the steps of the base come first")
        moves = "[...document.querySelectorAll('#step-actions button:not([aria-disabled=true])')].map((e) => e.title).join()"
        for step, wanted in [("Exposure", "Remove the changes"), ("Sepia", ""),
                             ("Contrast", "Move down,Remove"), ("Hue", "Move up,Remove")]:
            page.get_by_role("button", name=step, exact=True).press("Enter")
            wait_for(page, f"{moves} === '{wanted}'", f"{step} can be changed: {wanted}")
        page.get_by_role("button", name="Move up: hue").press("Enter")
        wait_for(page, f"{names} === 'Exposure,Sepia,Hue,Contrast'", "a new step moves before another one")
        for operation in [{"move": "exposure", "before": None}, {"move": "hue", "before": "exposure"},
                          {"move": "sepia", "before": None}, {"remove": "sepia"}]:
            status = studio.ask("POST", "/api/edit", {"label": "x", "operations": [operation]})[0]
            expect(status == 422, f"the page cannot change the order of the base: {operation} {status}")
        for operation in [{"set": "edge", "value": 512},
                          {"set": "resize.longEdge", "output": "square", "value": 256}]:
            status = studio.ask("POST", "/api/edit", {"label": "x", "operations": [operation]})[0]
            expect(status == 200, f"what the base has can be changed here: {operation} {status}")
        expect(studio.ask("POST", "/api/save", {})[0] == 200, "the recipe is saved")
        saved = json.loads(library.recipe.read_text())
        expect([step.get("filter") for step in saved["filters"]] == ["hue", None, "contrast"]
               or [step.get("filter") for step in saved["filters"]] == ["hue", "contrast", None],
               f"the order is that of the page: {saved['filters']}")
        expect(saved["parameters"] == {"edge": {"default": 512, "min": 16, "max": 900}}
               and saved["outputs"] == [{"name": "square", "filters": [{"id": "resize", "longEdge": 256}]}],
               f"its own changes are in the recipe: {saved}")
        expect(base.read_text() == RECIPE, "the base is not written")
    finally:
        finish(studio, page)


def marks(browser, library):
    """Settings are pasted to thousands of marked photos; a save is one step of undo."""
    total = 5200
    for number in range(6, total):
        os.link(library.folder / "photo-1.png", library.folder / f"photo-{number:04}.png")
    studio, page, _ = begin(browser, library, height=800)
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.locator("input[value=photo]").check(force=True)
        field = page.locator("[data-setting=stops] input[inputmode=decimal]")
        field.fill("-1")
        field.press("Enter")
        wait_for(page, f"{origin('stops')} === 'this photo'", "the first photo has its own setting")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("Control+c")
        page.evaluate("() => { const box = document.getElementById('strip'); box.scrollLeft = box.scrollWidth; }")
        wait_for(page, "[...document.querySelectorAll('.cell')].some((cell) =>"
                 f" cell.dataset.index === '{total - 1}')", "the last photo comes into sight")
        page.locator(f"#cell-{total - 1}").click(modifiers=["Shift"])
        wait_for(page, f"document.getElementById('paste').title.includes('{total} marked photos')",
                 "Shift marks all photos between")
        page.keyboard.press("Control+v")
        wait_for(page, f"document.getElementById('undo').title.includes('Paste to {total} photos')",
                 "the settings are pasted to all of them")
        live = "document.getElementById('live').textContent"
        wait_for(page, f"{live} === 'Pasted 1 own setting to {total - 1} photos; skipped 1 photo with the same values.'",
                 "the page says how many have changed")
        expect(page.locator("#message").text_content() == page.evaluate(live), "in sight, too")
        state = json.loads(studio.ask("GET", "/api/session")[1])["edit"]
        expect(state["unsaved"]["photos"] == total, f"all have them: {state['unsaved']}")
        unknown = {"label": "x", "photos": [["p0", f"p{total}"]],
                   "operations": [{"set": "exposure.stops", "value": 1}]}
        expect(studio.ask("POST", "/api/edit", unknown)[0] == 404, "a range with unknown photos is refused")
        page.keyboard.press("Control+z")
        wait_for(page, "document.getElementById('undo').title.includes('Stops')", "undo takes it back")
        page.route("**/api/edit", lambda route: route.fulfill(status=409, json={"message": "the disk is full"}))
        page.keyboard.press("Control+v")
        page.locator("dialog").get_by_text("Close").click()
        wait_for(page, f"{live} === 'Nothing was pasted: 1 photo failed.'", "a paste that is refused is counted")
        page.unroute("**/api/edit")
        for number in [3, 4, 5]:
            own = {"label": "x", "photos": [f"p{number}"],
                   "operations": [{"set": "exposure.stops", "value": number / 10}]}
            expect(studio.ask("POST", "/api/edit", own)[0] == 200, "photos get different values")
        page.locator("#save").click()
        wait_for(page, "document.getElementById('save').disabled", "all are saved")
        count = len(list(library.folder.glob("*.phbatch.json")))
        expect(count == 4, f"each has a sidecar: {count}")
        undone = subprocess.run([PHBATCH, "undo", library.folder], capture_output=True, text=True)
        left = len(list(library.folder.glob("*.phbatch.json")))
        expect(undone.returncode == 0 and left == 0,
               f"one undo takes the whole save back: {left} {undone.stderr[-300:]}")
    finally:
        finish(studio, page)
