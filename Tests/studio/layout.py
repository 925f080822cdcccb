"""The places of things: the photo stays in sight, targets are large enough, nothing jumps; clipping; names of sides."""

import json

from harness import PAINTED, RESTED, Studio, begin, colour, expect, finish, png, shoot, wait_for, wait_until, watched

BOXES = "() => [...document.querySelectorAll('input[type=checkbox]')].map((e) => e.getBoundingClientRect().width)"
SIDES = "[...document.querySelectorAll('.side')].map((e) => e.textContent).join()"
# How far a dialog is scrolled, whether its button has the focus, and whether the button is in sight.
LONG = """() => {
  const [dialog, button] = ['dialog', 'dialog button'].map((name) => document.querySelector(name));
  return [dialog.scrollTop, button === document.activeElement,
    button.getBoundingClientRect().bottom <= dialog.getBoundingClientRect().bottom];
}"""
# The controls that are beyond the sides of the window.
CUT = """() => [...document.querySelectorAll('.bar *, .tools *, .panel :is(button, input, select)')].filter((e) => {
  const { left, right } = e.getBoundingClientRect();
  return e.checkVisibility() && (left < 0 || right > innerWidth);
}).map((e) => e.id || e.className || e.tagName)"""
# The places and heights of the steps in their list.
ROWS = """() => {
  const top = document.getElementById('step-list').getBoundingClientRect().top;
  return [...document.querySelectorAll('#step-list li')].map((e) => e.getBoundingClientRect())
    .map(({ top: y, height }) => [Math.round(y - top), Math.round(height)]);
}"""
LACKING = {"filter": "exposure", "stops": 0.5, "id": "glow",
           "mask": {"depth": {"min": 0.5, "missing": "nothing"}}}


def recipe(*filters):
    return json.dumps({
        "identifier": "org.example.studio", "version": "1.0.0", "filters": list(filters),
        "outputs": [{"name": "web", "format": "png", "path": "out/{stem}.{ext}"}]}, indent=2)


def narrow(browser, library):
    """At 200 % zoom and on a narrow screen, the photo stays in sight while its sliders move."""
    studio = Studio(library)
    try:
        for width, height in [(720, 450), (380, 800)]:
            context = browser.new_context(viewport={"width": width, "height": height})
            page = watched(context, [])
            page.goto(studio.address)
            wait_for(page, PAINTED.replace("300", "100"), f"the photo is painted at {width} pixels")
            page.get_by_role("button", name="White balance", exact=True).click()
            for name in ["temperature", "opacity"]:
                slider = page.locator(f"[data-setting={name}] input[type=range]")
                slider.focus()
                shown = page.evaluate("""(name) => {
                  const [photo, slider] = [document.getElementById('picture'),
                    document.querySelector(`[data-setting=${name}] input[type=range]`)].map((e) => e.getBoundingClientRect());
                  return [photo.top >= 0, photo.bottom <= slider.top, slider.bottom <= innerHeight, photo.height > 90];
                }""", name)
                expect(all(shown), f"{width} × {height}: photo and slider of {name} are both in sight: {shown}")
            page.locator("[data-setting=opacity] input[inputmode=decimal]").fill(f"0.{width}")
            page.keyboard.press("Enter")
            wait_for(page, "document.getElementById('unsaved').textContent !== ''", "there is something to save")
            whole = "scrollWidth <= clientWidth && clientWidth > 50"
            expect(page.evaluate(f"(({{ scrollWidth, clientWidth }}) => {whole})(document.getElementById('unsaved'))"),
                   f"which is not cut off at {width} pixels")
            page.evaluate("() => document.activeElement.blur()")
            page.keyboard.press("?")
            expect(page.evaluate(LONG) == [0, True, True],
                   f"a long dialog begins at its start, with its button in sight: {page.evaluate(LONG)}")
            shoot(page, f"keys-{width}")
            page.keyboard.press("Escape")
            shoot(page, f"narrow-{width}")
            wide = page.evaluate("() => document.documentElement.scrollWidth")
            expect(wide <= width, f"nothing is cut off at {width} pixels: {wide}")
            for part in [".bar", ".tools"]:
                hidden = page.evaluate("(part) => { const { scrollWidth, clientWidth } = document.querySelector(part);"
                                       " return scrollWidth - clientWidth; }", part)
                expect(hidden <= 0, f"nor beyond the edge of {part}: {hidden} pixels")
            context.close()
    finally:
        studio.end()


