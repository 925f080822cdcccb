"""Parameters of the recipe, steps of outputs with the same id, recipes that extend another, and marks."""

import json
import os
import subprocess

from axe_playwright_python.sync_playwright import Axe
from harness import PAINTED, PHBATCH, Studio, colour, expect, shoot, wait_for, watched

RECIPE = """{
  "identifier": "org.example.studio",
  "version": "1.0.0",
  "parameters": {
    "light": {"default": 0.50, "min": -2, "max": 2, "summary": "How bright the photos are."},
    "edge":  { "default": 6e2, "min": 16, "max": 900 },
    "mood": {"default": "warm", "choices": ["warm", "cold"]},
    "paper": {"default": "#ffffff"},
    "plain": {"default": false},
    "caption": {"default": "2024"}
  },
  "filters": [
    {"filter": "exposure", "stops": "${light}"},
    {"filter": "sepia", "enabled": "${plain}"}
  ],
  "outputs": [
    {"name": "web", "format": "jpeg", "path": "out/{stem}.${mood}.{ext}", "filters": [
      {"filter": "resize", "longEdge": "${edge}"}
    ]},
    {"name": "square", "format": "jpeg", "path": "squares/{stem}.{ext}", "filters": [
      {"filter": "resize", "longEdge": 300},
      {"filter": "background", "colour": "${paper}"}
    ]}
  ]
}
"""
FACTS = "document.getElementById('facts').textContent"


def value(name, kind="input[type=number]"):
    return f"document.querySelector('[data-setting={name}] {kind}').value"


def origin(name):
    return f"document.querySelector('[data-setting={name}] .origin').textContent"


def parameters(browser, library):
    """Parameters have controls; a change is for all photos, or for this one."""
    library.recipe.write_text(RECIPE)
    studio = Studio(library)
    violations = []
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = watched(context, violations)
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.get_by_role("button", name="Parameters", exact=True).press("Enter")
        wait_for(page, "document.getElementById('controls-title').textContent === 'Parameters'",
                 "the parameters have a panel")
        kinds = page.evaluate(
            "() => Object.fromEntries([...document.querySelectorAll('#settings .setting')].map((row) =>"
            " [row.dataset.setting, (row.querySelector('select, .value input') ?? {}).type]))")
        expect(kinds == {"light": "number", "edge": "number", "mood": "select-one", "paper": "color",
                         "plain": "checkbox", "caption": "text"}, f"each has its control: {kinds}")
        limits = page.evaluate("() => { const field = document.querySelector("
                               "'[data-setting=light] input[type=number]'); return [field.min, field.max,"
                               " field.closest('.setting').querySelector('.unit').textContent] }")
        expect(limits == ["-2", "2", "stops"], f"the range is the parameter's: {limits}")
        expect(page.evaluate(origin("light")) == "How bright the photos are. · recipe",
               "its summary is shown")
        expect(Axe().run(page).response["violations"] == [], "axe finds nothing beside parameters")
        dark = colour(page)
        slider = page.locator("[data-setting=light] input[type=range]")
        slider.focus()
        for _ in range(10):
            page.keyboard.press("Shift+ArrowRight")
        wait_for(page, "document.getElementById('undo').title.includes('Light')", "it is one change")
        page.wait_for_timeout(600)
        bright = colour(page)
        expect(sum(bright) > sum(dark) + 60, f"the picture follows: {dark} {bright}")
        shoot(page, "parameters")
        wait_for(page, f"{FACTS}.startsWith('600 × 400')", "the size is that of the parameter")
        field = page.locator("[data-setting=edge] input[type=number]")
        field.fill("450")
        field.press("Enter")
        wait_for(page, f"{FACTS}.startsWith('450 × 300')", "the size follows the parameter")
        field.fill("5000")
        field.press("Enter")
        wait_for(page, "document.getElementById('message').textContent.includes('out of range')",
                 "a value outside the range is refused")
        wait_for(page, f"{value('edge')} === '450'", "and is not kept")
        page.locator("[data-setting=mood] select").select_option("cold")
        wait_for(page, "document.getElementById('undo').title.includes('Mood')", "a choice is a change")
        page.locator("[data-setting=caption] input").fill("2025")
        page.locator("[data-setting=caption] input").press("Enter")
        wait_for(page, "document.getElementById('undo').title.includes('Caption')",
                 "a text of digits stays a text")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press(".")
        wait_for(page, "document.getElementById('name').textContent === 'photo-1.png'",
                 "the next photo opens")
        page.locator("input[value=photo]").check(force=True)
        field = page.locator("[data-setting=edge] input[type=number]")
        field.fill("300")
        field.press("Enter")
        wait_for(page, f"{origin('edge')} === 'this photo'", "a photo can have its own value")
        wait_for(page, f"{FACTS}.startsWith('300 × 200')", "its picture has it")
        wait_for(page, "[...document.querySelectorAll('#step-list li')][0].textContent.includes('•')",
                 "a dot says that the photo has its own value")
        page.locator("#save").click()
        wait_for(page, "document.getElementById('save').disabled", "both are saved")
        saved = library.recipe.read_text()
        light = saved.split('"light": {"default": ')[1].split(",")[0]
        expect(saved == RECIPE.replace("0.50", light).replace("6e2", "450")
               .replace('"default": "warm"', '"default": "cold"').replace('"2024"', '"2025"')
               and float(light) > 1, f"only the bytes of the defaults changed: {saved}")
        listed = subprocess.run(
            [PHBATCH, "adjust", library.folder / "photo-1.png", "--list"], capture_output=True, text=True)
        expect("edge = 300" in listed.stdout, f"the photo has its own value: {listed.stdout}")
        run = subprocess.run([PHBATCH, "run", library.recipe, library.folder], capture_output=True, text=True)
        sizes = {}
        for number in [1, 2]:
            data = (library.folder / f"out/photo-{number}.cold.jpg").read_bytes()
            at = max(data.find(b"\xff\xc0"), data.find(b"\xff\xc2"))
            sizes[number] = (int.from_bytes(data[at + 7:at + 9]), int.from_bytes(data[at + 5:at + 7]))
        expect(run.returncode == 0 and sizes == {1: (300, 200), 2: (450, 300)},
               f"a run renders what the page showed: {sizes} {run.stderr}")
        field.focus()
        page.locator("[data-setting=edge] button.reset").click()
        wait_for(page, f"{value('edge')} === '450'", "Reset gives the recipe's value back")
        # The browser reports the value that was refused.
        violations = [text for text in violations if " 422 " not in text]
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        context.close()
        studio.end()


