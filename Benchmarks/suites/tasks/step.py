"""What one more point adjustment costs: the recipe of twelve, without one of them, and with hsl."""
import json

from harness.race import Limit, Race, Result
from peers import phbatch

WITHOUT = ["vignette", "vibrance", "sepia"]
#: The dearest point adjustment, among those of its colour space.
HSL = {"filter": "hsl", "redSaturation": 0.2, "greenHue": 0.1, "blueLuminance": -0.2}


def task(setting):
    recipe = phbatch.RECIPES / "twelve-staying.json"
    programs = [phbatch.running(recipe)]
    limits = []

    def changed(title, change):
        whole = json.loads(recipe.read_text())
        change(whole["filters"])
        path = setting.work / f"{title.replace(' ', '-')}.json"
        path.write_text(json.dumps(whole))
        count = phbatch.instructions(path) - phbatch.instructions(recipe)
        words = f"{abs(count)} instruction{'s' if abs(count) != 1 else ''}"
        programs.append(phbatch.running(
            path, title, note=f"{words} {'more' if count > 0 else 'less'}"))

    for name in WITHOUT:
        changed(f"without {name}", lambda steps: steps.remove(
            next(step for step in steps if step["filter"] == name)))
        limits.append(Limit(
            f"with {name}, of the time without it", "phbatch", f"without {name}", 1.08))
    changed("with hsl", lambda steps: steps.insert(5, HSL))
    limits.append(Limit("with hsl, of the time without it", "with hsl", "phbatch", 1.08))
    return Race(
        name="step", title="One more adjustment, full size", programs=programs, result=Result(),
        limits=limits, notes=[],
        times=3)
