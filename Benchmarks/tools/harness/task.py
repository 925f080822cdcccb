"""The tasks that are not races: scripts of Benchmarks/suites with figures of their own."""
import json
import pathlib
import subprocess
from dataclasses import dataclass

from harness.program import Failed
from harness.race import verdict

HERE = pathlib.Path(__file__).resolve().parents[2]


class Skipped(Exception):
    """A task that cannot be done here; says why."""


@dataclass
class Script:
    """Runs Benchmarks/suites/NAME, which prints its figures and may leave verdicts in results/NAME.json."""
    name: str
    title: str
    #: Whether it is given the folder of photos, where there is one.
    takes_photos: bool = False

    def measure(self, setting):
        script = HERE / "suites" / self.name
        if not script.exists():
            raise Skipped(f"there is no Benchmarks/suites/{self.name}")
        photos = [setting.folder] if self.takes_photos and setting.folder else []
        done = subprocess.run([script, *photos], capture_output=True, text=True)
        setting.say(f"{done.stderr}{done.stdout}".strip())
        figures = HERE / f"results/{self.name}.json"
        limits = json.loads(figures.read_text()).get("limits", []) if figures.exists() else []
        # A figure that misses its limit is a result; anything else that goes wrong is not.
        if done.returncode != 0 and all(limit["holds"] for limit in limits):
            raise Failed(f"{self.name}: {done.stderr[-2000:]}")
        return {
            "title": self.title, "text": done.stdout.strip(), "limits": [
                verdict(limit["text"], limit["value"], limit["bound"], limit["at_least"],
                        limit["unit"]) for limit in limits]}
