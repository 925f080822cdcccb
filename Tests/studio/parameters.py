"""Parameters of the recipe, values that are bound to them, and steps of outputs with the same id."""

import json
import subprocess

from axe_playwright_python.sync_playwright import Axe
from harness import PAINTED, PHBATCH, begin, colour, expect, finish, shoot, wait_for, wait_until

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


def value(name, kind="input[inputmode=decimal]"):
    return f"document.querySelector('[data-setting={name}] {kind}').value"


def origin(name):
    return f"document.querySelector('[data-setting={name}] .origin').textContent"


def parameters(browser, library):
    """Parameters have controls; a change is for all photos, or for this one."""
    library.recipe.write_text(RECIPE)
    studio, page, violations = begin(browser, library)
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.get_by_role("button", name="Parameters", exact=True).press("Enter")
        wait_for(page, "document.getElementById('controls-title').textContent === 'Parameters'",
                 "the parameters have a panel")
        kinds = page.evaluate(
            "() => Object.fromEntries([...document.querySelectorAll('#settings .setting')].map((row) =>"
            " [row.dataset.setting, (row.querySelector('select, .value input') ?? {}).type]))")
        expect(kinds == {"light": "text", "edge": "text", "mood": "select-one", "paper": "color",
                         "plain": "checkbox", "caption": "text"}, f"each has its control: {kinds}")
        limits = page.evaluate("() => { const field = document.querySelector("
                               "'[data-setting=light] input[inputmode=decimal]'); return [field.ariaValueMin, field.ariaValueMax,"
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
        wait_until(page, lambda: sum(colour(page)) > sum(dark) + 60, f"the picture follows: {dark}")
        shoot(page, "parameters")
        wait_for(page, f"{FACTS}.startsWith('600 × 400')", "the size is that of the parameter")
        field = page.locator("[data-setting=edge] input[inputmode=decimal]")
        field.fill("450")
        field.press("Enter")
        wait_for(page, f"{FACTS}.startsWith('450 × 300')", "the size follows the parameter")
        # The settings are shown anew when the server has taken the change.
        wait_for(page, "document.getElementById('undo').title.includes('Edge')", "the size is a change")
        field.fill("5000")
        field.press("Enter")
        wait_for(page, "document.getElementById('message').textContent.includes('out of range')",
                 "a value outside the range is refused")
        wait_for(page, f"{value('edge')} === '450'", "and is not kept")
        field.fill("440")
        studio.ask("POST", "/api/edit", {"label": "Light", "operations": [{"set": "light", "value": 1.5}]})
        wait_for(page, f"{value('light')} === '1.5'", "a change from elsewhere is shown")
        expect(page.evaluate(value("edge")) == "440", "what is being typed stays")
        field.press("Enter")
        wait_for(page, f"{FACTS}.startsWith('440 × 293')", "and becomes a change")
        field.fill("450")
        studio.ask("POST", "/api/edit", {"label": "Light", "operations": [{"set": "light", "value": 1.25}]})
        wait_for(page, f"{value('light')} === '1.25'", "another change from elsewhere is shown")
        page.locator("[data-setting=caption] input").focus()
        wait_for(page, f"{FACTS}.startsWith('450 × 300')", "a typed value becomes a change when its field is left")
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
        field = page.locator("[data-setting=edge] input[inputmode=decimal]")
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
        finish(studio, page)


def outputs(browser, library):
    """A value that is a parameter, the usual output, and steps of outputs with the same id."""
    text = RECIPE.replace('"name": "square"', '"name": "square", "current": "${plain}"')
    library.recipe.write_text(text)
    studio, page, _ = begin(browser, library)
    usual = "document.querySelector('#output option').textContent"
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        wait_for(page, f"{usual} === 'Usual output (the largest)'", "no output is marked as the current one")
        studio.ask("POST", "/api/edit", {"label": "Plain", "operations": [{"set": "plain", "value": True}]})
        wait_for(page, f"{usual} === 'Usual output (square)'", "a parameter marks it, and the menu follows")
        studio.ask("POST", "/api/undo", {})
        wait_for(page, f"{usual} === 'Usual output (the largest)'", "also back again")
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
        page.locator("dialog").get_by_role("button", name="Cancel", exact=True).press("Enter")
        wait_for(page, f"document.querySelector('{long_edge}').value === '600'", "Cancel changes nothing")
        page.locator(long_edge).first.fill("500")
        page.locator(long_edge).first.press("Enter")
        page.get_by_role("button", name="Change the parameter").press("Enter")
        wait_for(page, f"{FACTS}.startsWith('500 × 333')", "the parameter can be changed there")
        page.get_by_role("button", name="Exposure", exact=True).press("Enter")
        field = page.locator("[data-setting=stops] input[inputmode=decimal]")
        field.fill("1.25")
        field.press("Enter")
        page.get_by_role("button", name="Replace it here").press("Enter")
        wait_for(page, f"{origin('stops')} === 'recipe'", "or the value can replace it")
        page.locator("#done").click()
        page.locator(".ended").wait_for()
        first = '{"filter": "resize", "longEdge": 240}'
        second = '{"filter": "background", "colour": "${paper}"}'
        saved = library.recipe.read_text()
        expect(saved == text.replace('"${light}"', "1.25").replace("6e2", "500").replace(
            '{"filter": "resize", "longEdge": 300}', "@").replace(second, first).replace("@", second),
            f"each change is in its own place: {saved}")
    finally:
        finish(studio, page)


BOUND = """{
  "identifier": "org.example.studio",
  "version": "1.0.0",
  "parameters": {
    "side": {"default": "10%"}, "size": {"default": 0.6, "min": 0.1, "max": 2},
    "kelvin": {"default": 6500}, "middle": {"default": 0.5}, "tint": {"default": 0}, "low": {"default": 5, "min": 5}
  },
  "filters": [
    {"filter": "crop", "left": "${side}", "top": "0%", "width": "80%", "height": "100%"},
    {"filter": "exposure", "stops": 1, "mask": {"radial": {"center": [0.5, 0.5], "radius": "${size}", "feather": 0.5}}},
    {"filter": "curves", "rgb": [[0, 0], ["${middle}", 0.6], [1, 1]]},
    {"filter": "whiteBalance", "temperature": "${kelvin}", "tint": "${tint}"},
    {"filter": "exposure", "id": "late", "enabled": false, "stops": "${low}"}
  ],
  "outputs": [{"name": "web", "format": "jpeg", "path": "out/{stem}.{ext}"}]
}
"""


def bindings(browser, library):
    """A value inside of a mask, a curve, a crop or a picker that is a parameter is not replaced without a question."""
    library.recipe.write_text(BOUND)
    studio, page, violations = begin(browser, library)

    def recipe():
        edit = json.loads(studio.ask("GET", "/api/session")[1])["edit"]
        return ({step.get("id", step["filter"]): step for step in edit["filters"]},
                {one["name"]: one["value"] for one in edit["parameters"]})

    def answer(text):
        page.get_by_role("button", name=text, exact=True).last.press("Enter")
        wait_until(page, lambda: page.locator("dialog").count() == 0, f"the dialog ends: {text}")

    def undone(text):
        wait_for(page, f"document.getElementById('undo').title.includes('{text}')", f"it is a change: {text}")

    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.get_by_role("button", name="Exposure", exact=True).press("Enter")
        wait_for(page, f"{value('maskRadius')} === '0.6'", "a value inside of a mask is that of its parameter")
        field = page.locator("[data-setting=maskFeather] input[inputmode=decimal]")
        field.fill("0.25")
        field.press("Enter")
        undone("Mask")
        expect(page.locator("dialog").count() == 0, "another value of the mask needs no question")
        mask = recipe()[0]["exposure"]["mask"]["radial"]
        expect(mask["radius"] == "${size}" and mask["feather"] == 0.25, f"the parameter stays: {mask}")
        field = page.locator("[data-setting=maskRadius] input[inputmode=decimal]")
        field.fill("0.9")
        field.press("Enter")
        page.get_by_text("This value is ${size}").wait_for()
        answer("Cancel")
        wait_for(page, f"{value('maskRadius')} === '0.6'", "Cancel changes nothing")
        field.fill("0.9")
        field.press("Enter")
        answer("Change the parameter")
        undone("Size")
        steps, parameters = recipe()
        expect(parameters["size"] == 0.9 and steps["exposure"]["mask"]["radial"]["radius"] == "${size}",
               f"the parameter has the value: {parameters} {steps['exposure']}")
        field.fill("1.2")
        field.press("Enter")
        answer("Replace it here")
        undone("Mask")
        steps, parameters = recipe()
        expect(parameters["size"] == 0.9 and steps["exposure"]["mask"]["radial"]["radius"] == 1.2,
               f"or the place: {parameters} {steps['exposure']}")
        page.get_by_role("button", name="Curves", exact=True).press("Enter")
        page.locator("[data-setting=rgb] .handle").nth(1).focus()
        page.keyboard.press("ArrowUp")
        undone("RGB")
        expect(recipe()[0]["curves"]["rgb"][1] == ["${middle}", 0.61], f"a curve: {recipe()[0]['curves']}")
        page.locator("[data-setting=rgb] .handle").nth(1).focus()
        page.keyboard.press("ArrowRight")
        page.get_by_text("This value is ${middle}").wait_for()
        answer("Change the parameter")
        undone("Middle")
        expect(recipe()[1]["middle"] == 0.51, f"its parameter: {recipe()[1]}")
        page.get_by_role("button", name="White balance", exact=True).press("Enter")
        page.get_by_role("button", name="Pick a grey point").press("Enter")
        wait_for(page, "document.querySelector('#overlay .cross') !== null", "a cross shows the place")
        page.keyboard.press("Enter")
        page.get_by_text("These values are ${kelvin} and ${tint}").wait_for()
        answer("Replace them here")
        undone("Grey point")
        expect(isinstance(recipe()[0]["whiteBalance"]["temperature"], int), "a picker asks, too")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("c")
        corner = page.locator("circle[aria-label='Crop, lower right']")
        corner.wait_for()
        corner.focus()
        page.keyboard.press("Shift+ArrowLeft")
        undone("Crop")
        expect(recipe()[0]["crop"]["left"] == "${side}" and recipe()[0]["crop"]["width"] == "75%",
               f"a side of a crop that stays keeps its parameter: {recipe()[0]['crop']}")
        corner = page.locator("circle[aria-label='Crop, upper left']")
        corner.focus()
        page.keyboard.press("Shift+ArrowRight")
        page.get_by_text("This value is ${side}").wait_for()
        answer("Cancel")
        expect(recipe()[0]["crop"]["width"] == "75%", "Cancel leaves the whole crop")
        corner.focus()
        page.keyboard.press("Shift+ArrowRight")
        answer("Change the parameter")
        wait_until(page, lambda: recipe()[1]["side"] == "15%", "the parameter changes")
        steps, parameters = recipe()
        expect(parameters["side"] == "15%" and steps["crop"]["left"] == "${side}" and steps["crop"]["width"] == "70%",
               f"one change moves both: {parameters} {steps['crop']}")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Parameters", exact=True).press("Enter")
        limits = page.evaluate("() => { const f = document.querySelector('[data-setting=low] input[type=range]');"
                               " return [f.getAttribute('aria-valuetext'), Number(f.value)] }")
        expect(limits[0].split()[0] in ("+5", "5") and limits[1] == 0,
               f"a range that ends above what is usual: {limits}")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def personal(browser, library):
    """With This photo, a value that is a parameter asks, too; parts that stay follow their parameters."""
    library.recipe.write_text(BOUND)
    studio, page, violations = begin(browser, library, height=1000)

    def own():
        return json.loads(studio.ask("GET", "/api/session")[1])["edit"]["own"].get("p0", {})

    def fill(name, text):
        field = page.locator(f"[data-setting={name}] input[inputmode=decimal]")
        field.fill(text)
        field.press("Enter")

    def answer(text):
        page.get_by_role("button", name=text, exact=True).last.press("Enter")
        wait_until(page, lambda: page.locator("dialog").count() == 0, f"the dialog ends: {text}")

    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.locator("input[value=photo]").check(force=True)
        page.get_by_role("button", name="Exposure", exact=True).press("Enter")
        wait_for(page, f"{origin('maskRadius')} === 'parameter ${{size}}'", "a part of a mask says its parameter")
        expect(page.evaluate(origin("maskFeather")) == "recipe", "other parts say the recipe")
        fill("maskFeather", "0.25")
        wait_until(page, lambda: own() == {"exposure.mask.radial.feather": 0.25},
                   f"only the part that changed is the photo's own: {own()}")
        wait_for(page, f"{value('maskFeather')} === '0.25'", "it is shown")
        expect(page.evaluate(origin("maskRadius")) == "parameter ${size}", "the other part keeps its parameter")
        studio.ask("POST", "/api/edit", {"label": "Size", "operations": [{"set": "size", "value": 0.9}]})
        wait_for(page, f"{value('maskRadius')} === '0.9'", "and follows it")
        fill("maskRadius", "0.4")
        page.get_by_text("This value is ${size}").wait_for()
        answer("Cancel")
        wait_for(page, f"{value('maskRadius')} === '0.9'", "Cancel changes nothing")
        fill("maskRadius", "0.4")
        answer("Change the parameter")
        wait_until(page, lambda: own().get("size") == 0.4, f"the photo has its own value of the parameter: {own()}")
        wait_for(page, f"{origin('maskRadius')} === 'this photo · parameter ${{size}}'", "the setting says so")
        page.locator("input[value=recipe]").check(force=True)
        wait_for(page, f"{origin('maskRadius')} === 'parameter ${{size}} · this photo has its own: 0.4'",
                 "with All photos, it names the photo's own value")
        page.locator("input[value=photo]").check(force=True)
        page.get_by_label("Reset Mask radius").click()
        wait_until(page, lambda: "size" not in own(), f"reset removes the photo's value of the parameter: {own()}")
        fill("maskRadius", "0.4")
        answer("Change the parameter")
        wait_until(page, lambda: own().get("size") == 0.4, f"it can be given again: {own()}")
        fill("maskRadius", "0.5")
        answer("Replace it here")
        wait_until(page, lambda: own().get("exposure.mask.radial.radius") == 0.5, f"or of the place: {own()}")
        fill("maskDensity", "0.75")
        wait_until(page, lambda: own().get("exposure.mask", {}).get("density") == 0.75,
                   f"without parameters, the mask is the photo's own as a whole: {own()}")
        page.get_by_label("Mask", exact=True).select_option("linear")
        wait_until(page, lambda: "linear" in own()["exposure.mask"], f"the kind can be changed: {own()}")
        page.keyboard.press("Escape")
        page.locator("#reset").click()
        wait_until(page, lambda: own() == {}, "all can be reset")
        page.get_by_role("button", name="White balance", exact=True).press("Enter")
        page.get_by_role("button", name="Pick a grey point").press("Enter")
        wait_for(page, "document.querySelector('#overlay .cross') !== null", "a cross shows the place")
        page.keyboard.press("Enter")
        page.get_by_text("They are the values of the parameters kelvin and tint, which other settings can use, too."
                         " They are changed for this photo only.").wait_for()
        answer("Cancel")
        expect(own() == {}, "Cancel changes nothing")
        page.get_by_role("button", name="Exposure", exact=True).press("Enter")
        fill("maskFeather", "0.3")
        wait_for(page, "!document.getElementById('save').disabled", "there is something to save")
        page.locator("#save").click()
        wait_for(page, "document.getElementById('save').disabled", "it is saved")
        sidecars = [json.loads(path.read_text()) for path in library.folder.glob("*.phbatch.json")]
        expect([one["adjustments"][0]["overrides"] for one in sidecars] == [{"exposure.mask.radial.feather": 0.3}],
               "the sidecar has the part")
        studio.ask("POST", "/api/edit", {"label": "Mask", "operations": [
            {"set": "exposure.mask", "value": {"linear": {"from": [0.5, 0.7], "to": [0.5, 0.3]}}}]})
        wait_for(page, "document.getElementById('mask').value === 'linear'",
                 "in a mask of another kind, the photo's own part has no place, as in a run")
        page.get_by_label("Remove: exposure").click()
        wait_for(page, "document.getElementById('live').textContent === 'Removed in the recipe, for all photos.'",
                 "the page says that a step is removed for all photos")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)