def outputs(browser, library):
    """A value that is a parameter, and steps of outputs with the same id."""
    library.recipe.write_text(RECIPE)
    studio = Studio(library)
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = watched(context, [])
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.get_by_role("button", name="Resize (square)", exact=True).press("Enter")
        wait_for(page, "document.querySelectorAll('#step-list li.chosen').length === 1",
                 "only one of two steps with the same id is chosen")
        long_edge = "[data-setting=longEdge] input:not([type=range])"
        wait_for(page, f"document.querySelector('{long_edge}').value === '300'", "it has its own value")
        page.locator(long_edge).first.fill("240")
        page.locator(long_edge).first.press("Enter")
        wait_for(page, "document.getElementById('undo').title.includes('Long edge')", "it is a change")
        page.get_by_role("button", name="Move down: resize (square)").press("Enter")
        wait_for(page, "document.getElementById('undo').title.includes('Move step')",
                 "a step of an output can be moved")
        page.get_by_role("button", name="Resize (web)", exact=True).press("Enter")
        wait_for(page, f"document.querySelector('{long_edge}').value === '600'",
                 "a value that is a parameter is shown")
        page.locator(long_edge).first.fill("500")
        page.locator(long_edge).first.press("Enter")
        page.get_by_role("button", name="Cancel", exact=True).last.press("Enter")
        wait_for(page, f"document.querySelector('{long_edge}').value === '600'", "Cancel changes nothing")
        page.locator(long_edge).first.fill("500")
        page.locator(long_edge).first.press("Enter")
        page.get_by_role("button", name="Change the parameter").press("Enter")
        wait_for(page, f"{FACTS}.startsWith('500 × 333')", "the parameter can be changed there")
        page.get_by_role("button", name="Exposure", exact=True).press("Enter")
        field = page.locator("[data-setting=stops] input[type=number]")
        field.fill("1.25")
        field.press("Enter")
        page.get_by_role("button", name="Replace it here").press("Enter")
        wait_for(page, f"{origin('stops')} === 'recipe'", "or the value can replace it")
        page.locator("#done").click()
        page.locator(".ended").wait_for()
        first = '{"filter": "resize", "longEdge": 240}'
        second = '{"filter": "background", "colour": "${paper}"}'
        saved = library.recipe.read_text()
        expect(saved == RECIPE.replace('"${light}"', "1.25").replace("6e2", "500").replace(
            '{"filter": "resize", "longEdge": 300}', "@").replace(second, first).replace("@", second),
            f"each change is in its own place: {saved}")
    finally:
        context.close()
        studio.end()


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
    studio = Studio(library)
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = watched(context, [])
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        names = "[...document.querySelectorAll('#step-list .name')].slice(1, 5).map((e) => e.textContent).join()"
        wait_for(page, f"{names} === 'Exposure,Sepia,Contrast,Hue'", "the steps of the base come first")
        moves = "[...document.querySelectorAll('#step-list li.chosen .small')].map((e) => e.title).join()"
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
        context.close()
        studio.end()


def marks(browser, library):
    """Settings are pasted to thousands of marked photos; a save is one step of undo."""
    total = 5200
    for number in range(6, total):
        os.link(library.folder / "photo-1.png", library.folder / f"photo-{number:04}.png")
    studio = Studio(library)
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = watched(context, [])
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.locator("input[value=photo]").check(force=True)
        field = page.locator("[data-setting=stops] input[type=number]")
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
        wait_for(page, f"document.getElementById('undo').title.includes('Paste to {total}')",
                 "the settings are pasted to all of them", 60_000)
        state = json.loads(studio.ask("GET", "/api/session")[1])["edit"]
        expect(state["unsaved"]["photos"] == total, f"all have them: {state['unsaved']}")
        unknown = {"label": "x", "photos": [["p0", f"p{total}"]],
                   "operations": [{"set": "exposure.stops", "value": 1}]}
        expect(studio.ask("POST", "/api/edit", unknown)[0] == 404, "a range with unknown photos is refused")
        page.keyboard.press("Control+z")
        wait_for(page, "document.getElementById('undo').title.includes('Stops')", "undo takes it back")
        for number in [3, 4, 5]:
            own = {"label": "x", "photos": [f"p{number}"],
                   "operations": [{"set": "exposure.stops", "value": number / 10}]}
            expect(studio.ask("POST", "/api/edit", own)[0] == 200, "photos get different values")
        page.locator("#save").click()
        wait_for(page, "document.getElementById('save').disabled", "all are saved", 60_000)
        count = len(list(library.folder.glob("*.phbatch.json")))
        expect(count == 4, f"each has a sidecar: {count}")
        undone = subprocess.run([PHBATCH, "undo", library.folder], capture_output=True, text=True)
        left = len(list(library.folder.glob("*.phbatch.json")))
        expect(undone.returncode == 0 and left == 0,
               f"one undo takes the whole save back: {left} {undone.stderr[-300:]}")
    finally:
        context.close()
        studio.end()
