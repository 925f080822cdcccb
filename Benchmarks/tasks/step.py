"""What one more point adjustment costs: the recipe of twelve, and without one of them."""
import json

from harness.race import Limit, Race, Result
from peers import phbatch

WITHOUT = ["vignette", "vibrance", "sepia"]


def task(setting):
    recipe = phbatch.RECIPES / "twelve-staying.json"
    programs = [phbatch.running(recipe)]
    limits = []
    for name in WITHOUT:
        whole = json.loads(recipe.read_text())
        whole["filters"] = [step for step in whole["filters"] if step["filter"] != name]
        shorter = setting.work / f"without-{name}.json"
        shorter.write_text(json.dumps(whole))
        less = phbatch.instructions(recipe) - phbatch.instructions(shorter)
        programs.append(phbatch.running(
            shorter, f"without {name}", note=f"{less} instruction{'s' if less != 1 else ''} less"))
        limits.append(Limit(
            f"with {name}, of the time without it", "phbatch", f"without {name}", 1.08))
    return Race(
        name="step", title="One more adjustment, full size", programs=programs, result=Result(),
        limits=limits, notes=[],
        times=3)
