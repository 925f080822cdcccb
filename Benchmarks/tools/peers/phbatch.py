"""phbatch itself."""
import pathlib
import subprocess

from harness.program import Program

ROOT = pathlib.Path(__file__).resolve().parents[3]
COMMAND = ROOT / ".build/release/phbatch"
RECIPES = ROOT / "Benchmarks/suites/recipes"


def running(recipe, name="phbatch", note="", options=()):
    """A run of the recipe, a file, with two workers."""
    def commands(library, out):
        return [[COMMAND, "run", recipe, library.folder, "--output", out, "--jobs", "2", "--quiet",
                 *options]]
    return Program(name, commands, note=note)


def in_process(recipe):
    """The same pixels in the program itself: no workers, no sandbox, nothing hashed or published."""
    def commands(library, out):
        return [[COMMAND.with_name("InProcess"), recipe, out, *half] for half in library.halves]
    return Program("the renderer in two programs of its own", commands)


def problem(recipe):
    """Why this phbatch cannot run the recipe; None if it can."""
    check = subprocess.run([COMMAND, "validate", recipe], capture_output=True, text=True)
    return None if check.returncode == 0 else (check.stderr + check.stdout).strip()


def explained(recipe):
    """The optimised graph of the recipe, as `phbatch explain` gives it."""
    import json
    text = subprocess.run(
        [COMMAND, "explain", recipe, "--format", "json"], check=True, capture_output=True,
        text=True).stdout
    return json.loads(text)["optimisedGraph"]["nodes"]


def instructions(recipe):
    """How many instructions the recipe's point programs have, after folding."""
    return sum(
        len(node["details"].split("; ")) for node in explained(recipe)
        if node["operation"] == "point")
