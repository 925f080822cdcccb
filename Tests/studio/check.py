"""Uses the studio in a real browser, as a person and as an attacker: check.py PHBATCH [CHECK…].

With names of checks, only these run.
Skipped, and said so, where there is no Chromium. Screenshots go to the folder that the environment
variable PHBATCH_SCREENSHOTS names.
"""

import concurrent.futures
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import traceback

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from attacks import attacks
from badges import badges
from editing import steps, story, tools
from harness import (
    CHROMIUM, OPTIONS, PAINTED, PHBATCH, RESULTS, Library, Studio, expect, shoot, wait_for, watched)
from handles import corners, framed
from layout import clipping, layout, narrow
from many import many
from oddities import failing, lists, vanished, wrong
from parameters import bindings, outputs, parameters, personal
from pixels import law
from places import masks, panes, pickers
from recognised import combined, early, recognised
from recipes import extends, fixed, marks, useless
from refusals import refusals
from safety import damaged, draft, faults, loss, output, revert, unread
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
                 "the run ends", 60_000)
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


# Groups that run at the same time, because most checks wait for the page.
GROUPS = [[story, tools, masks, combined, law, raw, draft, loss, latency],
          [steps, pickers, recognised, early, films, panes, many, bindings, personal, extends, fixed, badges, layout, clipping, narrow, access],
          [framed, corners, damaged, wrong, lists, output, run, parameters, useless, marks, outputs, vanished, failing,
           revert, unread, faults]]


def chosen(checks):
    return [check for check in checks if not sys.argv[2:] or check.__name__ in sys.argv[2:]]


def checked(group, folder):
    """Runs a group of checks in a browser of its own; returns their results."""
    options = OPTIONS + (["--no-sandbox"] if os.geteuid() == 0 else [])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        for check in chosen(GROUPS[group]):
            try:
                check(browser, Library(folder / check.__name__))
            except Exception:  # The other checks run all the same.
                expect(False, f"{check.__name__}: {traceback.format_exc()}")
        browser.close()
    return RESULTS


def main():
    with tempfile.TemporaryDirectory(prefix="phbatch-studio-") as folder:
        folder = pathlib.Path(folder)
        for check in chosen([attacks, refusals]):
            check(Library(folder / check.__name__))
        results = list(RESULTS)
        if not CHROMIUM:
            print("SKIPPED: the studio in a browser: there is no chromium")
        else:
            # New processes, so that none begins with the results of the attacks.
            spawning = multiprocessing.get_context("spawn")
            with concurrent.futures.ProcessPoolExecutor(len(GROUPS), spawning) as pool:
                for found in pool.map(checked, range(len(GROUPS)), [folder] * len(GROUPS)):
                    results += found
    print(f"studio: {sum(results)} passed, {len(results) - sum(results)} failed")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
