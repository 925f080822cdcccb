"""A library of thousands of photos: what is not in sight costs nothing."""

import os

from harness import PAINTED, begin, expect, finish, wait_for

CELLS = "[...document.querySelectorAll('.cell')]"
RUN = "document.getElementById('run').textContent"


def many(browser, library):
    """The strip has only the cells in sight, and a check is made only on request."""
    total = 2506
    for number in range(6, total):
        os.link(library.folder / "photo-1.png", library.folder / f"photo-{number:04}.png")
    studio, page, violations = begin(browser, library, height=800)
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        expect(page.evaluate(RUN) == "Check", "a check of many photos waits for a person")
        wait_for(page, f"{CELLS}.length > 5 && {CELLS}.length < 40", "cells are those in sight")
        wait_for(page, f"{CELLS}.every((cell) => cell.ariaLabel.endsWith('not rendered yet'))",
                 "badges come with the pictures")
        page.evaluate("() => { const box = document.getElementById('strip'); box.scrollLeft = box.scrollWidth; }")
        wait_for(page, f"{CELLS}.some((cell) => cell.ariaLabel.startsWith('photo-{total - 1}.png'))",
                 "the last photo comes into sight")
        expect(page.evaluate(f"{CELLS}.length") < 40, "there are no more cells than before")
        places = page.evaluate(
            f"{CELLS}.map((cell) => [cell.ariaPosInSet, cell.ariaSetSize, cell.dataset.index])")
        expect(all(int(place) == int(index) + 1 and size == str(total)
                   for place, size, index in places), f"each says its place: {places[:3]}")
        page.keyboard.press("g")
        wait_for(page, f"{CELLS}.length > 40 && {CELLS}.length < 120", "so has the grid")
        page.keyboard.press("g")
        page.locator("#run").click()
        wait_for(page, f"{RUN}.startsWith('Stop check · ')", "the check says how far it is")
        page.locator("#run").click()
        wait_for(page, f"{RUN} === 'Check'", "and can be stopped")
        page.locator("#run").click()
        wait_for(page, f"{RUN} === 'Run {total} ▸'", "it counts the photos that are due")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        finish(studio, page)
