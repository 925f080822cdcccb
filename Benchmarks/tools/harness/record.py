"""Benchmarks/results/results.json: the figures of each task, kept from run to run."""
import datetime
import json
import os
import pathlib
import platform
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
FILE = ROOT / "Benchmarks/results/results.json"


def revision():
    """The commit that is measured; with a `+` if there are changes to the sources since."""
    def git(*words):
        return subprocess.run(
            ["git", "-C", ROOT, *words], capture_output=True, text=True).stdout.strip()
    changed = git("status", "--porcelain", "--", "Sources", "Package.swift")
    return git("rev-parse", "--short", "HEAD") + ("+" if changed else "")


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


class Record:
    def __init__(self, library, source):
        self.tasks = {}
        self.about = {
            "machine": f"{os.cpu_count()} cores, {processor()}",
            "photos": {
                "from": source, "count": len(library.photos),
                "megapixels": round(library.megapixels, 1),
                "megabytes": round(library.bytes / 1e6, 1), "names": library.names}}
        if FILE.exists():
            before = json.loads(FILE.read_text())
            # Figures of other photos or of another machine do not belong beside these.
            if before.get("about") == self.about:
                self.tasks = before["tasks"]

    def has(self, name):
        return self.tasks.get(name, {}).get("revision") == revision()

    def keep(self, name, figures, seconds, load):
        self.tasks[name] = {
            "date": datetime.date.today().isoformat(), "revision": revision(),
            "seconds": round(seconds), "load_before": round(load, 2), **figures}
        self.write()

    def write(self):
        FILE.write_text(json.dumps(
            {"about": self.about, "tasks": self.tasks}, indent=2) + "\n")
