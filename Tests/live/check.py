"""Edits the Live Photos of the corpus, and compares them with the originals and with Photos' edits.

usage: check.py PHBATCH; PHBATCH_CORPUS names the folder of the corpus. ExifTool and ffprobe read the
films; the boxes are read here.
"""

import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

PAIRS = [("test_live", "HEIC"), ("edit/IMG_5492", "HEIC")]
OUTPUT = {"name": "out", "format": "heic", "metadata": "all", "quality": 50}
CROP = {"filter": "crop", "left": "25%", "top": 0, "width": "25%", "height": "25%"}
LIGHT = {"filter": "exposure", "stops": 0.3}
RECIPE = {"identifier": "org.example.live", "version": "1.0.0", "outputs": [OUTPUT]}
# A key that names the pair; the others must stay.
IDENTIFIER = "Keys:ContentIdentifier"


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def tags(path):
    return json.loads(run("exiftool", "-G1", "-s", "-n", "-json", path))[0]


def probe(path, section, entries, *options):
    """What ffprobe lists of a film, as JSON: its lists as text depend on side data of the frames."""
    return json.loads(
        run("ffprobe", "-v", "error", *options, "-show_entries", entries, "-of", "json", path)
    )[section]


def times(path):
    """The time of each frame in units of the track, as players show it and as the file stores it."""
    shown = probe(path, "frames", "frame=pts", "-select_streams", "v:0")
    stored = probe(path, "packets", "packet=pts", "-select_streams", "v:0", "-ignore_editlist", "1")
    return [frame["pts"] for frame in shown], sorted(packet["pts"] for packet in stored)


def sound(path):
    packets = probe(
        path, "packets", "packet=data_hash", "-ignore_editlist", "1", "-select_streams", "a",
        "-show_data_hash", "md5")
    return [packet["data_hash"] for packet in packets]


def streams(path):
    entries = "stream=codec_type,codec_name,codec_tag_string,time_base,start_time:stream_tags=language"
    return probe(path, "streams", entries)


def rotation(path):
    found = probe(path, "streams", "stream_side_data=rotation,displaymatrix", "-select_streams", "v:0")
    return [data["rotation"] for data in found[0].get("side_data_list", [])]


def boxes(file, start=0, end=None, depth=2):
    """The names of a film's boxes with those of the boxes inside them, down to a depth."""
    found = []
    end = len(file) if end is None else end
    while start + 8 <= end:
        length, name = struct.unpack(">I4s", file[start:start + 8])
        if length == 1:
            length = struct.unpack(">Q", file[start + 8:start + 16])[0]
        inner = name in (b"moov", b"trak") and depth > 0
        children = boxes(file, start + 8, start + length, depth - 1) if inner else []
        found.append((name.decode("latin-1"), children))
        start += max(8, length)
    return found


def structure(path):
    """The boxes of a film in an order that does not matter, without padding.

    Photos leaves the reference from the track with the time of the still to the picture out.
    """
    with open(path, "rb") as file:
        found = boxes(file.read())

    def sorted_boxes(found):
        return sorted(
            (name, sorted_boxes(children)) for name, children in found
            if name not in ("wide", "free", "tref"))

    return sorted_boxes(found)


def visible_part(path):
    """The box with the part of the frames that players show; empty if there is none."""
    with open(path, "rb") as file:
        found = file.read()
    place = found.find(struct.pack(">I4s", 40, b"clap"))
    return found[place:place + 40] if place >= 0 else b""


class Library:
    """A folder with one Live Photo, and a recipe."""

    def __init__(self, phbatch, corpus, name, suffix, folder):
        self.phbatch, self.folder = phbatch, folder
        self.library = os.path.join(folder, "photos")
        os.mkdir(self.library)
        stem = os.path.join(self.library, os.path.basename(name))
        for end in (suffix, "mov"):
            shutil.copy(f"{corpus}/live/{name}.{end}", f"{stem}.{end}")
        self.photo, self.film = f"{stem}.{suffix}", f"{stem}.mov"
        self.made, self.made_film = f"{stem}.out.heic", f"{stem}.out.mov"
        self.recipe = os.path.join(folder, "recipe.json")

    def call(self, *words):
        return subprocess.run([self.phbatch, *words], capture_output=True, text=True)

    def render(self, filters, output={}, *options):
        with open(self.recipe, "w") as file:
            json.dump(RECIPE | {"filters": filters, "outputs": [OUTPUT | output]}, file)
        return self.call("run", self.recipe, self.library, "--timeout", "3600", *options)