def layout(browser, library):
    """Controls do not jump or shrink; a step with a name of its own says its filter; sides have names; keys keep the focus."""
    library.recipe.write_text(recipe(LACKING, {"filter": "contrast"}, {"filter": "saturation"}))
    studio, page, violations = begin(browser, library)
    focus = "document.activeElement.textContent"
    try:
        page.goto(studio.address)
        lacks = "document.getElementById('mask-lacks')"
        wait_for(page, f"{lacks}?.textContent > ''", "the photo lacks a depth map")
        lines = page.evaluate(f"{lacks}.scrollHeight <= 34 && {lacks}.clientHeight === 34")
        expect(lines, "the sentence has its place, with it and without it")
        expect(all(width >= 24 for width in page.evaluate(BOXES)), f"check boxes are large: {page.evaluate(BOXES)}")
        select = page.get_by_label("Photos without it")
        expect(select.evaluate("(e) => e.clientWidth - 24 >= (() => { const c = document.createElement('canvas').getContext('2d');"
                               " c.font = getComputedStyle(e).font; return c.measureText('stay unchanged').width })()"),
               "choices are not cut")
        expect(page.locator("#step-list .name").first.text_content() == "GlowExposure", "a step says its filter")
        expect(page.locator("#controls-title").text_content() == "Glow · Exposure", "and so does its panel")
        page.locator("#split").click()
        wait_for(page, f"{SIDES} === 'Before,After'", "the sides of the divider have names")
        page.locator("#beside").click()
        wait_for(page, f"{SIDES} === 'Before,After'", "and so have the two pictures")
        shoot(page, "beside")
        page.locator("#beside").click()
        wait_for(page, f"{SIDES} === ','", "one picture needs none")
        page.get_by_role("button", name="Saturation", exact=True).press("Enter")
        cut = page.evaluate("[...document.querySelectorAll('#step-list .name')]"
                            ".filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent)")
        expect(cut == [], f"no name of a step is cut off: {cut}")
        page.locator("[data-setting=opacity] input[inputmode=decimal]").fill("0.5")
        page.locator("[data-setting=opacity] input[inputmode=decimal]").press("Enter")
        wait_for(page, "!document.getElementById('save').disabled", "there is something to save")
        page.locator("#save").click()
        wait_for(page, "document.getElementById('message').textContent === 'Saved the recipe.'", "the page says that it saved")
        page.get_by_label("Move up: saturation").press("Enter")
        wait_for(page, "document.querySelectorAll('#step-list .name')[1].textContent === 'Saturation'", "a step moves")
        wait_for(page, "document.activeElement.ariaLabel === 'Move up: saturation'", "and keeps the focus")
        page.keyboard.press("Enter")
        wait_for(page, "document.querySelectorAll('#step-list .name')[0].textContent === 'Saturation'", "it moves again")
        wait_for(page, "document.activeElement.matches('[aria-disabled=true]')"
                       " && document.activeElement.ariaLabel === 'Move up: saturation'", "the button keeps the focus, dimmed")
        page.keyboard.press("Enter")
        page.get_by_label("Remove: saturation").press("Enter")
        wait_for(page, "document.querySelectorAll('#step-list .name').length === 2", "a step is removed")
        wait_for(page, f"{focus} === 'GlowExposure'", "its neighbour has the focus")
        wait_for(page, "document.getElementById('message').textContent === ''", "and the sentence leaves the photo")
        page.emulate_media(forced_colors="active")
        for name in ["#scope span", "#step-list .name", ".tools button"]:
            if name.startswith(".tools"):
                page.locator("#split").click()
            colours = page.evaluate("(name) => [...document.querySelectorAll(name)]"
                                    ".map((e) => getComputedStyle(e).backgroundColor)", name)
            expect(len(set(colours)) == 2, f"with the system's colours, one of {name} stands out: {colours}")
        for width in [850, 900]:
            page.set_viewport_size({"width": width, "height": 700})
            cut = page.evaluate(CUT)
            expect(cut == [], f"all controls are inside a window of {width} pixels: {cut}")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)


def still(browser, library):
    """No step moves when another one is chosen, and no button to remove it comes under the pointer."""
    names = ["exposure", "whiteBalance", "contrast", "saturation", "highlights", "shadows", "clarity", "vibrance",
             "vignette", "hue", "sepia", "sharpen"]
    filters = [{"filter": name, **({"id": f"a-name-that-needs-two-lines-{number}"} if number % 4 == 2 else {})}
               for number, name in enumerate(names)]
    library.recipe.write_text(recipe(*filters))
    studio = Studio(library)
    try:
        # At 200 %, a window of 1280 pixels has 640, and one of 1920 pixels 960.
        for width, height in [(1280, 800), (1920, 1080), (960, 540), (640, 400), (380, 800)]:
            context = browser.new_context(viewport={"width": width, "height": height})
            page = watched(context, [])
            page.goto(studio.address)
            wait_for(page, f"{RESTED} && document.querySelectorAll('#step-list li').length === {len(names)}",
                     f"the steps are listed at {width} pixels")
            at_first = page.evaluate(ROWS)
            for number in [0, 7, 3, 11, 10, 2, 0]:
                name = page.locator("#step-list .name").nth(number)
                name.scroll_into_view_if_needed()
                box = name.bounding_box()
                place = [box["x"] + box["width"] - 12, box["y"] + box["height"] / 2]
                page.mouse.click(*place)
                key = filters[number].get("id", names[number])
                label = f"Remove: {key}"
                wait_for(page, f"document.querySelector('#step-actions :last-child').ariaLabel === '{label}'",
                         f"step {number} is chosen at {width} pixels")
                hit = page.evaluate("([x, y]) => { const e = document.elementFromPoint(x, y);"
                                    " return [e.closest('.name') !== null, e.closest('li')?.dataset.step]; }", place)
                expect(hit == [True, key], f"at {width} pixels, the name of step {number} stays under the pointer: {hit}")
                rows = page.evaluate(ROWS)
                expect(rows == at_first, f"at {width} pixels, no row moves with step {number}: {rows}, {at_first}")
                page.mouse.click(*place)
            sizes = page.evaluate("[...document.querySelectorAll('#step-actions button, #step-list button')]"
                                  ".map((e) => e.getBoundingClientRect()).map((r) => Math.min(r.width, r.height))")
            expect(min(sizes) >= 24, f"targets are large enough at {width} pixels: {min(sizes)}")
            shoot(page, f"steps-{width}")
            last = page.locator("#step-list .name").last
            last.focus()
            page.locator("#step-list .name").first.focus()
            seen = page.evaluate("() => { const { x, y, width } = document.activeElement.getBoundingClientRect();"
                                 " return document.elementFromPoint(x + width / 2, y + 1) === document.activeElement; }")
            expect(seen, f"at {width} pixels, nothing covers the step with the focus")
            context.close()
        edit = json.loads(studio.ask("GET", "/api/session")[1])["edit"]
        expect(len(edit["filters"]) == len(names) and not edit.get("undo"), "slow second clicks remove no step")
    finally:
        studio.end()


