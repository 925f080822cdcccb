"""Reads what the command reports with parsers of others: check.py PHBATCH.

Events, JSON reports and manifests by jsonschema, JUnit by junitparser, Prometheus' text by its own
client, Markdown by markdown-it, the shell of docs/ci as the CI systems would run it, and a web
set's elements by Python's own parser of HTML, and by html5lib, which takes no mistake.
"""

import base64
import html.parser
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import urllib.parse
import zlib

import html5lib
import jsonschema
import junitparser
import markdown_it
import prometheus_client.parser
import yaml

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
ODD = [
    b"pipe|name.png", b"`code`.png", b"<b>bold.png", b"a&b\"c'.png", b"*_[x](y)_*.png",
    b"@user #1 100%, x: y.png", b"back\\slash.png", b"new\nline.png", b"bad\xff.png",
    "r\u00fcck\u0301.png".encode(), b"$(touch x).png",
]
RECIPE = {
    "identifier": "org.example.check", "version": "1.0.0", "variant": "web",
    "select": {"exclude": ["skipped/**"]},
    "outputs": [{"name": "web", "format": "webp", "path": "{name}.{output}.{ext}"}],
}
FAILURES = []


def expect(holds, what):
    if not holds:
        FAILURES.append(what)


def png(width, height):
    """A picture of ramps."""
    rows = b"".join(
        b"\0" + bytes(v for x in range(width) for v in (x * 5 & 255, y * 7 & 255, 90))
        for y in range(height))

    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(
            ">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))


class Place:
    """A folder with a library and a recipe."""

    def __init__(self, phbatch, folder):
        self.phbatch, self.folder = phbatch, folder
        self.library = folder / "photos"
        (self.library / "skipped").mkdir(parents=True)
        for name in [b"plain.png", b"skipped/x.png", *ODD]:
            path = os.path.join(os.fsencode(self.library), name)
            with open(path, "wb") as file:
                file.write(png(40, 30))
        (self.library / "broken, |one|.png").write_bytes(b"no photo")
        (self.library / "page.pdf").write_bytes(b"%PDF-1.7")
        (folder / "recipe.json").write_text(json.dumps(RECIPE))

    def run(self, *arguments, environment=None):
        result = subprocess.run(
            [self.phbatch, "run", "recipe.json", "photos", *arguments], cwd=self.folder,
            capture_output=True, check=False, env={**os.environ, **(environment or {})})
        return result.returncode, result.stdout.decode(), result.stderr.decode()


def schemas(phbatch):
    found = {}
    for name in ["events", "report", "manifest"]:
        text = subprocess.run(
            [phbatch, "schema", f"--{name}"], capture_output=True, text=True, check=True).stdout
        expect(
            (TOP / f"docs/schema/{name}.schema.json").read_text() == text,
            f"docs/schema/{name}.schema.json is not what 'phbatch schema --{name}' prints")
        jsonschema.Draft202012Validator.check_schema(json.loads(text))
        found[name] = jsonschema.Draft202012Validator(json.loads(text))
    return found


def check_events(place, validator):
    """Every line of some runs is valid, and lines that say something wrong are not."""
    count = 0
    for arguments in [["--check"], ["--dry-run"], [], [], ["--set", "nothing=1"]]:
        _, output, _ = place.run("--format", "json", *arguments)
        events = [json.loads(line) for line in output.splitlines()]
        for event in events:
            problem = jsonschema.exceptions.best_match(validator.iter_errors(event))
            expect(problem is None, f"an event is invalid: {event}: {problem}")
        expect(events[-1]["event"] == "run-end", f"the last event is {events[-1]}")
        count += len(events)
        for event in events:
            for key in set(event) - {"hint", "detail", "warnings", "due", "error", "fileBytes",
                                     "originalBytes", "action", "why", "files"}:
                less = {k: v for k, v in event.items() if k != key}
                expect(not validator.is_valid(less), f"valid without {key}: {event}")
                expect(
                    not validator.is_valid({**event, key: None}), f"valid with no {key}: {event}")
            if "reason" in event:
                expect(not validator.is_valid({**event, "reason": "bored"}), "a wrong reason")
        expect(not validator.is_valid({**events[0], "event": "other"}), "a wrong event")
    return count


def cells(text):
    """The texts of all cells of the tables of a Markdown text."""
    tokens = markdown_it.MarkdownIt("gfm-like", {"linkify": False}).parse(text)
    found = []
    for token in tokens:
        if token.type == "inline" and token.level == 3 + 1:
            expect(
                all(child.type in ("text", "text_special") for child in token.children),
                f"a name is markup: {token.content}")
            found.append("".join(child.content for child in token.children))
    return found


def check_reports(place, validator, environment=None, expected=None):
    names = ["r.json", "r.xml", "r.html", "r.md", "r.prom"]
    options = [part for name in names for part in ("--report", name)]
    code, _, _ = place.run(*options, environment=environment)
    expect(code == expected, f"exit code {code}, not {expected}")
    report = json.loads((place.folder / "r.json").read_text())
    problem = jsonschema.exceptions.best_match(validator.iter_errors(report))
    expect(problem is None, f"the report is invalid: {problem}")
    for key in ["photos", "exit", "counts", "generator", "version"]:
        less = {k: v for k, v in report.items() if k != key}
        expect(not validator.is_valid(less), f"a report is valid without {key}")
    photos = report["photos"]

    xml = junitparser.JUnitXml.fromfile(str(place.folder / "r.xml"))
    suite = next(iter(xml))
    cases = {case.name: case for case in suite}
    expect(len(cases) == len(photos), "JUnit has another number of photos")
    failed = [c for c in suite if any(isinstance(r, junitparser.Failure) for r in c.result)]
    skipped = [c for c in suite if any(isinstance(r, junitparser.Skipped) for r in c.result)]
    expect(suite.failures == len(failed), f"JUnit says {suite.failures} failures")
    expect(suite.skipped == len(skipped) == 2, f"JUnit says {suite.skipped} skipped")
    expect(suite.tests == len(photos), f"JUnit says {suite.tests} tests")
    expect("broken, |one|.png" in cases, "the broken photo is not in JUnit")

    families = {
        family.name: family.samples
        for family in prometheus_client.parser.text_string_to_metric_families(
            (place.folder / "r.prom").read_text())}
    counts = {
        sample.labels["reason"]: sample.value for sample in families["phbatch_last_run_photos"]}
    expect(
        {k: v for k, v in counts.items() if v} == report["counts"],
        f"Prometheus says {counts}, the report {report['counts']}")
    expect(families["phbatch_last_run_exit_code"][0].value == report["exit"], "another exit code")
    expect(families["phbatch_last_run_exit_code"][0].labels == {
        "library": "photos", "recipe": "org.example.check"}, "other labels")

    found = cells((place.folder / "r.md").read_text())
    for photo in photos:
        if photo["reason"] == "rendered":
            name = photo["file"].replace("\n", "\\n")
            expect(name in found, f"Markdown does not show {name!r}: {found}")
    return report


def check_labels(place):
    """The name of a library is in Prometheus' text what it is, whatever it is."""
    name = 'a"b\\c {d}=e,'
    (place.folder / name).mkdir()
    subprocess.run(
        [place.phbatch, "run", "recipe.json", name, "--report", "l.prom"], cwd=place.folder,
        capture_output=True, check=True)
    for family in prometheus_client.parser.text_string_to_metric_families(
            (place.folder / "l.prom").read_text()):
        for sample in family.samples:
            expect(sample.labels["library"] == name, f"another library: {sample.labels}")


def check_annotations(place):
    environment = {"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(place.folder)}
    _, output, messages = place.run(environment=environment)
    expect("::" not in output, "annotations are among the results")
    lines = [line for line in messages.splitlines() if line.startswith("::")]
    pattern = re.compile(r"::error file=([^,:]*),title=([^,:]*)::(.*)")

    def plain(text):
        for code, sign in [("3A", ":"), ("2C", ","), ("0A", "\n"), ("0D", "\r"), ("25", "%")]:
            text = text.replace("%" + code, sign)
        return text

    found = [pattern.fullmatch(line) for line in lines]
    expect(all(found) and found, f"annotations are no commands: {lines}")
    expect(
        [plain(match[1]) for match in found if match] == ["photos/broken, |one|.png"],
        f"annotations are of other files: {lines}")


def check_shell(phbatch, folder):
    """The action and the GitLab job, on a work tree with one new photo."""
    place = Place(phbatch, folder)
    (place.library / "broken, |one|.png").unlink()
    tools = folder / "tools"
    tools.mkdir()
    (tools / "phbatch").symlink_to(phbatch)

    def shell(script, **variables):
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=folder,
            capture_output=True, text=True, check=False,
            env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", **variables})

    git = "git -c user.name=A -c user.email=a@example.org"
    done = shell(f"git init -q . && {git} add recipe.json photos/plain.png && {git} commit -qm x")
    expect(done.returncode == 0, f"git: {done.stderr}")

    action = yaml.safe_load((TOP / "docs/ci/action.yml").read_text())
    steps = action["runs"]["steps"]
    expect(action["runs"]["using"] == "composite" and len(steps) == 1, "the action has other steps")
    given = {"recipe": "recipe.json", "library": "photos", "since": "HEAD"}

    def act(environment=None, **inputs):
        values = {name: given.get(name, one.get("default", ""))
                  for name, one in action["inputs"].items()} | inputs
        variables = {
            name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda m: values[m[1]], value)
            for name, value in steps[0]["env"].items()}
        return shell(steps[0]["run"], GITHUB_ACTION_PATH=str(TOP / "docs/ci"), **variables, **(environment or {}))

    bare = folder / "bare"
    bare.mkdir()
    for tool in ["bash", "env", "mkdir"]:
        (bare / tool).symlink_to(shutil.which(tool))
    missing = act({"PATH": str(bare)})
    expect(
        missing.returncode == 69 and "not installed" in missing.stderr,
        f"without phbatch the action says {missing.stderr}")
    expect(act().returncode == 2, "the action does not see what is due")
    junitparser.JUnitXml.fromfile(str(folder / "phbatch-reports/phbatch.xml"))
    expect(act(mode="dance").returncode == 64, "the action takes any mode")
    expect(act(since="nothing").returncode == 66, "the action takes any revision")
    expect(act(recipe="$(touch stolen).json").returncode == 66, "the action takes any recipe")
    expect(not (folder / "stolen").exists(), "an input was run")
    expect(act(mode="run").returncode == 0, "the action does not render")
    expect(act().returncode == 0, "the action sees more to do")
    expect(act(since="").returncode == 2, "the committed photo is not due without since")

    job = yaml.safe_load((TOP / "docs/ci/gitlab-ci.yml").read_text())["photos"]
    variables = {**job["variables"], "RECIPE": "recipe.json"}
    script = "\n".join(job["script"])
    expect(shell(script, **variables).returncode == 2, "the job does not see what is due")
    done = shell(script, CI_MERGE_REQUEST_DIFF_BASE_SHA="HEAD", **variables)
    expect(done.returncode == 0, f"the job sees more than what changed: {done.stderr}")
    junitparser.JUnitXml.fromfile(str(folder / job["artifacts"]["reports"]["junit"]))


class Elements(html.parser.HTMLParser):
    """The elements of a piece of HTML."""

    def __init__(self, text):
        super().__init__()
        self.found, self.other = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.other.append(data)


def check_web_set(place, validator):
    """The manifest's elements are what they say, whatever the photos are called."""
    output = {
        "name": "web", "kind": "webSet", "widths": [16, 32, 64], "base": "/img?a=1&b=2/",
        "formats": [{"format": "webp", "quality": 60}, "jpeg"], "sizes": "(width < 9em) 50vw, 10em"}
    recipe = {**RECIPE, "outputs": [output]}
    (place.folder / "recipe.json").write_text(json.dumps(recipe))
    place.run()
    manifest = json.loads((place.library / "web.json").read_text())
    expect(len(manifest["photos"]) == len(ODD) + 1, "photos are missing in the manifest")
    problem = jsonschema.exceptions.best_match(validator.iter_errors(manifest))
    expect(problem is None, f"the manifest is invalid: {problem}")
    for key in manifest:
        less = {k: v for k, v in manifest.items() if k != key}
        expect(not validator.is_valid(less), f"a manifest is valid without {key}")
    for key in ["file", "alt", "sources", "html"]:
        less = {k: v for k, v in manifest["photos"][0].items() if k != key}
        expect(
            not validator.is_valid({**manifest, "photos": [less]}), f"a photo is valid without {key}")
    for photo in manifest["photos"]:
        try:
            html5lib.HTMLParser(strict=True).parseFragment(photo["html"])
        except html5lib.html5parser.ParseError as error:
            expect(False, f"invalid HTML: {error}: {photo['html']}")
        elements = Elements(photo["html"])
        expect(not elements.other, f"there is text in {photo['html']}")
        expect(
            [tag for tag, _ in elements.found] == ["picture", "source", "img"],
            f"other elements: {photo['html']}")
        for (_, attributes), source in zip(elements.found[1:], photo["sources"]):
            expect(attributes["sizes"] == output["sizes"], "other sizes")
            candidates = [part.split(" ") for part in attributes["srcset"].split(", ")]
            expect(len(candidates) == len(source["files"]) == 2, "other candidates")
            for (url, width), file in zip(candidates, source["files"]):
                expect(url.startswith(output["base"]), f"another base: {url}")
                path = urllib.parse.unquote_to_bytes(url.removeprefix(output["base"]))
                there = os.path.join(os.fsencode(place.library), path)
                expect(os.path.getsize(there) == file["bytes"], f"another file: {url}")
                expect(width == f"{file['width']}w", f"another width: {width}")
        image = elements.found[-1][1]
        expect((image["width"], image["height"]) == ("32", "24"), "another size")
        data = re.search(r"url\(data:image/webp;base64,([^)]*)\)", image["style"])
        expect(len(base64.b64decode(data[1])) <= 400, "a large placeholder")
    return len(manifest["photos"])


def main():
    phbatch = str(pathlib.Path(sys.argv[1]).resolve())
    validators = schemas(phbatch)
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        for folder in ["a", "b", "c", "d"]:
            (top / folder).mkdir()
        place = Place(phbatch, top / "a")
        check_reports(place, validators["report"], expected=3)
        check_reports(place, validators["report"], {"SOURCE_DATE_EPOCH": "1700000000"}, 3)
        check_labels(place)
        check_annotations(place)
        pictures = check_web_set(Place(phbatch, top / "d"), validators["manifest"])
        events = check_events(Place(phbatch, top / "b"), validators["events"])
        if shutil.which("git"):
            check_shell(phbatch, top / "c")
        else:
            FAILURES.append("there is no git")
    for failure in FAILURES:
        print(failure, file=sys.stderr)
    print(f"reports: {events} events, {pictures} pictures, {len(FAILURES)} surprises")
    sys.exit(1 if FAILURES else 0)


if __name__ == "__main__":
    main()
