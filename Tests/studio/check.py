"""Uses the studio in a real browser, as a person and as an attacker: check.py PHBATCH [CHECK…].

With names of checks, only these run.
Skipped, and said so, where there is no Chromium. Screenshots go to the folder that the environment
variable PHBATCH_SCREENSHOTS names; with PHBATCH_TIMES, the seconds of each check are printed.
"""

import concurrent.futures
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import traceback

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from attacks import attacks
from badges import badges
from crops import aspects, chosen, crops, levels, shapes
from editing import steps, story, tools
from ends import busy
from harness import (
    CHROMIUM, OPTIONS, PAINTED, PHBATCH, RESULTS, SUBJECT, Library, Studio, expect, shoot, wait_for, watched)
from gestures import doubled, ending, held, quick, typed
from handles import corners, framed
from late import hasty, late, meant, patient, undone
from lengths import lengths
from layout import clipping, layout, narrow, still
from many import many
from oddities import failing, lists, vanished, wrong
from outside import adjusted, base, follows, returns, stored
from parameters import bindings, outputs, parameters, personal
from pixels import greys, law, sharing, transparent
from places import masks, panes, pickers
from recognised import combined, early, recognised
from reach import reached
from recipes import extends, fixed, marks, useless
from refusals import refusals
from running import counted, meanwhile, refocused, uncertain
from safety import damaged, draft, faults, loss, output, rejoined, revert, unread
from sources import films, raw


def run(browser, library):
    """Check and run: the renditions are those of the command."""
    studio = Studio(library)
    context = browser.new_context()
    page = watched(context, [])
    try:
        page.goto(studio.address)
        wait_for(page, "document.getElementById('run').textContent.startsWith('Run ')",
                 "the check counts the photos that are due")
        badges = "[...document.querySelectorAll('.cell .badge')].map((e) => e.textContent).join('')"
        wait_for(page, f"{badges} === '++++++'", "badges say that no photo is rendered")
        page.locator("#run").click()
        wait_for(page, "document.getElementById('run').textContent === 'Up to date'",
                 "the run ends")
        wait_for(page, f"{badges} === '✓✓✓✓✓✓'", "badges say that all are rendered")
        names = page.evaluate("[...document.querySelectorAll('.cell')].map((e) => e.ariaLabel)")
        expect(all(name.endswith(", rendered") for name in names), f"so do their names: {names}")
        expect(len(list((library.folder / "out").glob("*.jpg"))) == 6, "all photos are rendered")
        clean = subprocess.run([PHBATCH, "run", "--check", library.recipe, library.folder],
                               capture_output=True)
        expect(clean.returncode == 0, "the command has nothing to do afterwards")
    finally:
        context.close()
        studio.end()


def access(browser, library):
    """Names, colours and sizes for everybody."""
    studio = Studio(library, "--read-only")
    try:
        for scheme in ["dark", "light"]:
            context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")
            page = watched(context, [])
            page.goto(studio.address)
            wait_for(page, PAINTED, f"the photo is painted ({scheme})")
            shoot(page, scheme)
            found = Axe().run(page).response["violations"]
            expect(not found, f"axe, {scheme}: " + "; ".join(
                f"{one['id']}: {one['nodes'][0]['html'][:90]}" for one in found))
            context.close()
        context = browser.new_context(viewport={"width": 380, "height": 800})
        page = watched(context, [])
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted on a narrow screen")
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        expect(wide <= 380, f"nothing is cut off at 380 pixels: {wide}")
        shoot(page, "narrow")
        context.close()
    finally:
        studio.end()


