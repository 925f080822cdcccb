"""Programs that do the same work, run in turn, compared round by round."""
import shutil
import statistics
from dataclasses import dataclass, replace

from harness import jpeg, likeness, png
from harness.program import Failed, run

# Programs that take longer than this get fewer rounds.
SLOW_SECONDS, SLOW_ROUNDS = 20, 3


@dataclass(frozen=True)
class Result:
    """What every program has to make of each photo, so that the work is equal."""
    #: The longest edges of the files; None is the photo's own.
    edges: tuple = (None,)
    #: Of JPEG; of PNG, how its samples are stored.
    subsampling: str = "4:2:0"
    suffixes: tuple = (".jpg", ".jpeg")

    def header(self, path):
        return (png if path.suffix == ".png" else jpeg).header(path)

    def check(self, library, out):
        """The bytes of all results; `Failed` if they are not what was asked for."""
        found = [path for path in out.rglob("*") if path.suffix.lower() in self.suffixes]
        wanted = sorted(
            edge or photo.header.edges[0] for photo in library.photos for edge in self.edges)
        headers = [self.header(path) for path in found]
        made = sorted(header.edges[0] for header in headers)
        if len(made) != len(wanted) or any(abs(a - b) > 1 for a, b in zip(made, wanted)):
            raise Failed(f"made files with edges of {made} pixels, not {wanted}")
        other = {header.subsampling for header in headers} - {self.subsampling}
        if other:
            raise Failed(f"subsampling is {', '.join(sorted(other))}, not {self.subsampling}")
        return sum(path.stat().st_size for path in found)


@dataclass(frozen=True)
class Limit:
    """A bound on the time of one program in terms of another's."""
    text: str
    of: str
    to: str
    bound: float
    #: Whether the figure must not fall below the bound, rather than not rise above it.
    at_least: bool = False

    def judged(self, entries):
        pairs = ratios(entries, self.of, self.to)
        if not pairs:
            return verdict(self.text, None, self.bound, self.at_least)
        return verdict(self.text, statistics.median(pairs), self.bound, self.at_least)


@dataclass(frozen=True)
class SizeLimit:
    """A bound on the bytes that one program writes in terms of another's."""
    text: str
    of: str
    to: str
    bound: float

    def judged(self, entries):
        if self.of not in entries or self.to not in entries:
            return verdict(self.text, None, self.bound)
        return verdict(
            self.text, entries[self.of]["bytes"] / entries[self.to]["bytes"], self.bound)


def verdict(text, value, bound, at_least=False, unit="×"):
    holds = None if value is None else value >= bound if at_least else value <= bound
    return {"text": text, "value": value, "bound": bound, "at_least": at_least, "unit": unit,
            "holds": holds}


def ratios(entries, of, to):
    """The wall time of one program over another's, for each round in which both ran."""
    if of not in entries or to not in entries:
        return []
    return [a / b for a, b in zip(entries[of]["wall"], entries[to]["wall"])]


@dataclass
class Race:
    name: str
    title: str
    programs: list
    result: Result
    limits: list
    notes: list
    reference: str = "phbatch"
    #: The most that a result may differ from the reference's, in levels of 255: work is equal, or
    #: alike where a program has other formulas.
    difference: float = 25
    #: How many times the usual rounds it takes to see what is asked for.
    times: int = 1
    #: How often the library holds each photo: many, where it is not asked how long a start takes.
    copies: int = 1

    def measure(self, setting):
        if self.copies > 1:
            more = setting.library.repeated(self.copies, setting.work / f"{self.name}-photos")
            setting = replace(setting, library=more)
        repeated = [f"Each photo {self.copies} times."] if self.copies > 1 else []
        entries, failures = {}, {}
        shutil.rmtree(setting.samples, ignore_errors=True)
        setting.samples.mkdir()
        for number in range(self.times * setting.rounds):
            turn = list(self.programs)
            for program in turn[number % len(turn):] + turn[:number % len(turn)]:
                if program.name in failures:
                    continue
                entry = entries.get(program.name)
                if entry and number >= SLOW_ROUNDS and entry["wall"][0] > SLOW_SECONDS:
                    continue
                try:
                    self.measure_once(program, entries, setting)
                except (Failed, OSError, ValueError) as error:
                    failures[program.name] = str(error)
                    entries.pop(program.name, None)
                    setting.say(f"{self.name}: {program.name} FAILED: {error}")
        self.compare(entries, failures, setting)
        for name, entry in entries.items():
            pairs = ratios(entries, name, self.reference)
            entry["ratio"] = statistics.median(pairs) if pairs else None
            entry["spread"] = [min(pairs), max(pairs)] if pairs else None
        return {
            "title": self.title, "reference": self.reference, "programs": entries,
            "failures": failures, "limits": [limit.judged(entries) for limit in self.limits],
            "notes": self.notes + repeated + [f"{p.name}: {p.note}" for p in self.programs if p.note]}

    def against(self, command, other, setting):
        """The ratios, round by round, of the reference's wall and processor time to those of the
        same work by another build of its command."""
        mine = next(program for program in self.programs if program.name == self.reference)
        theirs = replace(mine, name="the other build", commands=lambda library, out: [
            [other if word == command else word for word in words]
            for words in mine.commands(library, out)])
        found = replace(self, programs=[mine, theirs], limits=[]).measure(setting)
        if found["failures"]:
            raise Failed(f"{self.name}: {found['failures']}")
        one, two = (found["programs"][program.name] for program in (mine, theirs))
        return [[a / b for a, b in zip(one[key], two[key])] for key in ("wall", "cpu")]

    def compare(self, entries, failures, setting):
        """Leaves out programs that made another picture than the reference did."""
        if self.reference not in entries:
            return
        suffix = self.result.suffixes[0]
        paths = [setting.samples / f"{name}{suffix}" for name in entries]
        found = likeness.differences(setting.samples / f"{self.reference}{suffix}", paths)
        for name, difference in zip(list(entries), found):
            entries[name]["difference"] = difference
            if not difference <= self.difference:
                failures[name] = f"its picture differs by {difference:.1f} levels"
                setting.say(f"{self.name}: {name} FAILED: {failures[name]}")
                del entries[name]

    def measure_once(self, program, entries, setting):
        """One more run of the program; in the first round of its rival too, and the faster stays."""
        entry = entries.get(program.name)
        if entry is None and program.rival:
            found = [self.timed(each, setting) for each in (program, program.rival)]
            chosen = found.index(min(found, key=lambda pair: pair[0].wall))
            each = (program, program.rival)[chosen]
            entry = entries[program.name] = {
                "mode": each.name, "rival": {"mode": (program, program.rival)[1 - chosen].name,
                                             "wall": found[1 - chosen][0].wall},
                "wall": [], "cpu": [], "memory": []}
            measured = found[chosen]
        else:
            entry = entries.setdefault(program.name, {"wall": [], "cpu": [], "memory": []})
            rival = program.rival
            each = rival if rival and entry.get("mode") == rival.name else program
            measured = self.timed(each, setting)
        once, entry["bytes"] = measured
        if not entry["wall"]:
            shutil.copyfile(
                likeness.sample(setting.library, setting.out, self.result),
                setting.samples / f"{program.name}{self.result.suffixes[0]}")
        entry["wall"].append(once.wall)
        entry["cpu"].append(once.cpu)
        entry["memory"].append(once.memory)

    def timed(self, program, setting):
        once = run(program, setting.library, setting.out)
        size = self.result.check(setting.library, setting.out)
        setting.say(f"{self.name}: {program.name}: {once.wall:.2f} s, {once.cpu:.2f} s of processor")
        return once, size
