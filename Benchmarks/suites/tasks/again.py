"""A second run over photos that are up to date."""
import statistics
import subprocess
import time

from peers import phbatch


class Again:
    name = "again"

    def measure(self, setting):
        program = phbatch.running(phbatch.RECIPES / "web.json")
        command, = program.commands(setting.library, setting.work / "again")
        subprocess.run(command, check=True)
        seconds = []
        for _ in range(setting.rounds):
            began = time.perf_counter()
            subprocess.run(command, check=True)
            seconds.append(time.perf_counter() - began)
        text = (f"{len(setting.library.photos)} photos that are up to date:"
                f" {statistics.median(seconds) * 1000:.0f} ms")
        setting.say(text)
        return {"title": "A second run, with nothing to do", "text": text, "seconds": seconds,
                "limits": []}


def task(setting):
    return Again()