def check(phbatch, corpus, name, suffix):
    surprises = []

    def expect(condition, words):
        if not condition:
            surprises.append(f"{name}: {words}")

    def expect_success(result, words):
        expect(result.returncode == 0, f"{words}: {result.stdout}{result.stderr}")

    with tempfile.TemporaryDirectory() as folder:
        live = Library(phbatch, corpus, name, suffix, folder)
        old = tags(live.film)
        for filters in ([LIGHT], [CROP]):
            expect_success(live.render(filters), "run")
            if not os.path.exists(live.made_film):
                expect(False, "there is no film beside the rendition")
                return surprises
            new = tags(live.made_film)
            identifier = tags(live.made).get("Apple:MediaGroupUUID")
            expect(identifier, "the photo has no identifier")
            expect(identifier == new.get(IDENTIFIER), "the identifiers differ")
            expect(identifier != old[IDENTIFIER], "the identifier is the old one")
            keys = {key for key in old if key.startswith("Keys:")} - {IDENTIFIER}
            expect(keys, "the original has no keys")
            for key in keys:
                expect(old[key] == new.get(key), f"{key} is {new.get(key)}, not {old[key]}")
            shown, stored = times(live.film)
            expect(len(shown) > 10 and times(live.made_film) == (shown, stored), "the times differ")
            expect(sound(live.film) == sound(live.made_film) != [], "the sound differs")
            expect(rotation(live.film) == rotation(live.made_film) != [], "the rotation differs")
            still = "-ee", "-s3", "-n", "-StillImageTime"
            expect(run("exiftool", *still, live.made_film), "the time of the photo is missing")
            last, first = streams(live.made_film)[-1], streams(live.film)[-1]
            expect(last == first, f"the track with the time of the photo is {last}, not {first}")
            part = visible_part(live.film) if filters == [LIGHT] else b""
            expect(visible_part(live.made_film) == part, "the visible part is wrong")
            with open(live.made_film, "rb") as file:
                has_place = b"live-photo-still-image-transform" in file.read()
            expect(has_place == (filters == [LIGHT]), "the place of the photo in the film is wrong")
            if filters == [LIGHT]:
                compare(f"{corpus}/live/{name}_edited", live, expect)
        check_commands(live, expect, expect_success)
    return surprises


def compare(photos, live, expect):
    """Compares a pair with the edit of the same pair by Photos, if there is one."""
    if not os.path.exists(f"{photos}.mov"):
        return
    expect(streams(f"{photos}.mov") == streams(live.made_film), "Photos keeps other tracks")
    expect(times(f"{photos}.mov") == times(live.made_film), "Photos' times differ")
    expect(rotation(f"{photos}.mov") == rotation(live.made_film), "Photos' rotation differs")
    part = visible_part(f"{photos}.mov")
    expect(part and part == visible_part(live.made_film), "Photos shows another part of the frames")
    expect(structure(f"{photos}.mov") == structure(live.made_film), "Photos writes other boxes")
    theirs, ours = tags(f"{photos}.mov"), tags(live.made_film)
    for key in theirs:
        if key.startswith("Keys:") and key != IDENTIFIER:
            expect(theirs[key] == ours.get(key), f"{key} is {ours.get(key)}, in Photos {theirs[key]}")
    theirs, ours = tags(f"{photos}.heic"), tags(live.made)
    for key in theirs:
        if key.startswith("Apple:") and key != "Apple:MediaGroupUUID":
            expect(theirs[key] == ours.get(key), f"{key} is {ours.get(key)}, in Photos {theirs[key]}")


def check_commands(live, expect, expect_success):
    """Checks that commands treat the pair as one photo."""
    with open(live.made_film, "rb") as file:
        first = file.read()
    with open(f"{live.photo}.phbatch.json") as file:
        expect(os.path.basename(live.made_film) in file.read(), "the sidecar does not list the film")
    expect_success(live.call("verify", live.library), "verify")
    expect_success(live.call("revert", live.photo, "--yes"), "revert")
    for path in (live.made_film, live.made):
        expect(not os.path.exists(path), f"{path} remains after 'revert'")
    expect_success(live.render([CROP], {}, "--redo"), "run --redo")
    with open(live.made_film, "rb") as file:
        expect(file.read() == first, "another rendering gives other bytes")
    expect_success(live.render([CROP], {"live": "still"}), "a still")
    expect(not os.path.exists(live.made_film), "a still keeps the film")
    expect("Apple:MediaGroupUUID" not in tags(live.made), "a still names the film")
    expect_success(live.call("verify", live.library), "verify of a still")


def main():
    corpus = os.environ.get("PHBATCH_CORPUS")
    if not corpus or not os.path.exists(f"{corpus}/live"):
        print("SKIPPED: there is no corpus of Live Photos; set PHBATCH_CORPUS to its folder")
        return 0
    phbatch = os.path.abspath(sys.argv[1])
    surprises = [line for name, suffix in PAIRS for line in check(phbatch, corpus, name, suffix)]
    for line in surprises:
        print(line)
    print(f"live: {len(PAIRS)} pairs, {len(surprises)} surprises")
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())
