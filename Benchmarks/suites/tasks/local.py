"""Highlights, shadows, clarity and denoising at full size."""
from harness.race import Limit, Race, Result
from harness.task import Skipped
from peers import darktable as dt
from peers import phbatch


def task(setting):
    recipe = phbatch.RECIPES / "local.json"
    if problem := phbatch.problem(recipe):
        raise Skipped(f"this phbatch cannot run {recipe.name}:\n{problem}")
    modules = [dt.shadows_highlights(50, -50), dt.local_contrast(0.33), dt.denoise(1)]
    return Race(
        name="local",
        title="Highlights, shadows, clarity and denoising, full size",
        programs=[phbatch.running(recipe), dt.darktable(modules, 90, setting.work)],
        result=Result(),
        limits=[Limit("darktable-cli, of phbatch's time", "darktable-cli", "phbatch", 3, True)],
        notes=[])