def latency(browser, library):
    """Prints the time from a movement to its painted picture; asserts no speed."""
    studio = Studio(library, "--read-only")
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = watched(context, [])
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        times = page.evaluate("""async () => {
          const slider = document.querySelector('[data-setting=stops] input[type=range]');
          const times = [];
          for (let n = 0; n < 40; n += 1) {
            const seen = new Promise((resolve) => {
              new PerformanceObserver((list, self) => {
                if (!list.getEntriesByName('shown').length) return;
                self.disconnect();
                resolve();
              }).observe({ type: 'mark' });
            });
            const start = performance.now();
            slider.value = 300 + 10 * n;
            slider.dispatchEvent(new Event('input'));
            await seen;
            times.push(performance.now() - start);
          }
          return times;
        }""")
        expect(len(times) == 40, "each movement is painted")
        times = sorted(times[5:])
        wait_for(page, "performance.getEntriesByName('ahead').some((mark) => mark.detail.photo === 'p1')",
                 "the next photo is rendered in advance")
        after = page.evaluate("""async () => {
          const seen = new Promise((resolve) => {
            new PerformanceObserver((list, self) => {
              if (!list.getEntriesByName('shown').some((mark) => mark.detail.photo === 'p1')) return;
              self.disconnect();
              resolve(performance.now());
            }).observe({ type: 'mark' });
          });
          const start = performance.now();
          document.getElementById('next').click();
          return await seen - start;
        }""")
        print(f"next photo: {after:.0f} ms")
        print(f"movement to paint: median {statistics.median(times):.0f} ms,"
              f" p95 {times[int(0.95 * len(times))]:.0f} ms")
    finally:
        context.close()
        studio.end()


# Checks of the server alone; the others use a browser. The longest ones are first, so that all processes end together.
PLAIN = [attacks, refusals, busy]
CHECKS = PLAIN + [
    raw, crops, ending, patient, recognised, films, draft, marks, wrong, pickers, many, law, story, corners, unread, damaged,
    outputs, steps, bindings, tools, latency, layout, vanished, parameters, framed, revert, early, failing, panes, masks,
    loss, combined, useless, faults, access, personal, follows, base, stored, returns, run, narrow, badges, output, fixed,
    clipping, lists, extends, held, typed, quick, doubled, late, undone, meant, rejoined, transparent, sharing, greys,
    lengths, levels, aspects, shapes, chosen, adjusted, counted, meanwhile, refocused, reached, hasty, uncertain,
    still]
# Most checks wait for the page, so that more of them than there are processors run at the same time.
PROCESSES = 4


class Share:
    """The checks that no process has begun yet."""
    taken = None

    @classmethod
    def begin(cls, taken):
        cls.taken = taken

    @classmethod
    def next(cls, checks):
        with cls.taken.get_lock():
            cls.taken.value += 1
            return checks[cls.taken.value - 1] if cls.taken.value <= len(checks) else None


def wanted():
    """The checks that the command line names, or all of them."""
    names = sys.argv[2:]
    return [check for check in CHECKS if (not names or check.__name__ in names) and (CHROMIUM or check in PLAIN)]


def checked(folder):
    """Does checks until none is left, in a browser of this process; returns their results."""
    times = []
    options = OPTIONS + (["--no-sandbox"] if os.geteuid() == 0 else [])
    with sync_playwright() as playwright:
        browser = CHROMIUM and playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        while check := Share.next(wanted()):
            start = time.monotonic()
            SUBJECT[0] = check.__name__
            library = Library(folder / check.__name__)
            try:
                check(library) if check in PLAIN else check(browser, library)
            except Exception:  # The other checks run all the same.
                expect(False, traceback.format_exc())
            times.append((round(time.monotonic() - start, 1), check.__name__))
        if browser:
            browser.close()
    if os.environ.get("PHBATCH_TIMES"):
        print(f"{sum(one for one, _ in times):.0f} s:", *times)
    return RESULTS


def main():
    if not CHROMIUM:
        print("SKIPPED: the studio in a browser: there is no chromium")
    spawning = multiprocessing.get_context("spawn")
    results = []
    with tempfile.TemporaryDirectory(prefix="phbatch-studio-") as folder:
        share = spawning.Value("i", 0)
        with concurrent.futures.ProcessPoolExecutor(PROCESSES, spawning, Share.begin, (share,)) as pool:
            for found in pool.map(checked, [pathlib.Path(folder)] * PROCESSES):
                results += found
    print(f"studio: {sum(results)} passed, {len(results) - sum(results)} failed")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