def clipping(browser, library):
    """J marks what is white or black in the result, also beside a mask in red; at 1:1, arrow keys show other parts."""
    for photo in library.folder.iterdir():
        photo.unlink()
    (library.folder / "bars.png").write_bytes(png(1500, 300, lambda x, y: ((0, 60, 255)[x // 500],) * 3))
    library.recipe.write_text(recipe(
        {"filter": "exposure", "stops": 0, "mask": {"luminance": {"min": 0, "max": 1}}},
        {"filter": "crop", "left": "0%", "width": "100%"}))
    studio, page, violations = begin(browser, library)
    text = "document.getElementById('clipped').textContent"
    part = "document.getElementById('picture').dataset.part"
    pixel = """(x) => { const c = document.getElementById('clipping');
      return [...c.getContext('2d').getImageData(x * c.width, 100, 1, 1).data].join() }"""
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        wait_for(page, RESTED, "it is at rest")
        expect(page.locator("#clipping").is_hidden(), "nothing is marked at first")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("j")
        expect(page.locator("#clipping").is_visible(), "J marks what is clipped")
        expect([page.evaluate(pixel, x) for x in [0.1, 0.5, 0.9]] == ["32,64,255,255", "0,0,0,0", "255,32,32,255"],
               f"black is blue, white is red: {[page.evaluate(pixel, x) for x in [0.1, 0.5, 0.9]]}")
        shoot(page, "clipping")
        share = page.evaluate(text)
        expect(share.startswith("At white 33.") and ", black 33." in share, f"a third is white, and a third black: {share}")
        page.keyboard.press("m")
        wait_until(page, lambda: colour(page)[0] > colour(page)[1] + 80, "the mask is shown in red")
        page.wait_for_timeout(300)
        expect(page.evaluate(text) == share, f"which does not count: {share}, {page.evaluate(text)}")
        expect([page.evaluate(pixel, x) for x in [0.1, 0.5, 0.9]] == ["32,64,255,255", "0,0,0,0", "255,32,32,255"],
               f"nor is it marked: {[page.evaluate(pixel, x) for x in [0.1, 0.5, 0.9]]}")
        page.keyboard.press("m")
        wait_until(page, lambda: colour(page)[0] == colour(page)[1], "the mask is no longer shown")
        page.locator(".cell").first.click()
        page.keyboard.press("z")
        wait_for(page, f"{part} !== '' && ({RESTED})", "Z shows the photo at 1:1, also after a click in the list")
        middle = page.evaluate(part)
        page.keyboard.press("ArrowRight")
        wait_for(page, f"{part} !== '{middle}'", "arrow keys show another part")
        page.keyboard.press("z")
        wait_for(page, f"{part} === '' && ({RESTED})", "Z shows the whole photo")
        field = page.locator("[data-setting=stops] input[inputmode=decimal]")
        field.fill("-10")
        field.press("Enter")
        wait_until(page, lambda: page.evaluate(pixel, 0.5) == "32,64,255,255", "the marks follow the picture")
        page.locator("#clip").click()
        expect(page.locator("#clipping").is_hidden(), "the button ends it")
        page.locator("#crop").click()
        page.locator("circle[aria-label='Crop, upper left']").wait_for()
        page.wait_for_timeout(100)
        hit = page.evaluate("""() => {
          const { x, y, width, height } = document.querySelector("circle[aria-label='Crop, upper left']").getBoundingClientRect();
          return document.elementFromPoint(x + width / 2, y + 3)?.tagName;
        }""")
        expect(hit == "circle", f"handles at the photo's edge are whole: {hit}")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)
